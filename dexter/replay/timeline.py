"""A run as its file tells it: how it began, its entries in the file's order, and those of each turn.

`dexter.replay.read.read_timeline` makes one; `dexter.replay.whole` gives the whole text of an excerpt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from dexter.replay.entries import Answer, Ended, Entry, Json, Request, Response, Resumed, Skipped, Stage
from dexter.scratchpad.run_state import known_cost
from dexter.usage import Usage

T = TypeVar("T")


@dataclass(frozen=True)
class Header:
    """How the run began. Without `schema` the file has no `run` line: one of the original's, or one that lost it.

    `parent` is the run before it in the conversation, or the one that started this sub-agent by the call `spawned_by`.
    `window` and `threshold` are in tokens, 0 where they are not recorded.
    """

    question: str = ""
    started: str = ""
    schema: int | None = None
    conversation: str = ""
    parent: str | None = None
    spawned_by: str = ""
    model: str = ""
    fast_model: str = ""
    policy: str = ""
    window: int = 0
    threshold: int = 0
    settings: Json = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """One pass of the loop; number 0 holds what came before the first."""

    number: int
    entries: tuple[Entry, ...]

    def of(self, kind: type[T]) -> tuple[T, ...]:
        """The entries of one kind."""
        return tuple(entry for entry in self.entries if isinstance(entry, kind))

    @property
    def request(self) -> Request | None:
        """The newest model call: the one that was answered, if any was."""
        return next(reversed(self.of(Request)), None)

    @property
    def response(self) -> Response | None:
        """The newest answer of the model."""
        return next(reversed(self.of(Response)), None)

    @property
    def context_tokens(self) -> int | None:
        """The size of the request: as the provider counted it, else as it was estimated; None: not recorded."""
        counted = self.response.usage.input if self.response and self.response.usage else 0
        return counted or (self.request.tokens_estimated if self.request else None)


@dataclass(frozen=True)
class Timeline:
    """A run as its file tells it.

    `updated` is the time of the last line, `size` the bytes read, `running` whether a process worked on the run when it
    was read.
    """

    path: Path
    header: Header
    entries: tuple[Entry, ...]
    updated: str = ""
    size: int = 0
    running: bool = False

    @property
    def run(self) -> str:
        """The run's id."""
        return self.path.name.removesuffix(".jsonl")

    def of(self, kind: type[T]) -> Iterator[T]:
        """The entries of one kind, in order."""
        return (entry for entry in self.entries if isinstance(entry, kind))

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """The entries by turn, ascending."""
        by_turn: dict[int, list[Entry]] = {}
        for entry in self.entries:
            by_turn.setdefault(entry.turn, []).append(entry)
        return tuple(Turn(number, tuple(by_turn[number])) for number in sorted(by_turn))

    @cached_property
    def skipped(self) -> tuple[Skipped, ...]:
        """The lines that were of no use."""
        return tuple(self.of(Skipped))

    @cached_property
    def answer(self) -> Answer | None:
        """What the user was given last."""
        return next((entry for entry in reversed(self.entries) if isinstance(entry, Answer)), None)

    @cached_property
    def end(self) -> Ended | None:
        """How the newest attempt ended; None while it has not."""
        newest = next((entry for entry in reversed(self.entries) if isinstance(entry, Ended | Resumed)), None)
        return newest if isinstance(newest, Ended) else None

    @property
    def status(self) -> str:
        """That of the end, or `running`, or `cut off`, or '' where the file does not tell (the original's)."""
        if self.running:
            return "running"
        return self.end.status if self.end else "cut off" if self.header.schema is not None else ""

    @cached_property
    def usage(self) -> Usage:
        """Tokens of the whole run: as the end states them, else those of the answers."""
        if self.end:
            return self.end.usage
        return sum((entry.usage for entry in self.of(Response) if entry.usage), Usage())

    @cached_property
    def cost_usd(self) -> Decimal | None:
        """Cost of the whole run; None where it is not known."""
        if self.end:
            return known_cost(self.end.cost_usd)
        costs = [known_cost(entry.cost_usd) for entry in self.of(Response)]
        return sum((cost for cost in costs if cost is not None), Decimal()) if costs and None not in costs else None

    @cached_property
    def result_files(self) -> Mapping[int, str]:
        """Results that were written to files of their own because they were too large for the view: id to path."""
        persisted = (item for stage in self.of(Stage) for item in _persisted(stage.report))
        return {int(item["result"]): str(item["path"]) for item in persisted if "result" in item and "path" in item}


def _persisted(report: Json) -> Sequence[Json]:
    items = report.get("persisted")
    return [item for item in items if isinstance(item, Mapping)] if isinstance(items, list | tuple) else []
