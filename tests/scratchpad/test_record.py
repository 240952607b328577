from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.errors import ScratchpadError
from dexter.messages import ToolCall, ToolMessage
from dexter.results import ToolResult
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.lines import sha256_of
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.reader import read
from dexter.scratchpad.record import RunRecord, tool_message_of, tool_result_fields
from dexter.scratchpad.run_state import read_state
from dexter.scratchpad.scratchpad import Scratchpad
from tests.support.conversations import RecordedRun, new_scratchpad, texts, ticking_clock
from tests.support.files import WatchedFiles


class NotesOnly:
    """A line appender that keeps what it is given."""

    def __init__(self):
        self.lines = []

    def append(self, kind, fields, *, sync=True):
        self.lines.append((kind, fields))


@pytest.mark.parametrize("at_most", [None, 1, 7])
def test_a_result_is_whole_on_disk_before_anyone_goes_on(tmp_path, at_most):
    """When `tool_result` returns, every byte of its line is written and a sync has come back after the last."""
    port = WatchedFiles(at_most=at_most)
    run = RecordedRun(new_scratchpad(tmp_path, port=port))
    run.begin()
    for number in range(5):
        (call,) = run.ask_model("text", 1)
        before = len(port.log)
        message = run.finish(call, f"result {number}")
        written = b"".join(data for name, data in port.log[before:] if name == "write")
        assert written.endswith(b"\n")
        assert json.loads(written)["result"] == f"result {number}"
        assert port.log[-1] == ("sync", None)
        run.enter(message)


def test_what_could_not_be_recorded_enters_nothing(tmp_path):
    """On a full disk the record refuses the result and everything after it, except that the end is tried."""
    port = WatchedFiles()
    run = RecordedRun(new_scratchpad(tmp_path, port=port))
    run.begin()
    first, second = run.ask_model("text", 2)
    kept = run.finish(first, "kept")
    port.room = 20
    with pytest.raises(ScratchpadError, match="disk is full"):
        run.finish(second, "lost")
    with pytest.raises(ScratchpadError, match="disk is full"):
        run.enter(kept)
    port.room = None
    run.end("failed", 1)
    reading = read(run.scratchpad.paths.scratchpad)
    assert [line.type for line in reading.lines][-2:] == ["tool_result", "end"]
    assert [bad.reason for bad in reading.bad] == ["not JSON"]
    assert run.scratchpad.results.read(1).text == "kept"


def test_an_end_that_cannot_be_written_raises_nothing(tmp_path):
    """The error that ended the run is the one the user sees."""
    port = WatchedFiles()
    run = RecordedRun(new_scratchpad(tmp_path, port=port))
    run.begin()
    port.room = 0
    with pytest.raises(ScratchpadError):
        run.ask_model("text", 0)
    run.end("failed", 1)


def test_the_originals_lines_keep_the_originals_keys(tmp_path):
    """A reader made for the original's files finds question, thinking, and each result with tool and arguments."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.scratchpad.record.thinking("Let me look.")
    (call,) = run.ask_model("NVDA", 1)
    run.finish(call, '{"revenue":1}')
    records = [line.record for line in read(run.scratchpad.paths.scratchpad).lines]
    assert records[0] == {"type": "init", "timestamp": records[0]["timestamp"], "content": "compare NVDA vs AMD"}
    assert {"type": "thinking", "timestamp": records[3]["timestamp"], "content": "Let me look."} == records[3]
    result = records[-1]
    assert (result["toolName"], result["args"], result["result"]) == (
        "get_financials",
        {"ticker": "NVDA"},
        {"revenue": 1},
    )
    assert result["sha256"] == sha256_of('{"revenue":1}')


def test_a_text_is_in_the_file_once(tmp_path):
    """The message line of a result names its id; the text stands in the result's own line only."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    (call,) = run.ask_model("x", 1)
    run.enter(run.finish(call, "long text " * 100))
    assert run.scratchpad.paths.scratchpad.read_bytes().count(b"long text " * 100) == 1
    last = read(run.scratchpad.paths.scratchpad).lines[-1].record
    assert last == {**last, "type": "message", "role": "tool", "result": 1}
    assert "content" not in last


def test_a_result_that_waited_for_a_resume_is_named_by_its_id_too(tmp_path):
    """Recorded before the kill, entered after it: the text is still in the file once."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    (call,) = run.ask_model("x", 1)
    run.finish(call, "long text")
    run.scratchpad.close()
    paths = run.scratchpad.paths
    with RunLock.acquire(paths.lock) as lock:
        state = read_state(paths.scratchpad)
        opened = Scratchpad.reopen(state, lock, clock=ticking_clock(), port=RealFiles())
        opened.record.message(state.unplaced[0])
    assert paths.scratchpad.read_bytes().count(b"long text") == 1


def test_a_result_of_an_earlier_run_is_written_out():
    """History of another file must be rebuilt from this one alone, so its messages carry their text."""
    notes = NotesOnly()
    message = ToolMessage("m3", 7, "c1", "t", "ok", "text of the earlier run")
    RunRecord(notes).message(message)
    assert notes.lines == [("message", message.to_json())]


def test_a_result_changed_before_it_entered_is_written_out():
    """A reference stands for exactly the recorded result and for nothing else."""
    notes = NotesOnly()
    record = RunRecord(notes)
    call = ToolCall("c1", "t", {})
    record.tool_result(call, ToolMessage("m3", 7, "c1", "t", "ok", "whole"), ToolResult("whole"), duration_s=0)
    changed = ToolMessage("m3", 7, "c1", "t", "ok", "who")
    record.message(changed)
    assert notes.lines[-1] == ("message", changed.to_json())


@given(texts, st.sampled_from([None, 3]), st.sampled_from(["ok", "error", "interrupted", "timeout"]))
def test_a_result_line_gives_the_message_back(text, recalls, status):
    """Every field of the message that enters the view comes back from the result's line."""
    call = ToolCall("c1", "t", {"a": 1})
    message = ToolMessage("m3", 7, "c1", "t", status, text, chars=len(text), recalls=recalls)
    assert tool_message_of(tool_result_fields(call, message, ToolResult(text), duration_s=0)) == message


def test_arguments_that_were_no_object_are_kept_as_the_model_sent_them():
    """The raw text stands where the object would."""
    call = ToolCall("c1", "t", None, raw='{"a":', error="cut off")
    message = ToolMessage("m3", 7, "c1", "t", "error", "Error")
    assert tool_result_fields(call, message, ToolResult("Error"), duration_s=0)["args"] == '{"a":'
