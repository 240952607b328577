"""Everything a run says while it goes on.

Events are emitted after the scratchpad has the fact on disk; sinks (panels, plain lines, JSON) consume them and nothing
else writes to the terminal. On the wire each is one JSON object with the envelope
`{"v": 1, "seq", "ts", "run", "turn", "type", …}`. Public contract (docs/interfaces.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Protocol, TypeAlias

from dexter.usage import Usage

VERSION = 1

STARTED = "_started"
"""How the kinds of notices end that only say that something begins."""


@dataclass(frozen=True)
class _Event:
    type: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        """The fields as JSON values, without the envelope."""
        return {f.name: _plain(getattr(self, f.name)) for f in fields(self)}


def _plain(value: Any) -> Any:
    if isinstance(value, Usage):
        return value.to_json()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True)
class RunStarted(_Event):
    """A run begins or is resumed. `window` and `threshold` in tokens; `reason` says why this model."""

    type: ClassVar[str] = "run_started"
    question: str
    conversation: str
    parent: str | None
    model: str
    fast_model: str | None
    policy: str
    window: int
    threshold: int
    reason: str = ""
    path: str = ""


@dataclass(frozen=True)
class Notice(_Event):
    """Something a person should know: a soft limit, a cut prompt, an incomplete answer."""

    type: ClassVar[str] = "notice"
    kind: str
    text: str


@dataclass(frozen=True)
class ModelCall(_Event):
    """A request goes out: hash of the exact view, estimated tokens."""

    type: ClassVar[str] = "model_call"
    view_hash: str
    tokens_estimated: int


@dataclass(frozen=True)
class TextDelta(_Event):
    """A piece of the model's text as it streams. `thinking` marks reasoning."""

    type: ClassVar[str] = "text_delta"
    text: str
    thinking: bool = False


@dataclass(frozen=True)
class Retry(_Event):
    """A failed call will be made again after `wait_s` seconds."""

    type: ClassVar[str] = "retry"
    kind: str
    attempt: int
    wait_s: float
    message: str = ""


@dataclass(frozen=True)
class ModelResponded(_Event):
    """A whole answer arrived. `tool_calls` are {call, tool, arguments} objects; cost in USD as text, '' = unknown."""

    type: ClassVar[str] = "model_response"
    text: str
    tool_calls: Sequence[Mapping[str, Any]]
    stop_reason: str
    usage: Usage
    cost_usd: str
    duration_s: float


@dataclass(frozen=True)
class ToolStarted(_Event):
    """A tool begins."""

    type: ClassVar[str] = "tool_started"
    call: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class ToolProgress(_Event):
    """A tool says how far it is."""

    type: ClassVar[str] = "tool_progress"
    call: str
    text: str


@dataclass(frozen=True)
class ToolFinished(_Event):
    """A result is on record: its id, status, size in characters and estimated tokens, seconds, sources."""

    type: ClassVar[str] = "tool_finished"
    call: str
    result: int
    status: str
    chars: int
    tokens: int
    duration_s: float
    sources: Sequence[Mapping[str, Any]]
    tool: str = ""


@dataclass(frozen=True)
class StageRan(_Event):
    """A context stage changed the view or decided something. `report` has one shape per stage."""

    type: ClassVar[str] = "stage"
    name: str
    tokens_before: int
    tokens_after: int
    report: Mapping[str, Any]


@dataclass(frozen=True)
class ContextUsed(_Event):
    """How full the window is, for meters: used, threshold and window in tokens."""

    type: ClassVar[str] = "context"
    used: int
    threshold: int
    window: int


@dataclass(frozen=True)
class Queue(_Event):
    """What the user typed while the run goes on: `queued`, `taken_back` or `drained`."""

    type: ClassVar[str] = "queue"
    action: str
    line: str


@dataclass(frozen=True)
class Approval(_Event):
    """A call that needed approval, and what was decided: `once session always deny granted unasked`."""

    type: ClassVar[str] = "approval"
    call: str
    decision: str
    tool: str = ""
    target: str = ""
    reason: str = ""


@dataclass(frozen=True)
class Subagent(_Event):
    """A sub-agent's run and state."""

    type: ClassVar[str] = "subagent"
    run: str
    status: str


@dataclass(frozen=True)
class ErrorRaised(_Event):
    """What went wrong and how to mend it."""

    type: ClassVar[str] = "error"
    kind: str
    message: str
    remedy: str


@dataclass(frozen=True)
class Answered(_Event):
    """The answer. `figures` and `sources` are JSON objects."""

    type: ClassVar[str] = "answer"
    text: str
    complete: bool
    figures: Sequence[Mapping[str, Any]]
    sources: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class RunFinished(_Event):
    """The run ended; cost in USD as text, '' = unknown."""

    type: ClassVar[str] = "run_finished"
    status: str
    exit_status: int
    usage: Usage
    cost_usd: str


Event: TypeAlias = (
    RunStarted
    | Notice
    | ModelCall
    | TextDelta
    | Retry
    | ModelResponded
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | StageRan
    | ContextUsed
    | Queue
    | Approval
    | Subagent
    | ErrorRaised
    | Answered
    | RunFinished
)


@dataclass(frozen=True)
class Emitted:
    """An event with its envelope: sequence number in the run, ISO time in UTC, run id, turn."""

    seq: int
    ts: str
    run: str
    turn: int
    event: Event

    def to_json(self) -> dict[str, Any]:
        """The wire form."""
        head = {"v": VERSION, "seq": self.seq, "ts": self.ts, "run": self.run, "turn": self.turn}
        return {**head, "type": self.event.type, **self.event.to_json()}


class Sink(Protocol):
    """Consumes events, in order, on the loop's thread. Must not block for long and must not raise."""

    def __call__(self, emitted: Emitted, /) -> None:
        """Take one event."""
        ...


class Emitter:
    """Numbers events and hands them to every sink. `clock` gives ISO times in UTC."""

    def __init__(self, run: str, sinks: Sequence[Sink], clock: Callable[[], str]) -> None:
        self.run = run
        self.turn = 0
        self._sinks = tuple(sinks)
        self._clock = clock
        self._seq = 0

    def emit(self, event: Event) -> None:
        """Send one event to every sink."""
        self._seq += 1
        emitted = Emitted(self._seq, self._clock(), self.run, self.turn, event)
        for sink in self._sinks:
            sink(emitted)
