"""What a replay prints: header, chart, timeline, answer; of a selection what was asked for."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from dexter.errors import UsageError
from dexter.events import (
    Answered,
    ModelCall,
    ModelResponded,
    Notice,
    Queue,
    Retry,
    StageRan,
    ToolFinished,
    ToolStarted,
)
from dexter.replay.chart import chart, context_points
from dexter.replay.entries import Request
from dexter.replay.events import run_events
from dexter.replay.paper import PlainPaper, RichPaper
from dexter.replay.read import read_timeline
from dexter.replay.select import Selection
from dexter.replay.show import replay_object, show
from dexter.replay.timeline import Timeline
from dexter.ui.console import make_console
from tests.support.recorded import record_run
from tests.support.runs import Bench
from tests.support.shared import shared


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return record_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def timeline(bench: Bench) -> Timeline:
    return read_timeline(bench.path)


def plain(timeline: Timeline, selection: Selection | None = None, *, width: int = 100, results: bool = False) -> str:
    stream = io.StringIO()
    show(timeline, PlainPaper(stream, width), selection or Selection(), results=results)
    return stream.getvalue()


def rich(timeline: Timeline, width: int) -> str:
    stream = io.StringIO()
    console = make_console(stream, {"TERM": "xterm-256color", "FORCE_COLOR": "1"}, width=width)
    show(timeline, RichPaper(console, hyperlinks=False), Selection())
    return stream.getvalue()


def test_a_replay_tells_the_events_of_the_run(bench, timeline):
    """Read back from the file they are those that were sent when they happened, but for what streams or moves."""
    kinds = (ModelCall, ModelResponded, ToolStarted, ToolFinished, StageRan, Retry, Answered)
    again = [emitted.event for emitted in run_events(timeline)]
    for kind in kinds:
        sent, told = bench.of(kind), [event for event in again if isinstance(event, kind)]
        assert [same_facts(event) for event in told] == [same_facts(event) for event in sent]
    notices = [event for event in bench.of(Notice) if not event.kind.endswith("_started")]
    assert [event for event in again if isinstance(event, Notice)] == notices
    drained = [event for event in bench.of(Queue) if event.action == "drained"]
    assert [event for event in again if isinstance(event, Queue)] == drained


def same_facts(event: object) -> object:
    """An event without what is an estimate or has other digits on record."""
    facts = json.loads(json.dumps(event.to_json()))
    for loose in ("tokens", "duration_s", "wait_s"):
        facts.pop(loose, None)
    return facts


def test_the_screen_has_header_chart_timeline_and_answer(timeline):
    """In this order, in plain lines for a pipe."""
    text = plain(timeline)
    places = [
        text.index(part) for part in ("compare NVDA", "policy dexter", "context, tokens", "\nturn 1", "\nanswer\n")
    ]
    assert places == sorted(places)
    assert "7 turns · 18 results" in text
    assert "\x1b" not in text
    assert "[compaction]" in text
    assert "overloaded: trying again" in text
    assert "[queue] handed to the model: and what about turn 3?" in text
    assert text.count("26,044 million**") == 1, "the answer is told once"


def test_every_call_is_one_line_with_size_source_and_duration(timeline):
    """Arguments, id, characters, seconds, source."""
    line = next(line for line in plain(timeline).splitlines() if "query=1-0" in line)
    assert line.startswith("✓ fetch query=1-0 → #1 ")
    assert "characters" in line
    assert " s · fetch" in line


@pytest.mark.parametrize("width", [60, 100, 160])
def test_no_line_is_wider_than_the_terminal(timeline, width):
    """Whatever the width, with colours."""
    from rich.cells import cell_len
    from rich.text import Text

    text = rich(timeline, width)
    assert "\x1b[" in text
    assert max(cell_len(Text.from_ansi(line).plain) for line in text.splitlines()) <= width


def chart_text(timeline: Timeline, width: int, **options: bool) -> list[str]:
    return ["".join(piece.text for piece in line).rstrip() for line in chart(timeline, width, **options)]


@pytest.mark.parametrize("width", [40, 60, 100, 160])
def test_the_chart_shows_threshold_and_events(timeline, width):
    """A bar a turn, the threshold as a line, a letter below for what happened, a legend for the letters."""
    lines = chart_text(timeline, width)
    assert max(map(len, lines)) <= width
    assert any("┄" in line for line in lines)
    assert any("C compact" in line.replace("C compact ×", "C compact ") for line in lines)
    assert [point.turn for point in context_points(timeline)] == list(range(1, 8))
    assert {"compact", "retry", "queued line"} <= {mark for point in context_points(timeline) for mark in point.marks}


def test_the_chart_in_ascii(timeline):
    """For terminals that have nothing else."""
    assert all(line.isascii() for line in chart_text(timeline, 80, ascii_only=True)[1:-1])


def test_many_turns_share_bars(tmp_path):
    """No bar is lost where there are more turns than cells."""
    path = tmp_path / "r.jsonl"
    path.write_text("".join(_many_turns(700)), encoding="utf-8")
    lines = chart_text(read_timeline(path), 60)
    assert max(map(len, lines)) <= 60
    assert any("14 turns a bar" in line for line in lines[:2])


def _many_turns(number: int) -> Iterator[str]:
    settings = {"policy": "dexter", "window": 200_000, "threshold": 100_000}
    yield _line(type="run", schema=1, settings=settings)
    for turn in range(1, number + 1):
        yield _line(type="model_call", turn=turn, view_hash="0" * 64, tokens_estimated=turn * 150)


def _line(**fields: object) -> str:
    return json.dumps({**fields, "timestamp": "2026-03-20T12:00:00.000Z"}) + "\n"


def test_one_turn(timeline):
    """Only its entries, without header and chart."""
    text = plain(timeline, Selection(turn=2))
    assert "turn 2" in text
    assert "query=2-2" in text
    assert "turn 1" not in text
    assert "context, tokens" not in text


def test_what_came_before_the_first_turn(timeline):
    """The question, which a whole replay has in its head."""
    assert plain(timeline, Selection(turn=0)) == "question: compare NVDA vs AMD\n"


def test_a_text_that_only_the_question_holds(timeline):
    """The line that holds it; no empty screen."""
    assert plain(timeline, Selection(text="COMPARE nvda")) == "question: compare NVDA vs AMD\n"


def test_a_request_is_found_by_its_hash(timeline):
    """By the hash that `--view` proves, and by nothing that is not shown."""
    (first, *_) = timeline.of(Request)
    assert f"request: view {first.view_hash[:12]}" in plain(timeline, Selection(text=first.view_hash))
    assert "Nothing in this run is like that." in plain(timeline, Selection(text=first.tool_choice))


def test_one_tool_and_a_text_in_whole_results(timeline):
    """The lines that hold the text stand below the result, also where they are far behind the excerpt."""
    text = plain(timeline, Selection(tool="fetch", text="NVDA REVENUE OF 4-1"))
    assert "query=4-1" in text
    assert text.count("→ #") == 1
    assert "    NVDA revenue of 4-1 is 26048 million" in text


def test_results_whole(timeline):
    """--results prints all of a result below its line."""
    text = plain(timeline, Selection(turn=1, tool="fetch"), results=True)
    assert text.count("NVDA revenue of 1-0 is 26045 million; ") == 120


@pytest.mark.parametrize(
    ("selection", "sentence", "remedy"),
    [(Selection(turn=99), "no turn 99", "turns 0 to 7"), (Selection(tool="x"), "no result of a tool 'x'", "fetch")],
)
def test_what_is_not_there_is_told_with_what_is(timeline, selection, sentence, remedy):
    """A sentence and the choices."""
    with pytest.raises(UsageError, match=sentence) as caught:
        plain(timeline, selection)
    assert remedy in caught.value.remedy


def test_nothing_found_is_said(timeline):
    """No empty screen."""
    assert "Nothing in this run is like that." in plain(timeline, Selection(text="no such text anywhere"))


def test_the_json_object(timeline):
    """The header's facts, the context turn by turn, the events, what was skipped."""
    told = json.loads(json.dumps(replay_object(timeline, Selection(tool="fetch"), results=True)))
    assert (told["policy"], told["turns"], told["status"], told["skipped"]) == ("dexter", 7, "answered", [])
    assert {event["type"] for event in told["events"]} == {"tool_started", "tool_finished"}
    assert len(told["results"]) == 18
    assert len(told["context"]) == 7
    assert json.loads(json.dumps(replay_object(timeline, Selection())))["events"][0]["type"] == "run_started"


