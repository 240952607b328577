"""A timeline told again: its entries as the events the run sent when they happened, for the same sinks.

What a file does not hold is not made up: no pieces of streamed text, no progress of tools. The context's size is told
once a turn, when its request has been answered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from dexter.events import (
    Answered,
    ContextUsed,
    Emitted,
    ErrorRaised,
    Event,
    ModelCall,
    ModelResponded,
    Queue,
    RunFinished,
    RunStarted,
    StageRan,
    ToolFinished,
    ToolStarted,
)
from dexter.events import Approval as ApprovalEvent
from dexter.events import Notice as NoticeEvent
from dexter.events import Retry as RetryEvent
from dexter.events import Subagent as SubagentEvent
from dexter.replay.entries import (
    Answer,
    Approval,
    Call,
    Ended,
    Entry,
    Excerpt,
    Message,
    Notice,
    Queued,
    Request,
    Response,
    Result,
    Resumed,
    Retry,
    Skipped,
    Stage,
    Subagent,
    Unknown,
)
from dexter.replay.timeline import Header, Timeline
from dexter.text import estimate_tokens
from dexter.usage import Usage

HARNESS, SKIPPED, UNKNOWN = "harness", "skipped", "unknown"
"""Kinds of notices that only a replay has: a line to the model, a line of no use, a line of a later version."""


def run_events(timeline: Timeline) -> Iterator[Emitted]:
    """Every event of a run, in order."""
    teller = EventTeller(timeline.run, str(timeline.path))
    yield teller.begin(timeline.header)
    for entry in timeline.entries:
        yield from teller.tell(entry, timeline.header)


class EventTeller:
    """Tells entries as events, in the envelope the run would have given them; numbers them from 1."""

    def __init__(self, run: str, path: str) -> None:
        self._run = run
        self._path = path
        self._seq = 0
        self._started: set[str] = set()

    def begin(self, header: Header) -> Emitted:
        """The run's beginning."""
        return self._emitted(header.started, 0, _started(header, self._path))

    def tell(self, entry: Entry, header: Header) -> Iterator[Emitted]:
        """The events of one entry. A result whose call was not told before (the original names none) tells it first."""
        if isinstance(entry, Resumed):
            yield self._emitted(entry.at, entry.turn, _started(header, self._path, reason="Resumed."))
            return
        if isinstance(entry, Result) and entry.call.id not in self._started:
            yield self._emitted(entry.at, entry.turn, _tool_started(entry.call))
        for event in _TELLERS[type(entry)](entry, header):
            if isinstance(event, ToolStarted):
                self._started.add(event.call)
            yield self._emitted(entry.at, entry.turn, event)

    def _emitted(self, at: str, turn: int, event: Event) -> Emitted:
        self._seq += 1
        return Emitted(self._seq, at, self._run, turn, event)


def _started(header: Header, path: str, reason: str = "") -> RunStarted:
    return RunStarted(
        question=header.question,
        conversation=header.conversation,
        parent=header.parent,
        model=header.model,
        fast_model=header.fast_model or None,
        policy=header.policy,
        window=header.window,
        threshold=header.threshold,
        reason=reason,
        path=path,
    )


def _request(entry: Request, _header: Header) -> Iterable[Event]:
    yield ModelCall(entry.view_hash, entry.tokens_estimated)


def _response(entry: Response, header: Header) -> Iterable[Event]:
    calls = [{"call": call.id, "tool": call.tool, "arguments": call.arguments} for call in entry.calls]
    usage = entry.usage or Usage()
    yield ModelResponded(entry.text.text, calls, entry.stop_reason, usage, entry.cost_usd, entry.duration_s)
    if header.threshold and usage.input:
        yield ContextUsed(usage.input, header.threshold, header.window)
    yield from map(_tool_started, entry.calls)


def _tool_started(call: Call) -> ToolStarted:
    return ToolStarted(call.id, call.tool, call.arguments)


def _result(entry: Result, _header: Header) -> Iterable[Event]:
    yield ToolFinished(
        call=entry.call.id,
        result=entry.id,
        status=entry.status,
        chars=entry.text.chars,
        tokens=tokens_of(entry.text),
        duration_s=entry.duration_s or 0.0,
        sources=entry.sources,
        tool=entry.call.tool,
    )


def tokens_of(text: Excerpt) -> int:
    """Estimated tokens of the whole text, by those of its beginning."""
    return round(estimate_tokens(text.text) * text.chars / len(text.text)) if text.text else 0


def is_event(entry: Message) -> bool:
    """Whether a message is told as an event; the question and the earlier conversation are not."""
    return entry.origin in ("queued", "harness")


def _message(entry: Message, _header: Header) -> Iterable[Event]:
    if entry.origin == "queued":
        yield Queue("drained", entry.text.text)
    elif entry.origin == "harness":
        yield NoticeEvent(HARNESS, f"To the model: {entry.text.text}")


def _ended(entry: Ended, _header: Header) -> Iterable[Event]:
    if entry.status == "failed" and entry.error:
        yield ErrorRaised("", entry.error, "")
    yield RunFinished(entry.status, entry.exit_status, entry.usage, entry.cost_usd)


def _skipped(entry: Skipped, _header: Header) -> Iterable[Event]:
    yield NoticeEvent(SKIPPED, f"skipped {entry.span.length:,} bytes at byte {entry.span.offset:,}: {entry.reason}")


def _answer(entry: Answer, _header: Header) -> Iterable[Event]:
    yield Answered(entry.text, entry.complete, entry.figures, entry.sources)


def _stage(entry: Stage, _header: Header) -> Iterable[Event]:
    yield StageRan(entry.name, entry.tokens_before, entry.tokens_after, entry.report)


_TELLERS: Mapping[type, Callable[[Any, Header], Iterable[Event]]] = {
    Request: _request,
    Response: _response,
    Result: _result,
    Message: _message,
    Stage: _stage,
    Notice: lambda entry, _header: (NoticeEvent(entry.kind, entry.text),),
    Retry: lambda entry, _header: (RetryEvent(entry.kind, entry.attempt, entry.wait_s, entry.message),),
    Queued: lambda entry, _header: (Queue(entry.action, entry.line),),
    Approval: lambda entry, _header: (
        ApprovalEvent(entry.call, entry.decision, entry.tool, entry.target, entry.reason),
    ),
    Subagent: lambda entry, _header: (SubagentEvent(entry.run, entry.status),),
    Answer: _answer,
    Ended: _ended,
    Skipped: _skipped,
    Unknown: lambda entry, _header: (NoticeEvent(UNKNOWN, f"a line of a later version: {entry.type}"),),
}
