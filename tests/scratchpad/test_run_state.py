from __future__ import annotations

import json
from decimal import Decimal

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dexter.messages import ToolMessage
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.rebuild import SentView, sent_views
from dexter.scratchpad.run_state import read_state
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.usage import Usage
from tests.support.conversations import QUESTION, RecordedRun, new_scratchpad, play, ticking_clock
from tests.support.shared import shared


@given(st.data())
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_the_file_says_where_the_run_stands(tmp_path_factory, data):
    """Question, view, turn, calls, ids, tokens and cost are those of the process that wrote it."""
    run = data.draw(play(RecordedRun(new_scratchpad(tmp_path_factory.mktemp("run")))))
    state = read_state(run.scratchpad.paths.scratchpad)
    assert (state.question, state.messages, state.turn) == (QUESTION, run.view, run.turn)
    assert (state.ids.message, state.ids.call, state.ids.result) == (run.ids.message, run.ids.call, run.ids.result)
    assert (state.usage, state.cost_usd) == (Usage(10 * run.turn, output=2 * run.turn), Decimal("0.01") * run.turn)
    assert (state.bad, state.unplaced, state.open_calls) == ([], (), ())
    assert {number for number, _ in state.results} == set(run.texts)
    assert len(state.calls) == run.ids.call


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_a_run_cut_off_at_any_byte_goes_on(tmp_path_factory, data):
    """Every result whose line is whole is there, in the view or waiting; what is written next is read; views agree."""
    run = data.draw(play(RecordedRun(new_scratchpad(tmp_path_factory.mktemp("run")))))
    run.end()
    path = run.scratchpad.paths.scratchpad
    whole = path.read_bytes()
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    path.write_bytes(cut)
    state = read_state(path)
    placed = [m.result for m in (*state.messages, *state.unplaced) if isinstance(m, ToolMessage)]
    assert len(placed) == len(set(placed))
    assert len(state.bad) <= 1
    with RunLock.acquire(run.scratchpad.paths.lock) as lock:
        opened = Scratchpad.reopen(state, lock, clock=ticking_clock(), port=RealFiles())
        opened.record.resume(turn=state.turn)
        for message in state.unplaced:
            opened.record.message(message)
        for number, _ in state.results:
            assert opened.results.read(number).text == run.texts[number]
    assert path.read_bytes().startswith(cut)
    after = read_state(path)
    assert after.messages == (*state.messages, *state.unplaced)
    assert after.unplaced == ()
    assert len(after.bad) == len(state.bad)
    assert all(view.agrees for view in sent_views(path) if isinstance(view, SentView))


def test_calls_without_a_result_and_results_outside_the_view_are_told_apart(tmp_path):
    """Killed while three tools ran: one result is in the view, one only on record, one call is open."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    first, second, third = run.ask_model("x", 3)
    run.enter(run.finish(first, "in the view"))
    run.finish(third, "on record")
    state = read_state(run.scratchpad.paths.scratchpad)
    assert [message.text for message in state.unplaced] == ["on record"]
    assert state.open_calls == (second,)


def test_a_result_whose_message_line_was_lost_does_not_wait_for_ever(tmp_path):
    """Damage in an early round must not put its result behind a later one's calls."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    (call,) = run.ask_model("x", 1)
    run.finish(call, "its message line is lost")
    (later,) = run.ask_model("y", 1)
    state = read_state(run.scratchpad.paths.scratchpad)
    assert (state.unplaced, state.open_calls) == ((), (later,))


def test_waiting_results_come_in_the_order_of_their_calls(tmp_path):
    """However they finished, they enter the view as the model asked."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    first, second = run.ask_model("x", 2)
    run.finish(second, "second")
    run.finish(first, "first")
    assert [m.text for m in read_state(run.scratchpad.paths.scratchpad).unplaced] == ["first", "second"]


def test_the_last_end_counts_unless_the_run_was_taken_up_again(tmp_path):
    """One `end` line per attempt; after a `resume` the run is open until the next."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.ask_model("x", 0)
    record = run.scratchpad.record
    path = run.scratchpad.paths.scratchpad
    record.end(status="interrupted", exit_status=130, usage=Usage(7), cost_usd="")
    first = read_state(path)
    assert first.end is not None
    assert (first.end["status"], first.end["turns"]) == ("interrupted", 1)
    assert (first.usage, first.cost_usd) == (Usage(7), None)
    record.resume(turn=1)
    assert read_state(path).end is None
    run.end()
    last = read_state(path)
    assert last.end is not None
    assert last.end["status"] == "answered"


def test_reports_come_back_in_order(tmp_path):
    """The pipeline's state is folded from them."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.edit(run.view, stage="microcompact", report={"cleared": [1]})
    run.edit(run.view, stage="compact", report={"success": False})
    state = read_state(run.scratchpad.paths.scratchpad)
    assert [(r.stage, r.report) for r in state.reports] == [
        ("microcompact", {"cleared": [1]}),
        ("compact", {"success": False}),
    ]


def test_a_line_without_what_its_type_promises_is_counted_and_costs_no_other(tmp_path):
    """Good JSON with wrong fields is damage like any other."""
    lines = [
        {"type": "init", "content": "q"},
        {"type": "model_turn", "turn": 1},
        {"type": "model_turn", "turn": 2, "message": {"id": 5}},
        {"type": "message", "id": "m1"},
        {"type": "view_edit", "stage": "x", "ops": 3},
        {"type": "end", "status": "failed", "usage": {"output": "many"}},
        {"type": "run", "system": "s", "tools": [{}]},
        {"type": "tool_result", "toolName": "t", "args": {}, "result": "r", "message": "m2"},
        {"type": "answer", "text": "a"},
    ]
    path = tmp_path / "r.jsonl"
    path.write_text("".join(json.dumps({"timestamp": "t", **line}) + "\n" for line in lines))
    state = read_state(path)
    assert [bad.reason for bad in state.bad] == ["wrong fields"] * 7
    assert state.answer is not None
    assert state.question == "q"


def test_a_scratchpad_of_the_original_has_a_question_and_results():
    """Nothing more, and nothing bad."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    state = read_state(path)
    assert state.question == "Compare NVDA and AMD revenue in fiscal 2025 and 2026"
    assert [number for number, _ in state.results] == [1, 2, 3, 4, 5, 6]
    assert (state.bad, state.messages, state.header) == ([], (), {})
