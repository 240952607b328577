"""What a stage is: a configured callable from a view to a view, and what it may know and use.

A stage gets an immutable tuple of messages and a `RunContext`. Nothing to do returns *the very same tuple* and no
report. Stages that need no model are plain functions; memory flush and compaction are async. What a stage did is told
by its report alone; `dexter.context.policy.run_stages` records the edit and carries the state on.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from dexter.config.limits import Limits
from dexter.context.call_index import CallIndex
from dexter.context.ledger import FigureMemory
from dexter.context.reports import Report
from dexter.context.tokens import TokenMeter, threshold_of
from dexter.context.view_index import ViewIndex
from dexter.events import Retry
from dexter.messages import Messages, ToolCall
from dexter.models.protocol import Model
from dexter.results import StoredResult as StoredResult  # noqa: PLC0414 - part of this contract, too


@dataclass(frozen=True)
class StageResult:
    """The view after a stage, and what it did; no report means nothing was done."""

    messages: Messages
    report: Report | None = None


class Stage(Protocol):
    """A configured callable; `name` is the file in `stages/`."""

    @property
    def name(self) -> str:
        """The stage's name in events and records."""
        ...

    def __call__(self, messages: Messages, ctx: RunContext, /) -> StageResult | Awaitable[StageResult]:
        """Run once over the view."""
        ...

    def rule(self, limits: Limits, /) -> str:
        """What the stage does, with its numbers: one line for people."""
        ...


@dataclass(frozen=True)
class ToolTraits:
    """What the pipeline needs to know of a tool. `pages`: its results are pages of something kept elsewhere.

    `limited`: soft limits apply. `query` names the argument that holds free text; the others are structured.
    """

    clearable: bool = False
    pages: bool = False
    limited: bool = True
    query: str = ""


_UNKNOWN_TOOL = ToolTraits()


@dataclass(frozen=True)
class CallMade:
    """One call of this run, in order, for the soft limits. `turn` is the turn it was made in."""

    turn: int
    call: ToolCall


class Recall(Protocol):
    """Earlier results of the conversation."""

    def read(self, result: int) -> StoredResult:
        """The result, byte for byte.

        Raises:
            KeyError: no such result in the conversation.
        """
        ...


class ResultStore(Recall, Protocol):
    """Files for large results, and every result whole."""

    def read_after(self, boundary: int) -> Iterator[StoredResult]:
        """This run's results with ids above `boundary`, ascending, each whole."""
        ...

    def newest_first(self) -> list[int]:
        """The ids of all results of the conversation."""
        ...

    def persist(self, result: int, text: str) -> Path:
        """Write `text` to a new file of its own, complete and flushed, and return its path.

        Raises:
            ScratchpadError: nothing usable was written; the remedy says why.
        """
        ...

    def read(self, result: int) -> StoredResult:
        """The result, byte for byte.

        Raises:
            KeyError: no such result in the conversation.
            ScratchpadError: it is on record but damaged.
        """
        ...

    def transcript(self, messages: Messages) -> Path:
        """Write the messages to a new transcript file and return its path.

        Raises:
            ScratchpadError: nothing usable was written.
        """
        ...


class MemoryWriter(Protocol):
    """Where a memory flush writes."""

    def append(self, notes: str, *, origin: str) -> Path:
        """Add notes to today's file; returns its path. Raises OSError where that fails."""
        ...


async def _sleep(seconds: float) -> None:
    import asyncio

    await asyncio.sleep(seconds)


@dataclass(frozen=True)
class Effects:
    """What a stage that calls a model does to the outside: wait, look at the clock, tell a person what has begun.

    `clock` and `sleep` are in seconds, `random` gives numbers in [0, 1). `announce` takes a stage's name and a text,
    `retrying` hears of a failed call before the wait.
    """

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = _sleep
    random: Callable[[], float] = lambda: 0.5
    announce: Callable[[str, str], None] = lambda _stage, _text: None
    retrying: Callable[[Retry], None] = lambda _retry: None


@dataclass(frozen=True)
class RunContext:
    """What a stage may know (values) and use (ports). Carried on by `run_stages`, never changed in place.

    `window` and `threshold` are in tokens. `model` and `fast_model` are for the stages that summarise; both None where
    no model may be called. `focus` is what the user asked a compaction to dwell on. `reports` are those of the run so
    far, those from `pass_start` on of the pass the stage runs in. `index`, `call_index` and `figures` remember what
    a growing view, list of calls and record hold; they say nothing that could not be found anew.
    """

    limits: Limits
    window: int
    threshold: int
    meter: TokenMeter
    new_id: Callable[[], str]
    results: ResultStore
    turn: int = 0
    tools: Mapping[str, ToolTraits] = field(default_factory=dict)
    calls: tuple[CallMade, ...] = ()
    reports: tuple[Report, ...] = ()
    model: Model | None = None
    fast_model: Model | None = None
    memory: MemoryWriter | None = None
    learnt_limit: int | None = None
    focus: str = ""
    effects: Effects = field(default_factory=Effects)
    pass_start: int = 0
    index: ViewIndex = field(default_factory=ViewIndex, compare=False, repr=False)
    call_index: CallIndex = field(default_factory=CallIndex, compare=False, repr=False)
    figures: FigureMemory = field(default_factory=FigureMemory, compare=False, repr=False)

    def used(self, messages: Messages) -> int:
        """Tokens the view uses now."""
        return self.meter.used(messages)

    def over_threshold(self, messages: Messages) -> bool:
        """Whether threshold management has work to do."""
        return self.used(messages) > self.threshold

    def narrowed(self, limit: int | None) -> RunContext:
        """With a limit that a provider's refusal taught: the rest of the run keeps below it, not below the window.

        A limit smaller than the pipeline can work in counts as the smallest window.
        """
        if limit is None:
            return self
        window = min(self.window, max(limit, self.limits.minimum_window))
        threshold = min(self.threshold, threshold_of(window, self.limits))
        return replace(self, learnt_limit=limit, window=window, threshold=threshold)

    def traits(self, tool: str) -> ToolTraits:
        """What is known of a tool; unknown tools are neither clearable nor paged."""
        return self.tools.get(tool, _UNKNOWN_TOOL)

    @property
    def this_pass(self) -> tuple[Report, ...]:
        """What the stages before this one did in the same pass over the view."""
        return self.reports[self.pass_start :]