def test_hostile_text_is_spelled_out(tmp_path):
    """Control sequences from a model or tool reach no terminal."""
    path = tmp_path / "r.jsonl"
    evil = "\x1b]0;owned\x07\x9b31m[bold]x"
    call = {"id": "c1", "name": evil, "arguments": {evil: evil}}
    message = {"id": "m2", "role": "assistant", "text": evil, "thinking": [], "tool_calls": [call]}
    lines = [
        _line(type="init", content=evil),
        _line(type="run", schema=1, settings={"model": evil, "policy": evil}),
        _line(type="model_turn", turn=1, message=message, stop_reason=evil, usage={}),
        _line(type="tool_result", toolName=evil, args={evil: evil}, result=evil, id=1, call="c1", status=evil),
        _line(type="view_edit", stage=evil, report={evil: evil}, ops=[]),
        _line(type="approval", call=evil, decision=evil),
        _line(type="answer", text=evil, complete=True, sources=[{"title": evil, "url": evil}]),
        _line(type="end", status=evil, exit_status=1, usage={}, error=evil),
        _line(type=evil),
    ]
    path.write_text("".join(lines), encoding="utf-8")
    text = plain(read_timeline(path), results=True)
    assert not {"\x1b", "\x07", "\x9b"} & set(text)
    shown = rich(read_timeline(path), 80)
    assert "\x1b]0;" not in shown
    assert not {"\x07", "\x9b"} & set(shown)


def test_a_file_of_the_original_is_shown():
    """With what it does not record named."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    text = plain(read_timeline(path))
    assert "Compare NVDA and AMD revenue in fiscal 2025 and 2026" in text
    assert "no model, tokens or view are on record" in text
    assert "estimated from the results" in text
    assert "✗ no_such_tool x=1 → #6 error · 36 characters\n" in text, "no duration is on record, so none is told"
    assert Path(path).name.removesuffix(".jsonl") in text
