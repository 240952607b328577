"""A whole replay: printed on paper, or as one JSON object."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from dexter.errors import ScratchpadError
from dexter.events import Emitted
from dexter.replay.chart import chart, context_points
from dexter.replay.entries import Message, Result
from dexter.replay.events import EventTeller, is_event, run_events
from dexter.replay.head import duration_s, head
from dexter.replay.paper import Paper
from dexter.replay.select import Selection, entries_by_turn, matching_lines, text_of
from dexter.replay.sink import TimelineSink
from dexter.replay.timeline import Timeline
from dexter.replay.whole import whole_text
from dexter.ui.cards import Line


def show(timeline: Timeline, paper: Paper, selection: Selection, *, results: bool = False) -> None:
    """Print header, chart, timeline and answer; of a selection only what is wanted.

    Args:
        timeline: the run.
        paper: where it is printed.
        selection: what is wanted.
        results: whether results are printed whole.

    Raises:
        UsageError: the selection names what is not there.
        OSError: nobody reads any more.
    """
    entries = selection.of(timeline)
    if selection.is_everything:
        for line in head(timeline):
            paper.told(line)
        paper.chart(chart(timeline, paper.width, ascii_only=paper.ascii_only))
    teller = EventTeller(timeline.run, str(timeline.path))
    sink = TimelineSink(paper, requests=not selection.is_everything, below=below(timeline, selection, results=results))
    for entry in entries_by_turn(entries):
        if isinstance(entry, Message) and not (selection.is_everything or is_event(entry)):
            paper.text(_said(timeline, entry, selection))
        for emitted in teller.tell(entry, timeline.header):
            sink(emitted)
    sink.close()
    if not entries:
        told = "There is nothing in this file." if selection.is_everything else "Nothing in this run is like that."
        paper.told(Line(told, "warn", "!"))


def _said(timeline: Timeline, entry: Message, selection: Selection) -> str:
    """The question, or a message of the earlier conversation, which no event tells: all of it, or what was looked for.

    A whole timeline has the question in its head.
    """
    text = text_of(timeline, entry)
    shown = matching_lines(text, selection.text) if selection.text else text
    return f"{entry.origin or entry.role}: {shown}"


def below(timeline: Timeline, selection: Selection, *, results: bool) -> Callable[[int], str]:
    """What stands below a result's line: all of it, the lines that were looked for, or nothing."""
    by_id = {result.id: result for result in timeline.of(Result)}

    def text(number: int) -> str:
        result = by_id.get(number)
        if result is None:
            return ""
        if results:
            try:
                return whole_text(timeline.path, result)
            except ScratchpadError as error:
                return f"({error.message})"
        return matching_lines(text_of(timeline, result), selection.text) if selection.text else ""

    return text


def replay_object(timeline: Timeline, selection: Selection, *, results: bool = False) -> dict[str, Any]:
    """The run as a JSON object: what the header says, the context turn by turn, the events, what was skipped.

    Raises:
        UsageError: the selection names what is not there.
    """
    header = timeline.header
    wanted = selection.of(timeline)
    return {
        "run": timeline.run,
        "path": str(timeline.path),
        "question": header.question,
        "started": header.started,
        "conversation": header.conversation,
        "parent": header.parent,
        "model": header.model,
        "fast_model": header.fast_model or None,
        "policy": header.policy,
        "window": header.window,
        "threshold": header.threshold,
        "status": timeline.status,
        "exit_status": timeline.end.exit_status if timeline.end else None,
        "turns": sum(turn.number > 0 for turn in timeline.turns),
        "duration_s": duration_s(timeline),
        "usage": timeline.usage.to_json(),
        "cost_usd": None if timeline.cost_usd is None else format(timeline.cost_usd, "f"),
        "answer": timeline.answer.text if timeline.answer else None,
        "context": [
            {"turn": point.turn, "tokens": point.tokens, "events": list(point.marks)}
            for point in context_points(timeline)
        ],
        "events": [emitted.to_json() for emitted in selected_events(timeline, selection)],
        **({"results": _results(timeline, wanted)} if results else {}),
        "skipped": [
            {"offset": entry.span.offset, "bytes": entry.span.length, "reason": entry.reason}
            for entry in timeline.skipped
        ],
    }


def selected_events(timeline: Timeline, selection: Selection) -> Iterator[Emitted]:
    """The events of what is wanted, in the file's order.

    Raises:
        UsageError: the selection names what is not there.
    """
    if selection.is_everything:
        yield from run_events(timeline)
        return
    teller = EventTeller(timeline.run, str(timeline.path))
    for entry in selection.of(timeline):
        yield from teller.tell(entry, timeline.header)


def _results(timeline: Timeline, wanted: tuple[object, ...]) -> list[dict[str, Any]]:
    """Those that are wanted, whole; of one that is damaged why its text is not there."""
    return [
        {"result": entry.id, "tool": entry.call.tool, "status": entry.status, **_whole(timeline, entry)}
        for entry in wanted
        if isinstance(entry, Result)
    ]


def _whole(timeline: Timeline, entry: Result) -> dict[str, str | None]:
    try:
        return {"text": whole_text(timeline.path, entry)}
    except ScratchpadError as error:
        return {"text": None, "damaged": error.message}
