"""Every event as what is told of it. Pure: the same event, the same words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from dexter.events import (
    Answered,
    Approval,
    ContextUsed,
    ErrorRaised,
    Event,
    ModelCall,
    ModelResponded,
    Notice,
    Queue,
    Retry,
    RunFinished,
    RunStarted,
    StageRan,
    Subagent,
    ToolProgress,
    ToolStarted,
)
from dexter.ui.cards import Card, Line, Told, Tone
from dexter.ui.literal import literal, literal_line
from dexter.ui.meter import meter_text, meter_tone
from dexter.ui.stages import stage_card
from dexter.ui.tools import source_name, started_text
from dexter.ui.words import counted, money, seconds, short

# Notices that only say what holds.
_NO_WARNINGS = ("rules",)
_OVERFLOW = "context_overflow"
_SOURCES_SHOWN = 3
_QUEUE_WORDS = {"queued": "queued for the next turn", "taken_back": "taken back", "drained": "handed to the model"}
_REFUSALS = ("deny", "unasked")
_DECISIONS = {
    "once": "approved",
    "session": "approved for this session",
    "always": "approved for always",
    "granted": "approved before",
    "deny": "denied",
    "unasked": "refused",
}
ENDINGS = {
    "answered": "answered",
    "incomplete": "ended without a complete answer",
    "failed": "failed",
    "interrupted": "interrupted",
    "terminated": "terminated",
    "hung_up": "hung up",
}


def tell(event: Event) -> Told | None:
    """What is told of an event; None for those shown in other ways (streamed text, the calls themselves)."""
    teller = _TELLERS.get(type(event))
    return teller(event) if teller else None


def tell_more(event: Event) -> Line | None:
    """What is told besides when everything is wanted: each request and response with its sizes."""
    if isinstance(event, ModelCall):
        return Line(f"request: view {event.view_hash[:12]}, about {event.tokens_estimated:,} tokens", "quiet", "»")
    if isinstance(event, ModelResponded):
        sizes = f"{short(event.usage.input)} in, {short(event.usage.output)} out, {money(event.cost_usd)}"
        calls = f", {counted(len(event.tool_calls), 'call')}" if event.tool_calls else ""
        text = f"response: {literal_line(event.stop_reason)}{calls}, {sizes}, {seconds(event.duration_s)}"
        return Line(text, "quiet", "«")
    return None


def _run_started(event: RunStarted) -> Told:
    fast = event.fast_model if event.fast_model != event.model else None
    model = literal_line(event.model) + (f" (fast: {literal_line(fast)})" if fast else "")
    sizes = f"window {short(event.window)}, compaction over {short(event.threshold)} tokens"
    run = (f"run {literal_line(PurePath(event.path).stem)}",) if event.path else ()
    told = " · ".join((*run, f"model {model}", f"policy {literal_line(event.policy)}", sizes))
    return Line(f"{told}\n{literal(event.reason)}" if event.reason else told, "quiet")


def _notice(event: Notice) -> Told:
    if event.kind in _NO_WARNINGS:
        return Line(literal(event.text), "quiet")
    return Line(literal(event.text), "warn", "!")


def _retry(event: Retry) -> Told:
    message = (literal_line(event.message),) if event.message else ()
    if event.kind == _OVERFLOW:
        return Card("overflow retry", (*message, f"the view was cut down; attempt {event.attempt}"), "warn")
    wait = f" in {seconds(event.wait_s)}" if event.wait_s else ""
    kind = literal_line(event.kind).replace("_", " ")
    return Line(" · ".join((f"{kind}: trying again{wait} (attempt {event.attempt})", *message)), "warn", "↻")


def _tool_started(event: ToolStarted) -> Told:
    return Line(started_text(event), "quiet", "→")


def _tool_progress(event: ToolProgress) -> Told:
    return Line(literal_line(event.text), "quiet", " ")


def _context(event: ContextUsed) -> Told:
    return Line(f"context: {meter_text(event)}", meter_tone(event) if event.used > event.threshold else "quiet")


def _queue(event: Queue) -> Told:
    return Card("queue", (f"{_QUEUE_WORDS.get(event.action, literal_line(event.action))}: {literal_line(event.line)}",))


def _approval(event: Approval) -> Told:
    what = " ".join(literal_line(part) for part in (event.tool, event.target) if part) or literal_line(event.call)
    decision = _DECISIONS.get(event.decision, literal_line(event.decision))
    reason = f": {literal_line(event.reason)}" if event.reason else ""
    return Line(f"{what}: {decision}{reason}", "warn" if event.decision in _REFUSALS else "info", "?")


def _subagent(event: Subagent) -> Told:
    return Line(f"sub-agent {literal_line(event.run)}: {literal_line(event.status)}", "quiet", "⤷")


def _error(event: ErrorRaised) -> Told:
    return Line(literal(f"{event.message} {event.remedy}".rstrip()), "bad", "✗")


def _answered(event: Answered) -> Told | None:
    """The answer itself goes to standard output; told here is what stands beside it."""
    from dexter.figures.check import FigureCheck  # a quarter of a second to import, needed once a run
    from dexter.ui.figures import summary_lines

    check = FigureCheck.from_json(event.figures)
    lines = [*([] if event.complete else ["This answer is not complete."]), *summary_lines(check)]
    if missing := [s for s in event.sources if not _is_named(s, event.text)]:
        lines.append(f"also used: {_others(list(dict.fromkeys(_source(source) for source in missing)))}")
    tone: Tone = "quiet" if event.complete and not check.not_found else "warn"
    return Line("\n".join(lines), tone) if lines else None


def _others(names: Sequence[str]) -> str:
    """A few by name, many by number."""
    few = len(names) <= _SOURCES_SHOWN
    return "; ".join(names) if few else f"{counted(len(names), 'more source')}, which --json lists"


def _is_named(source: Mapping[str, Any], text: str) -> bool:
    marks = [str(source.get(key) or "") for key in ("url", "accession", "title")]
    return any(mark and mark in text for mark in marks)


def _source(source: Mapping[str, Any]) -> str:
    url = literal_line(str(source.get("url") or ""))
    return f"{source_name(source)} {url}".strip() if url != source_name(source) else url


def _run_finished(event: RunFinished) -> Told:
    usage = event.usage
    cached = f" ({short(usage.cache_read)} from cache)" if usage.cache_read else ""
    tokens = f"{short(usage.input)} tokens in{cached}, {short(usage.output)} out"
    ending = ENDINGS.get(event.status, literal_line(event.status))
    return Line(" · ".join((ending, tokens, money(event.cost_usd))), "warn" if event.exit_status else "quiet")


_TELLERS: dict[type[Event], Callable[[Any], Told | None]] = {
    RunStarted: _run_started,
    Notice: _notice,
    Retry: _retry,
    ToolStarted: _tool_started,
    ToolProgress: _tool_progress,
    StageRan: stage_card,
    ContextUsed: _context,
    Queue: _queue,
    Approval: _approval,
    Subagent: _subagent,
    ErrorRaised: _error,
    Answered: _answered,
    RunFinished: _run_finished,
}
