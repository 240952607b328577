from __future__ import annotations

import errno
import io
import json

from dexter.errors import UsageError
from dexter.events import Emitted, ToolStarted
from dexter.ui.answer import AnswerSink, write_plain
from dexter.ui.guard import Guard
from dexter.ui.json_object import JsonObjectSink
from dexter.ui.jsonl import JsonLinesSink
from dexter.ui.plain import PlainSink
from tests.support.events import ANSWER, STARTED, emitted, failing_run, whole_run


def test_events_are_one_json_object_a_line():
    """Every event is one line with its envelope, in order."""
    stream = io.StringIO()
    sink = JsonLinesSink(stream)
    for number, event in enumerate(whole_run(), start=1):
        sink(emitted(event, number))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert {"v", "seq", "ts", "run", "turn", "type"} <= set(lines[0])
    assert lines[0]["question"] == STARTED.question
    assert lines[-1]["type"] == "run_finished"


def test_the_json_object_has_what_a_script_needs():
    """Answer, sources, calls, usage, cost, run, status: one stable shape."""
    sink = JsonObjectSink()
    keys = list(sink.result)
    for event in whole_run():
        sink(emitted(event))
    found = json.loads(json.dumps(sink.result))
    assert list(found) == keys
    assert found["answer"] == ANSWER
    assert (found["status"], found["exit_status"], found["turns"], found["cost_usd"]) == ("answered", 0, 2, "0.03")
    assert [call["tool"] for call in found["tool_calls"]] == ["get_market_data", "get_financials"]
    assert found["tool_calls"][1]["arguments"] == {"tickers": ["NVDA", "AMD"], "period": "annual", "limit": 2}
    assert found["usage"]["cache_read"] == 20_000
    assert found["error"] is None


def test_the_json_object_of_a_failure_has_the_error():
    """A run that failed, and one that never began, give the same shape with an error in it."""
    sink = JsonObjectSink()
    for event in failing_run():
        sink(emitted(event))
    assert sink.result["error"]["remedy"].startswith("Set another")
    assert sink.result["exit_status"] == 1
    unborn = JsonObjectSink()
    unborn.fail(UsageError("The question is empty.", remedy="Ask something."))
    assert list(unborn.result) == list(sink.result)
    assert (unborn.result["exit_status"], unborn.result["error"]["kind"]) == (2, "UsageError")


def test_plain_lines_leave_the_answer_out():
    """Progress has the text between calls and not the answer, which belongs elsewhere."""
    stream = io.StringIO()
    sink = PlainSink(stream)
    for event in whole_run():
        sink(emitted(event))
    assert "First the income statements" in stream.getvalue()
    assert "130,497" not in stream.getvalue()


def test_plain_lines_can_leave_the_last_error_to_the_edge():
    """Where the caller words the error, it is not told twice."""
    for errors, count in ((True, 1), (False, 0)):
        stream = io.StringIO()
        sink = PlainSink(stream, errors=errors)
        for event in failing_run():
            sink(emitted(event))
        assert stream.getvalue().count("The key was refused.") == count


def test_the_answer_sink_writes_the_answer_alone():
    """Standard output gets the answer's Markdown and nothing else."""
    stream = io.StringIO()
    sink = AnswerSink(write_plain(stream))
    for event in whole_run():
        sink(emitted(event))
    assert stream.getvalue() == ANSWER


def test_a_stream_that_is_gone_is_told_once():
    """After a failed write the guard tells, remembers why and drops what comes."""
    told: list[str] = []
    seen: list[int] = []

    def broken(event: Emitted) -> None:
        seen.append(event.seq)
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    guard = Guard(broken, lambda: told.append("gone"))
    guard(emitted(STARTED, 1))
    guard(emitted(STARTED, 2))
    assert (told, seen) == (["gone"], [1])
    assert isinstance(guard.failure, BrokenPipeError)


def test_verbose_lines_have_calls_in_full_and_each_request():
    """With `verbose` requests and responses are told with their sizes, and no argument is cut."""
    arguments = {"concepts": [f"Concept{n}" for n in range(9)], "text": "x" * 200}
    event = ToolStarted("c", "get_financials", arguments)
    brief, full = io.StringIO(), io.StringIO()
    for sink in (PlainSink(brief), PlainSink(full, verbose=True)):
        for other in (*whole_run(), event):
            sink(emitted(other))
    assert "Concept8" not in brief.getvalue()
    assert "Concept8" in full.getvalue()
    assert "x" * 200 in full.getvalue()
    assert "request: view h1, about 1,200 tokens" in full.getvalue()
    assert "response: tool_use, 1 call, 1.2k in, 50 out, $0.01, 1.0 s" in full.getvalue()
    assert "request:" not in brief.getvalue()
