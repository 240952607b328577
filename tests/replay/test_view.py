"""The exact messages of a model call, rebuilt from the file and proved by their hash."""

from __future__ import annotations

import io
import json

import pytest

from dexter.context.policies import POLICIES
from dexter.errors import UsageError
from dexter.messages import UserMessage
from dexter.replay.paper import PlainPaper
from dexter.replay.view import print_view, rebuild_view
from tests.support.recorded import record_run
from tests.support.shared import shared


@pytest.mark.parametrize("policy", sorted(POLICIES))
def test_every_view_is_rebuilt_and_proved(tmp_path, policy):
    """Under every policy, with queued lines and retries, what is rebuilt is what the model was asked with."""
    bench = record_run(tmp_path, policy)
    requests = bench.run.ports.model.requests
    sent = {}
    turn = 0
    for request in requests:  # the call after a failure is the same turn's
        turn += 0 if turn and request.messages == sent.get(turn) else 1
        sent[turn] = request.messages
    for number, messages in sent.items():
        view = rebuild_view(bench.path, number)
        assert view.is_proved
        assert [m.content_json() for m in view.messages] == [m.content_json() for m in messages]
    last = rebuild_view(bench.path, max(sent))
    assert any(isinstance(m, UserMessage) and m.origin == "queued" for m in last.messages)


def test_a_view_is_printed_with_its_proof(tmp_path):
    """Every message with its id, and the hash."""
    view = rebuild_view(record_run(tmp_path).path, 2)
    stream = io.StringIO()
    print_view(view, PlainPaper(stream, 100))
    text = stream.getvalue()
    assert f"✓ view_hash {view.recorded_hash}: proved" in text
    assert "You are a test." in text
    assert "m1 · user · question" in text
    assert "#1 fetch · c1 · ok" in text
    assert text.count("NVDA revenue of 1-0 is 26045 million; ") > 1
    told = json.loads(json.dumps(view.to_json()))
    assert told["proved"] is True
    assert [message["id"] for message in told["messages"]] == [message.id for message in view.messages]


def test_a_view_that_cannot_be_proved_is_said_to_be_none(tmp_path):
    """A flipped letter in a message, or a lost line, is not passed off as what was sent."""
    path = record_run(tmp_path, "none").path
    data = path.read_bytes()
    path.write_bytes(data.replace(b"NVDA revenue of 1-0 is 26045", b"NVDA revenue of 1-0 is 26945", 1))
    assert not rebuild_view(path, 2).is_proved
    lines = data.split(b"\n")
    at = next(i for i, line in enumerate(lines) if b'"tool_result"' in line)
    path.write_bytes(b"\n".join([*lines[:at], b"\0\0\0", *lines[at + 1 :]]))
    view = rebuild_view(path, 2)
    assert (view.is_proved, view.damaged) == (False, 2)  # the result, and the line that brought it into the view
    stream = io.StringIO()
    print_view(view, PlainPaper(stream, 100))
    assert "this is not exactly what was sent. 2 lines before it could not be used." in stream.getvalue()
    assert rebuild_view(path, 1).is_proved


def test_a_turn_without_a_call_is_told(tmp_path):
    """With the turns there are."""
    path = record_run(tmp_path, turns=2).path
    with pytest.raises(UsageError, match="no model call in turn 9") as caught:
        rebuild_view(path, 9)
    assert "turns 1 to 3" in caught.value.remedy


def test_the_original_has_no_views():
    """Its files record results only, and that is said."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    with pytest.raises(UsageError, match="no view to rebuild"):
        rebuild_view(path, 1)
