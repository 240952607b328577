from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dexter.messages import SystemMessage, ToolMessage, UserMessage
from dexter.scratchpad.rebuild import SentView, sent_views
from tests.support.conversations import RecordedRun, new_scratchpad, play
from tests.support.shared import shared


def views_of(path):
    found = list(sent_views(path))
    assert all(isinstance(view, SentView) for view in found)
    return found


@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_the_view_of_every_call_is_rebuilt_from_the_file_alone(tmp_path_factory, data):
    """Messages equal those that were sent, the recorded hash agrees, whatever the stages did."""
    run = data.draw(play(RecordedRun(new_scratchpad(tmp_path_factory.mktemp("run")))))
    run.end()
    views = views_of(run.scratchpad.paths.scratchpad)
    assert [view.messages for view in views] == run.sent
    assert all(view.agrees for view in views)
    assert [view.turn for view in views] == list(range(1, run.turn + 1))


def test_results_enter_in_the_order_of_their_calls(tmp_path):
    """Recorded as they finish, shown to the model as it asked."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    first, second = run.ask_model("x", 2)
    late, early = run.finish(second, "second call"), run.finish(first, "first call")
    run.enter(early)
    run.enter(late)
    run.ask_model("done", 0)
    results = [m.text for m in views_of(run.scratchpad.paths.scratchpad)[1].messages if isinstance(m, ToolMessage)]
    assert results == ["first call", "second call"]


def test_a_tampered_view_does_not_agree(tmp_path):
    """One changed character in the file, and the hash of every view that carries it says so."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    (call,) = run.ask_model("x", 1)
    run.enter(run.finish(call, "revenue 130,497"))
    run.ask_model("done", 0)
    path = run.scratchpad.paths.scratchpad
    path.write_bytes(path.read_bytes().replace(b"revenue 130,497", b"revenue 130,498"))
    assert [view.agrees for view in views_of(path)] == [True, False]


def test_a_lost_line_is_told_and_the_rest_is_rebuilt(tmp_path):
    """A damaged edit spoils the agreement, never the reading."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.ask_model("x", 0)
    run.edit((run.view[0], UserMessage("m90", "summary", "harness")))
    run.ask_model("y", 0)
    path = run.scratchpad.paths.scratchpad
    lines = path.read_bytes().splitlines(keepends=True)
    broken = next(n for n, line in enumerate(lines) if b'"view_edit"' in line)
    lines[broken] = b'{"type":"view_edit","timestamp":"t","ops":[{"op":"insert"}]}\n'
    path.write_bytes(b"".join(lines))
    first, bad, second = sent_views(path)
    assert isinstance(first, SentView)
    assert isinstance(second, SentView)
    assert (first.agrees, second.agrees) == (True, False)
    assert bad.reason == "wrong fields"


def test_a_system_message_line_stands_for_the_one_of_the_run_line(tmp_path):
    """However the writer records the system prompt, it is in the view once and first."""
    record = {"type": "message", "timestamp": "t", "id": "m0", "role": "system", "text": "S"}
    call = {"type": "model_call", "timestamp": "t", "turn": 1, "view_hash": ""}
    run = {"type": "run", "timestamp": "t", "system": "old", "tools": []}
    user = {"type": "message", "timestamp": "t", "id": "m1", "role": "user", "text": "q"}
    path = tmp_path / "r.jsonl"
    for lines in ([run, record, user, call], [user, record, call]):
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert views_of(path)[0].messages == (SystemMessage("m0", "S"), UserMessage("m1", "q"))


def test_the_originals_files_hold_no_views(tmp_path):
    """The original recorded results, not what it sent."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    assert views_of(path) == []
