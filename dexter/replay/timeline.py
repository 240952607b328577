"""What a run's file says, in order, small enough for a run of any length: large texts are excerpts with their place.

    Timeline ── header, entries in the file's order, and those of each turn
      Entry  ── Request · Response · Result · Stage · Message · Notice · Retry · Queued · Approval · Subagent · Answer
                · Resumed · Ended · Skipped · Unknown

`dexter.replay.read.read_timeline` makes one; `dexter.replay.whole` gives the whole text of an excerpt.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from dexter.scratchpad.file import Span
from dexter.scratchpad.run_state import known_cost
from dexter.usage import Usage

T = TypeVar("T")
Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The beginning of a text; `chars` is the whole text's length in code points."""

    text: str = ""
    chars: int = 0

    @property
    def is_cut(self) -> bool:
        """Whether there is more than stands here."""
        return self.chars > len(self.text)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call: our id, the tool, its arguments ({} where they were no object), and why it could not be read.

    Long strings in the arguments are cut and end in `…`.
    """

    id: str
    tool: str
    arguments: Json
    error: str = ""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What every entry has: its turn (0: before the first), its time as recorded, and where its line lies in bytes."""

    turn: int
    at: str
    span: Span


@dataclass(frozen=True, slots=True)
class Request(_Entry):
    """A model call goes out. `number` counts the file's calls from 1, as `SentView.number` does."""

    number: int
    view_hash: str
    tokens_estimated: int
    max_tokens: int
    tool_choice: str


@dataclass(frozen=True, slots=True)
class Response(_Entry):
    """The model has answered. `usage` is None where the provider gave none, `cost_usd` '' where unknown.

    `thinking_chars` is how much reasoning came with it. Of the original's files: the text beside a turn's calls.
    """

    text: Excerpt
    calls: tuple[Call, ...] = ()
    thinking_chars: int = 0
    stop_reason: str = ""
    usage: Usage | None = None
    cost_usd: str = ""
    model: str = ""
    duration_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Result(_Entry):
    """A tool has finished. `sources` as recorded; `cells` is how many figures it brought; `duration_s` None: unknown.

    `id` is the number the model knows it by; `recalls` that of the result it is a page of.
    """

    id: int
    call: Call
    status: str
    text: Excerpt
    duration_s: float | None = None
    sources: tuple[Json, ...] = ()
    cells: int = 0
    recalls: int | None = None


@dataclass(frozen=True, slots=True)
class Stage(_Entry):
    """A context stage changed the view (`edits` operations) or decided something. Long texts in the report are cut."""

    name: str
    report: Json
    tokens_before: int = 0
    tokens_after: int = 0
    edits: int = 0


@dataclass(frozen=True, slots=True)
class Message(_Entry):
    """A message that entered the view by a line of its own: the question, a queued line, the harness, or history.

    `role` is that of the message; `origin` of a user message is `question`, `queued` or `harness`, `kind` says which of
    the harness's. `result` is a tool message's result id.
    """

    role: str
    text: Excerpt
    origin: str = ""
    kind: str = ""
    result: int = 0


@dataclass(frozen=True, slots=True)
class Notice(_Entry):
    """Something a person was told."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Retry(_Entry):
    """A failed model call that was made again."""

    kind: str
    attempt: int
    wait_s: float
    message: str


@dataclass(frozen=True, slots=True)
class Queued(_Entry):
    """The user has `queued` a line, or `taken_back` one. What was handed to the model is a `Message`."""

    action: str
    line: str


@dataclass(frozen=True, slots=True)
class Approval(_Entry):
    """What was decided about a call that needed approval, and about what exactly."""

    call: str
    decision: str
    tool: str = ""
    target: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Subagent(_Entry):
    """A sub-agent's run, its state, and the call that started it. Its file is `RunPaths.subagents / <run>.jsonl`."""

    run: str
    status: str
    call: str = ""


@dataclass(frozen=True, slots=True)
class Answer(_Entry):
    """What the user was given, whole."""

    text: str
    complete: bool
    sources: tuple[Json, ...] = ()
    figures: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class Resumed(_Entry):
    """A process took the run up again."""


@dataclass(frozen=True, slots=True)
class Ended(_Entry):
    """An attempt is over. Usage and cost ('' unknown) are those of the whole run so far."""

    status: str
    exit_status: int
    usage: Usage
    cost_usd: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Skipped(_Entry):
    """A line that was of no use, and why."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unknown(_Entry):
    """A line of a type that this version does not know."""

    type: str


Entry: TypeAlias = (
    Request
    | Response
    | Result
    | Stage
    | Message
    | Notice
    | Retry
    | Queued
    | Approval
    | Subagent
    | Answer
    | Resumed
    | Ended
    | Skipped
    | Unknown
)


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
