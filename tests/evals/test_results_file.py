from __future__ import annotations

from pathlib import Path

import pytest

from dexter.errors import ScratchpadError, UsageError
from dexter.evals.results_file import ResultsWriter, is_results_file, read_results
from dexter.scratchpad.file import RealFiles

HEADING = {"type": "batch", "model": "a", "policy": "dexter"}
NOW = "2026-11-30T12:00:00.000Z"


def open_file(path: Path, **heading: str) -> ResultsWriter:
    writer, _ = ResultsWriter.open(path, {**HEADING, **heading}, port=RealFiles(), clock=lambda: NOW)
    return writer


def test_what_was_added_is_read_again(tmp_path: Path):
    """The heading and a line a key; of two lines of one key the later one stands."""
    path = tmp_path / "r.jsonl"
    with open_file(path) as writer:
        writer.add("x", {"status": "failed"})
        writer.add("y", {"status": "answered"})
    with open_file(path) as writer:
        writer.add("x", {"status": "answered"})
    found = read_results(path)
    assert found is not None
    assert {key: line["status"] for key, line in found.lines.items()} == {"x": "answered", "y": "answered"}
    assert (found.kind, found.heading["model"], is_results_file(path)) == ("batch", "a", True)


def test_a_line_cut_off_anywhere_costs_only_itself(tmp_path: Path):
    """However much of the last line got to the disk, the file is gone on with and the earlier results stand."""
    path = tmp_path / "r.jsonl"
    with open_file(path) as writer:
        writer.add("x", {"n": 1})
        whole = path.read_bytes()
        writer.add("y", {"n": 2})
    last = path.read_bytes()[len(whole) :]
    for cut in range(len(last)):
        path.write_bytes(whole + last[:cut])
        with open_file(path) as writer:
            writer.add("z", {"n": 3})
        found = read_results(path)
        assert found is not None
        assert sorted(found.lines) in (["x", "z"], ["x", "y", "z"])


@pytest.mark.parametrize("cut", [0, 1, 20])
def test_a_heading_that_was_cut_off_is_written_again(tmp_path: Path, cut: int):
    """Killed in the very first write."""
    path = tmp_path / "r.jsonl"
    open_file(path).close()
    path.write_bytes(path.read_bytes()[:cut])
    with open_file(path) as writer:
        writer.add("x", {})
    assert read_results(path) is not None


def test_another_model_or_another_set_does_not_go_on_with_it(tmp_path: Path):
    """The error names what differs and how to keep both."""
    path = tmp_path / "r.jsonl"
    open_file(path).close()
    with pytest.raises(UsageError, match="its model is 'a', not 'b'") as error:
        open_file(path, model="b")
    assert "--results" in error.value.remedy


def test_a_file_of_something_else_is_left_alone(tmp_path: Path):
    """Nothing is appended to what is no results file."""
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n")
    with pytest.raises(UsageError, match="no results file"):
        open_file(path)
    assert path.read_text() == "my notes\n"
    assert not is_results_file(path)


def test_two_processes_do_not_work_on_one_file(tmp_path: Path):
    """The second is told that another one works on it."""
    path = tmp_path / "r.jsonl"
    with open_file(path), pytest.raises(ScratchpadError, match="another process"):
        open_file(path)
