"""A run as a page: the same events that are printed, gathered for HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from dexter.errors import ScratchpadError
from dexter.replay.entries import Result, Subagent
from dexter.replay.events import run_events
from dexter.replay.read import read_timeline
from dexter.replay.timeline import Timeline
from dexter.replay.whole import whole_text
from dexter.scratchpad.naming import RunPaths
from dexter.ui.page.content import PageContent
from dexter.ui.page.render import render_page
from dexter.ui.page.sink import PageSink
from dexter.ui.page.timeline import Record


def run_page(timeline: Timeline) -> str:
    """One self-contained HTML page of a run, its sub-agents' runs folded into it.

    Large results are previews; what was written to a file says where.
    """
    return render_page(_content(timeline), Record(beginnings(timeline), _subagents(timeline)))


def conversation_page(timelines: Sequence[Timeline]) -> str:
    """The same of a conversation: every question with its answer, the oldest first."""
    *earlier, newest = [(_content(one), Record(beginnings(one), _subagents(one))) for one in timelines]
    return render_page(*newest, earlier)


def _content(timeline: Timeline) -> PageContent:
    sink = PageSink()
    for emitted in run_events(timeline):
        sink(emitted)
    return replace(sink.content, state=timeline.status)


def _subagents(timeline: Timeline) -> Mapping[str, tuple[PageContent, Record]]:
    """Those whose record is there. They have none of their own."""
    found = {}
    folder = RunPaths.of(timeline.path).subagents
    for name in dict.fromkeys(entry.run for entry in timeline.of(Subagent)):
        path = RunPaths(folder, name).scratchpad
        with suppress(ScratchpadError, OSError):
            if path.parent != folder or not path.is_file():  # a name is no path, whatever the file says
                continue
            part = read_timeline(path)
            found[name] = _content(part), Record(beginnings(part))
    return found


def beginnings(timeline: Timeline) -> Callable[[int, int], str]:
    """How the results of a run begin, by id and the number of characters that are wanted."""
    by_id = {result.id: result for result in timeline.of(Result)}

    def text(number: int, most: int) -> str:
        result = by_id.get(number)
        if result is None:
            return ""
        excerpt = result.text
        if not excerpt.is_cut or len(excerpt.text) >= most:
            return excerpt.text[:most]
        try:
            return whole_text(timeline.path, result)[:most]
        except ScratchpadError as error:
            return f"({error.message})"

    return text
