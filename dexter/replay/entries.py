"""What a run's file says, line by line, small enough for a run of any length: large texts are excerpts.

Entry ── Request · Response · Result · Stage · Message · Notice · Retry · Queued · Approval · Subagent · Answer
· Resumed · Ended · Skipped · Unknown
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from dexter.scratchpad.file import Span
from dexter.usage import Usage

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
