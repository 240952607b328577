"""Sub-agents: a task in a run of its own, with a context, a scratchpad and a budget of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dexter.agent.outcome import Answer
from dexter.agent.queue import Inbox
from dexter.agent.run import Run
from dexter.app.outside import Setup
from dexter.app.session import run_to_its_end
from dexter.errors import DexterError, Interrupted, ToolError
from dexter.events import Emitted, Notice, Sink, ToolStarted
from dexter.results import Cell, ToolResult
from dexter.scratchpad.lines import timestamp
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.tools.registry import Registry
from dexter.tools.spawn_subagent import SubagentArguments
from dexter.tools.tool import Caller, Tool, ToolContext

if TYPE_CHECKING:
    from dexter.app.build import Parts, Plan

# Of the money that is left and not set aside for others, one sub-agent may spend this share.
_SHARE = Decimal("0.25")
_SHOWN_CHARS = 80


def tools_for_subagents(tools: Iterable[Tool[Any]]) -> Registry:
    """Those that need no approval and no user, and start no further sub-agents."""
    return Registry(
        tool for tool in tools if tool.for_subagents and not tool.needs_approval and not tool.interactive_only
    )


@dataclass
class Subagents:
    """The sub-agents of one run. They share its models and the tools that need nobody; the rest is their own."""

    setup: Setup
    plan: Plan
    parts: Parts
    paths: RunPaths
    _running: dict[str, Run] = field(default_factory=dict)

    async def run_task(self, arguments: SubagentArguments, context: ToolContext) -> ToolResult:
        """Answer a task in a run of its own.

        Returns:
            Its answer, with the cells and sources it rests on; an error where it failed.

        Raises:
            asyncio.CancelledError: this run was cancelled, and with it the sub-agent.
        """
        caller = context.caller
        if caller is None:
            raise ToolError("sub-agents are started within a run only.", remedy="`dexter ask` starts a run.")
        scratchpad = self._open(arguments.task)
        name, status = scratchpad.paths.run, "failed"
        caller.tell_subagent(name, "started", call=context.call)
        try:
            answer = await self._answer(arguments, context, caller, scratchpad)
            status = "answered" if answer.complete else "incomplete"
            return _result(arguments.title, name, answer, _cells(scratchpad))
        except Interrupted:
            status = "interrupted"
            if _is_cancelled():
                raise asyncio.CancelledError from None
            return ToolResult(f"The sub-agent was ended before it had an answer. Its record: {name}.", "interrupted")
        except DexterError as error:
            text = f"Error: the sub-agent failed: {error.message} {error.remedy}".rstrip()
            return ToolResult(f"{text}\nIts record: {name}.", "error")
        except Exception as fault:  # noqa: BLE001 - a fault of ours in one must not cost what the others found
            text = f"Error: the sub-agent failed by a fault of Dexter's own ({type(fault).__name__})."
            return ToolResult(f"{text}\nIts record: {name}.", "error")
        finally:
            self._running.pop(name, None)
            caller.tell_subagent(name, status, call=context.call)

    def _open(self, task: str) -> Scratchpad:
        outside = self.setup.outside
        return Scratchpad.create(
            self.paths.subagents,
            task,
            started=outside.now(),
            clock=lambda: timestamp(outside.now()),
            port=outside.files,
        )

    async def _answer(
        self, arguments: SubagentArguments, context: ToolContext, caller: Caller, scratchpad: Scratchpad
    ) -> Answer:
        from dexter.app.ask import Conversation, record_start
        from dexter.app.build import build_run

        async with AsyncExitStack() as stack:
            run = build_run(
                self.plan,
                self._setup_with(self._allowance(caller)),
                scratchpad,
                ids=Conversation().ids,
                inbox=Inbox(),
                sinks=(_progress_sink(arguments.title, context.progress),),
                parts=replace(self.parts, is_subagent=True),
                stack=stack,
            )
            run.on_spend, run.on_charge = caller.spend, caller.charge
            self._running[run.name] = run
            before = Conversation(untrusted=context.untrusted)  # whoever wrote that may be behind the task
            record_start(run, self.plan, arguments.task, scratchpad, before, spawned_by=(caller.name, context.call))
            return await run_to_its_end(run, scratchpad)

    def _allowance(self, caller: Caller) -> Decimal | None:
        """What a new sub-agent may spend; what the others may still spend is set aside."""
        left = caller.left_usd()
        if left is None:
            return None
        set_aside = sum((run.left_usd() or Decimal(0) for run in self._running.values()), Decimal(0))
        return max(left - set_aside, Decimal(0)) * _SHARE

    def _setup_with(self, budget_usd: Decimal | None) -> Setup:
        settings = self.setup.settings.model_copy(update={"budget_usd": budget_usd})
        return replace(self.setup, config=replace(self.setup.config, settings=settings))


def _is_cancelled() -> bool:
    """Whether the run itself is being cancelled, or this call has taken too long, not the sub-agent alone."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _progress_sink(title: str, progress: Callable[[str], None]) -> Sink:
    """What a sub-agent does, as lines of progress of the call that started it."""

    def sink(emitted: Emitted) -> None:
        event = emitted.event
        if isinstance(event, ToolStarted):
            given = ", ".join(f"{name}={value}" for name, value in event.arguments.items())
            shown = given if len(given) <= _SHOWN_CHARS else given[:_SHOWN_CHARS] + "…"
            progress(f"{title}: {event.tool}({shown})")
        elif isinstance(event, Notice):
            progress(f"{title}: {event.text}")

    return sink


def _result(title: str, run: str, answer: Answer, cells: tuple[Cell, ...]) -> ToolResult:
    head = f"Sub-agent “{title}” (run {run}; numbers like #3 in its text are results of that run):"
    reason = f"\n\nNot complete: {answer.reason}" if not answer.complete else ""
    return ToolResult(
        f"{head}\n\n{answer.text.strip() or '(no text)'}{reason}\n",
        "ok" if answer.complete else "partial",
        cells=cells,
        sources=answer.sources,
        untrusted=answer.untrusted,
    )


def _cells(scratchpad: Scratchpad) -> tuple[Cell, ...]:
    """Every cell the sub-agent saw, once."""
    return tuple(dict.fromkeys(cell for result in scratchpad.results.read_after(0) for cell in result.cells))
