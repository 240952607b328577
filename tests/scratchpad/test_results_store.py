from __future__ import annotations

import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.errors import ScratchpadError
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.reader import read
from dexter.scratchpad.results_store import persist_result, persist_transcript, read_result_file
from tests.support.conversations import RecordedRun, new_scratchpad
from tests.support.files import WatchedFiles


@given(st.text(st.characters(exclude_categories=())))
def test_a_persisted_result_comes_back_byte_for_byte(tmp_path_factory, text):
    """Line ends, surrogates and NUL included."""
    folder = tmp_path_factory.mktemp("run")
    assert read_result_file(persist_result(folder, 7, text, RealFiles())) == text


def test_a_file_is_named_by_its_result_and_never_overwritten(tmp_path):
    """What an interrupted run has left behind stays as it is."""
    folder = tmp_path / "run" / "results"
    paths = [persist_result(folder, 7, text, RealFiles()) for text in ("first", "second", "third")]
    assert [path.name for path in paths] == ["7.txt", "7-2.txt", "7-3.txt"]
    assert [read_result_file(path) for path in paths] == ["first", "second", "third"]
    assert stat.S_IMODE(paths[0].stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_the_path_is_given_only_when_the_file_is_whole_and_on_disk(tmp_path):
    """All writes, then the sync, then the path."""
    port = WatchedFiles(at_most=4)
    persist_result(tmp_path, 7, "0123456789", port)
    assert [name for name, _ in port.log] == ["write", "write", "write", "sync"]


@pytest.mark.parametrize("port", [WatchedFiles(room=4), WatchedFiles(room=0), WatchedFiles(broken_sync=True)])
def test_half_a_result_never_passes_for_a_whole_one(tmp_path, port):
    """A failed write is told, and leaves no file."""
    with pytest.raises(ScratchpadError) as caught:
        persist_result(tmp_path, 7, "0123456789", port)
    assert "7.txt could not be written" in caught.value.message
    assert caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    """A file lies where the folder should be."""
    (tmp_path / "run").write_text("in the way")
    with pytest.raises(ScratchpadError, match="could not be written"):
        persist_result(tmp_path / "run" / "results", 7, "text", RealFiles())


def test_transcripts_are_numbered(tmp_path):
    """Each compaction leaves one of its own."""
    paths = [persist_transcript(tmp_path, [b"{}\n", b"{}\n"], RealFiles()) for _ in range(2)]
    assert [path.name for path in paths] == ["1.jsonl", "2.jsonl"]
    assert paths[1].read_bytes() == b"{}\n{}\n"


def test_a_transcript_holds_every_message_of_the_view(tmp_path):
    """It is read like a scratchpad."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    (call,) = run.ask_model("x", 1)
    run.enter(run.finish(call, "result"))
    reading = read(run.scratchpad.results.transcript(run.view))
    assert [line.record["id"] for line in reading.lines] == [message.id for message in run.view]
    assert reading.lines[-1].record["content"] == "result"
