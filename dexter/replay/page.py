"""A run as a page: the same events that are printed, gathered for HTML."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dexter.errors import ScratchpadError
from dexter.replay.events import run_events
from dexter.replay.timeline import Result, Timeline
from dexter.replay.whole import whole_text
from dexter.ui.page.render import render_page
from dexter.ui.page.sink import PageSink


def run_page(timeline: Timeline) -> str:
    """One self-contained HTML page of a run. Large results are previews; what was written to a file says where."""
    sink = PageSink()
    for emitted in run_events(timeline):
        sink(emitted)
    return render_page(replace(sink.content, state=timeline.status), beginnings(timeline))


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
