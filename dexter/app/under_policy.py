"""A recorded run played under another policy: its turns and results through the real loop, into a record of its own.

No model is asked and no tool is run. Where the policy wants a summary it is made by extraction, without a model; memory
is left alone.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

from pydantic import BaseModel, ConfigDict

from dexter.agent.loop import run_loop
from dexter.agent.queue import Inbox
from dexter.agent.run import Ports, Run
from dexter.app.models import model_info
from dexter.app.outside import Setup
from dexter.app.toolbox import build_tools
from dexter.config.limits import Limits
from dexter.context.policies import policy_named
from dexter.context.policy import Policy
from dexter.context.stage import Effects, RunContext
from dexter.context.tokens import meter_for, threshold_of
from dexter.errors import ModelError
from dexter.events import Emitter
from dexter.ids import IdSource
from dexter.messages import Messages, SystemMessage, ToolSpec
from dexter.models.default_model import OFFLINE
from dexter.models.protocol import ModelInfo, ModelResponse, Prices, StreamItem, ToolChoice
from dexter.offline.model import INFO
from dexter.offline.summarise import write_request
from dexter.replay.compare import Comparison, Side
from dexter.replay.read import read_timeline
from dexter.replay.reckon import Reckoner
from dexter.replay.recorded import EndOfRecordError, RecordedModel, RecordedTurn, Recording, read_recording
from dexter.replay.rows import reckoner_for, rows_of
from dexter.replay.timeline import Header
from dexter.results import ToolResult
from dexter.scratchpad.file import OpenFile, RealFiles
from dexter.scratchpad.lines import timestamp
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.text import estimate_tokens
from dexter.tools.registry import Registry
from dexter.tools.spawn_subagent import spawn_subagent_tool
from dexter.tools.tool import Tool, ToolContext
from dexter.usage import Usage

_BASIS = "Tokens are estimates, calibrated by what the provider counted; cost by the model's prices, cache included."
LABEL = "played again: recorded turns and results, summaries by extraction without a model"
_LIMITS_NOW = "its limits are not on record: those of your settings"


async def compare_under(path: Path, policy: str, setup: Setup) -> Comparison:
    """A run as it was, beside the same run under another policy; both reckoned the same way.

    Raises:
        UsageError: there is no such policy, or the file holds no turns that could be played.
        ScratchpadError: a record cannot be read or written.
    """
    policy_named(policy)  # before anything is read
    recording, timeline = read_recording(path), read_timeline(path)
    prices = _prices(timeline.header.model, setup)
    with TemporaryDirectory(prefix="dexter-replay-") as folder:
        played = Play(recording, timeline.header, setup, reckoner_for(timeline, prices))
        other, notes = await played.under(policy, Path(folder))
        rows = rows_of(read_timeline(other), reckoner_for(timeline, prices))
    before = rows_of(timeline, reckoner_for(timeline, prices))
    left = Side(timeline.header.policy or "recorded", before, ("as recorded",))
    return Comparison(left, Side(policy, rows, (LABEL, *notes)), _BASIS)


@dataclass(frozen=True)
class Play:
    """A recording that can be played under any policy. `header`: its question, window, threshold and limits."""

    recording: Recording
    header: Header
    setup: Setup
    reckoner: Reckoner

    @cached_property
    def recorded_limits(self) -> Limits | None:
        """The limits that the run had; None where they are not on record, as in those of earlier versions."""
        try:
            return Limits.from_json(self.header.settings["context"])
        except (KeyError, TypeError, AttributeError):
            return None

    async def under(self, name: str, folder: Path) -> tuple[Path, tuple[str, ...]]:
        """Play it; the new record is in `folder`. Also what is to be known of it: what was assumed, how it failed.

        Raises:
            UsageError: there is no such policy.
            ScratchpadError: the record cannot be written or read.
        """
        limits = self.recorded_limits or self.setup.settings.context
        policy = policy_named(name, limits)
        outside = self.setup.outside
        scratchpad = Scratchpad.create(
            folder,
            self.header.question,
            started=outside.now(),
            clock=lambda: timestamp(outside.now()),
            port=UnsyncedFiles(),
        )
        notes = [] if self.recorded_limits else [_LIMITS_NOW]
        try:
            async with AsyncExitStack() as stack:
                installed = installed_tools(self.setup, self.header.window, stack)
                if missing := [spec.name for spec in self.recording.tools if spec.name not in installed]:
                    notes.append(f"not installed here, so its results count as clearable: {', '.join(missing)}")
                run = self._run(policy, limits, scratchpad, recorded_tools(self.recording, installed))
                _record_start(run, self.header, policy, scratchpad)
                run.adopt(self.recording.opening[1:])
                with suppress(EndOfRecordError):
                    await run_loop(run)
        except ModelError as error:
            notes.append(f"would have failed in turn {run.turn}: {error.message}")
        finally:
            scratchpad.close()
        return scratchpad.paths.scratchpad, tuple(notes)

    def _run(self, policy: Policy, limits: Limits, scratchpad: Scratchpad, tools: Registry) -> Run:
        recording, reckoner, outside = self.recording, self.reckoner, self.setup.outside
        window = self.header.window or limits.default_window
        info = ModelInfo(self.header.model or "recorded", "recorded", window=window, prices=reckoner.prices)
        summaries = Extraction(info, Reckoner((), prices=reckoner.prices))
        ids, inbox = IdSource(), Inbox()
        context = RunContext(
            limits=limits,
            window=window,
            threshold=self.header.threshold or threshold_of(window, limits),
            meter=meter_for(recording.tools, reckoner.factor),
            new_id=ids.next_message,
            results=scratchpad.results,
            tools=tools.traits(),
            model=summaries,
            fast_model=summaries,
            effects=Effects(clock=outside.monotonic, random=outside.random),
        )
        ports = Ports(
            model=RecordedModel(
                recording,
                info,
                reckoner,
                on_turn=lambda turn: _prepare(turn, recording, ids, inbox),
                refuses=bool(policy.on_overflow),
            ),
            tools=tools,
            policy=policy,
            record=scratchpad.record,
            emitter=Emitter(scratchpad.paths.run, (), lambda: timestamp(outside.now())),
            inbox=inbox,
            ids=ids,
            max_turns=len(recording.turns),
        )
        ids.message = _highest(message.id for message in recording.opening)
        return Run(ports, recording.opening[:1], context, recording.tools)


def installed_tools(setup: Setup, window: int, stack: AsyncExitStack) -> Mapping[str, Tool[Any]]:
    """The tools there are, by name; nothing is asked of them but what the pipeline must know."""
    tools = build_tools(setup, window or setup.settings.context.default_window, Path(), stack, ask_user=_nobody)
    return {tool.name: tool for tool in (*tools, spawn_subagent_tool(_nobody))}


def recorded_tools(recording: Recording, installed: Mapping[str, Tool[Any]]) -> Registry:
    """Each tool of the run, giving what is on record.

    What the pipeline must know of a tool is taken from the installed one of that name; of one that is not installed
    results may be cleared: they can be recalled from the record.
    """

    async def recall(_arguments: AnyArguments, context: ToolContext) -> ToolResult:
        return recording.result(context.call)

    def recorded(spec: ToolSpec) -> Tool[Any]:
        plain = Tool(spec.name, spec.description, AnyArguments, recall, concurrent=True, clearable=True)
        tool = installed.get(spec.name)
        if tool is None:
            return plain
        return replace(plain, clearable=tool.clearable, pages=tool.pages, limited=tool.limited, query=tool.query)

    return Registry(map(recorded, recording.tools))


async def _nobody(*_arguments: object, **_options: object) -> NoReturn:
    raise AssertionError  # recorded tools run nothing


def _prepare(turn: RecordedTurn, recording: Recording, ids: IdSource, inbox: Inbox) -> None:
    """Before a turn is told: its calls and results get their recorded names, its queued lines wait."""
    calls = turn.message.tool_calls
    if calls:
        ids.call = _highest([calls[0].id]) - 1
        if calls[0].id in recording.results:
            ids.result = recording.results[calls[0].id].id - 1
    for line in turn.queued:
        inbox.put(line)


def _highest(names: Iterable[str]) -> int:
    """The highest number of ids such as `m12`."""
    return max((int(name[1:]) for name in names if name[1:].isdecimal()), default=0)


def _prices(model: str, setup: Setup) -> Prices | None:
    if model == OFFLINE:
        return INFO.prices
    return model_info(model, setup).prices if model else None


def _record_start(run: Run, header: Header, policy: Policy, scratchpad: Scratchpad) -> None:
    system = run.messages[0]
    assert isinstance(system, SystemMessage)  # noqa: S101 - so it was read
    run.ports.record.init(header.question)
    run.ports.record.run(
        run=scratchpad.paths.run,
        conversation=header.conversation,
        parent=None,
        system=system.text,
        tools=[spec.to_json() for spec in run.specs],
        settings={**header.settings, "policy": policy.name},
    )


class AnyArguments(BaseModel):
    """Whatever the model sent."""

    model_config = ConfigDict(extra="allow")


@dataclass(frozen=True)
class Extraction:
    """Writes the summaries that a policy asks for from the lines with figures, without a model."""

    info: ModelInfo
    reckoner: Reckoner

    async def stream(
        self,
        messages: Messages,
        *,
        tools: Sequence[ToolSpec],  # noqa: ARG002 - a summary is asked for without
        tool_choice: ToolChoice,  # noqa: ARG002 - likewise
        max_tokens: int,
    ) -> AsyncIterator[StreamItem]:
        """The summary, priced as if the model had written it."""
        text = write_request(messages, max_tokens)
        usage = Usage(sum(message.tokens for message in messages), output=estimate_tokens(text))
        yield ModelResponse(text, usage=usage, cost_usd=self.reckoner.cost(usage))

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:  # noqa: ARG002 - none
        """The estimate."""
        return sum(message.tokens for message in messages)


class _UnsyncedFile:
    """A file of a record that nobody needs after a crash."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file

    def write(self, data: bytes | memoryview) -> int:
        return self._file.write(data)

    def sync(self) -> None:
        """Nobody waits for the disk."""

    def close(self) -> None:
        self._file.close()


class UnsyncedFiles(RealFiles):
    """The operating system's files without waiting for the disk."""

    def create(self, path: Path) -> OpenFile:
        """See `FilePort`."""
        return _UnsyncedFile(super().create(path))
