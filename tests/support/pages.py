"""Pages of made-up runs: an ordinary one, and one in which every text is hostile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dexter.events import (
    Answered,
    ErrorRaised,
    Event,
    ModelResponded,
    Notice,
    RunFinished,
    StageRan,
    ToolFinished,
    ToolStarted,
)
from dexter.ui.page.content import PageContent
from dexter.ui.page.sink import PageSink
from dexter.usage import Usage
from tests.support.events import ANSWER, FIGURES, REPORTS, STARTED, emitted, stage, whole_run

HOSTILE = (
    "</pre></script></style><script>window.pwned=1;alert(1)</script><img src=x onerror=alert(1)>"
    "<iframe src='https://evil.example/'></iframe><svg onload=alert(1)>&#x202e;\u202e\x1b]0;title\x07"
    '"><base href="https://evil.example/">[link](javascript:alert(1)) ![x](https://evil.example/x.png)'
    "<a href='data:text/html,<script>alert(1)</script>'>a</a> {{ 7 * 7 }} {% raw %} --> ]]>"
)


def page_of(events: Iterable[tuple[int, Event]]) -> PageContent:
    """The content of a run's events, each with its turn."""
    sink = PageSink()
    for seq, (turn, event) in enumerate(events, 1):
        sink(replace(emitted(event, seq), turn=turn))
    return sink.content


def a_page() -> PageContent:
    """Two turns and an answer in which one figure was found, the other not."""
    turn, events = 1, []
    for event in whole_run():
        if isinstance(event, ToolFinished) and event.call == "c1":
            events.append((turn, event))
            turn = 2
            continue
        events.append((turn, event))
    events += [(3, ToolStarted("c9", "read_filings", {"ticker": "AMD"}))]
    events += [(3, ToolFinished("c9", 3, "error", 40, 10, 0.1, (), "read_filings"))]
    figures = ({**FIGURES[0], "result": 1}, FIGURES[1])
    return page_of(
        (turn, replace(event, figures=figures) if isinstance(event, Answered) else event) for turn, event in events
    )


def hostile_page() -> PageContent:
    """Every text of a run that a tool, a model or a user can write is hostile."""
    source = {"kind": "web", "title": HOSTILE, "url": f"javascript:alert(1)//{HOSTILE}", "accession": HOSTILE}
    linked = {**source, "url": f'https://evil.example/"onmouseover="alert(1)" {HOSTILE}'}
    figure = {"start": 0, "end": 7, "text": HOSTILE, "status": "found", "company": HOSTILE, "how": HOSTILE}
    wrong = {"start": 9, "end": 12, "text": HOSTILE, "status": "not_found", "nearest": {"text": HOSTILE}}
    events: list[Event] = [
        replace(STARTED, question=HOSTILE, model=HOSTILE, policy=HOSTILE),
        ToolStarted("c1", HOSTILE, {HOSTILE: HOSTILE}),
        ToolFinished("c1", 1, HOSTILE, 10, 10, 0.1, (source, linked), HOSTILE),
        ModelResponded(HOSTILE, ({"call": "c1"},), HOSTILE, Usage(), "", 0.1),
        Notice(HOSTILE, HOSTILE),
        StageRan(HOSTILE, 9, 5, {"name": HOSTILE}),
        *map(stage, REPORTS),
        ErrorRaised(HOSTILE, HOSTILE, HOSTILE),
        Answered(f"130,497 {HOSTILE}\n\n<p onclick=alert(1)>\n\n{ANSWER}", False, (figure, wrong), (source, linked)),
        RunFinished(HOSTILE, 1, Usage(), ""),
    ]
    return page_of((1, event) for event in events)
