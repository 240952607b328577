"""Runs over a real scratchpad with a scripted model: the loop's tests and benchmarks build on these."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from dexter.agent.queue import Inbox
from dexter.agent.run import Ports, Run
from dexter.app.run_tool import NoResults
from dexter.config.limits import Limits
from dexter.context.policy import Policy
from dexter.context.stage import Recall, RunContext
from dexter.context.tokens import meter_for, threshold_of
from dexter.events import Emitted, Emitter, Event, Queue
from dexter.ids import IdSource
from dexter.messages import Message, SystemMessage, UserMessage
from dexter.models.protocol import Model
from dexter.results import Source, ToolResult
from dexter.scratchpad.file import FilePort, RealFiles
from dexter.scratchpad.lines import timestamp
from dexter.scratchpad.rebuild import SYSTEM_ID
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.tools.registry import Registry
from dexter.tools.tool import Tool, ToolContext

NOTHING = Policy("none")
LIMITS = Limits()
STARTED = datetime(2026, 3, 20, 12, 0, 0, tzinfo=UTC)


class AnyArguments(BaseModel):
    """Arguments of the test tools."""

    query: str = ""
    size: int = 0


def tool(name: str, run: Callable[[AnyArguments, ToolContext], Any], **flags: Any) -> Tool[AnyArguments]:
    """A tool from a plain or async function that returns text or a ToolResult."""

    async def wrapped(arguments: AnyArguments, context: ToolContext) -> ToolResult:
        outcome = run(arguments, context)
        if asyncio.iscoroutine(outcome):
            outcome = await outcome
        return outcome if isinstance(outcome, ToolResult) else ToolResult(outcome, sources=(Source("dataset", name),))

    return Tool(name, f"Test tool {name}.", AnyArguments, wrapped, **flags)


def echo(**flags: Any) -> Tool[AnyArguments]:
    """Gives its query back, `size` times."""
    flags = {"concurrent": True, "clearable": True, **flags}
    return tool("echo", lambda arguments, _context: arguments.query * max(arguments.size, 1), **flags)


@dataclass
class Bench:
    """A run ready to go, and what it said."""

    run: Run
    scratchpad: Scratchpad
    events: list[Event] = field(default_factory=list)

    def of(self, kind: type[Any]) -> list[Any]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def path(self) -> Path:
        """The record."""
        return self.scratchpad.paths.scratchpad


def make_run(
    folder: Path,
    model: Model,
    *,
    fast_model: Model | None = None,
    tools: Iterable[Tool[Any]] | None = None,
    policy: Policy = NOTHING,
    question: str = "compare NVDA vs AMD",
    history: Sequence[Message] = (),
    window: int = 200_000,
    limits: Limits = LIMITS,
    port: FilePort | None = None,
    inbox: Inbox | None = None,
    ids: IdSource | None = None,
    on_event: Callable[[Event], None] = lambda _event: None,
    **ports: Any,
) -> Bench:
    """A run whose view is system prompt, history and question, all on record."""
    scratchpad = Scratchpad.create(
        folder, question, started=STARTED, clock=lambda: timestamp(STARTED), port=port or RealFiles()
    )
    registry = Registry(tools if tools is not None else [echo()])
    events: list[Event] = []

    def sink(emitted: Emitted) -> None:
        events.append(emitted.event)
        on_event(emitted.event)

    emitter = Emitter(scratchpad.paths.run, [sink], lambda: timestamp(STARTED))
    inbox = inbox or Inbox()
    inbox.on_change = lambda action, line: emitter.emit(Queue(action, line))
    ids = ids or IdSource()
    specs = registry.specs()
    ctx = RunContext(
        limits=limits,
        window=window,
        threshold=threshold_of(window, limits),
        meter=meter_for(specs),
        new_id=ids.next_message,
        results=scratchpad.results,
        tools=registry.traits(),
        model=model,
        fast_model=fast_model or model,
    )
    settings: dict[str, Any] = {"sleep": no_sleep, **ports}
    run = Run(
        Ports(
            model=model,
            tools=registry,
            policy=policy,
            record=scratchpad.record,
            emitter=emitter,
            inbox=inbox,
            ids=ids,
            **settings,
        ),
        (SystemMessage(SYSTEM_ID, "You are a test."),),
        ctx,
        specs,
    )
    scratchpad.record.init(question)
    scratchpad.record.run(
        run=scratchpad.paths.run,
        conversation=scratchpad.paths.run,
        parent=None,
        system="You are a test.",
        tools=[spec.to_json() for spec in specs],
        settings={
            "model": model.info.name,
            "policy": policy.name,
            "window": window,
            "threshold": ctx.threshold,
        },
    )
    run.append(*history, UserMessage(ids.next_message(), question, "question"))
    return Bench(run, scratchpad, events)


async def no_sleep(_seconds: float) -> None:
    """Waiting takes no time in tests."""
    await asyncio.sleep(0)


def no_results() -> Recall:
    """Earlier results where there are none."""
    return NoResults()
