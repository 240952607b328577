from __future__ import annotations

from pathlib import Path

import pytest

from dexter.errors import ScratchpadError, UsageError
from dexter.evals.grade import Check, Grade
from dexter.evals.result_lines import usable
from dexter.evals.results_file import Results, ResultsWriter, is_results_file, read_results
from dexter.evals.tasks import Outcome
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
    with pytest.raises(UsageError, match="its model is 'a', now 'b'") as error:
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


def test_a_damaged_heading_is_not_mistaken_for_another_file(tmp_path: Path):
    """Results follow it, so it is said what is damaged; nothing is written."""
    path = tmp_path / "r.jsonl"
    with open_file(path) as writer:
        writer.add("x", {})
    path.write_bytes(damaged := b"\0\0\0\0" + path.read_bytes()[4:])
    with pytest.raises(UsageError, match=r"first line of .* is damaged; results behind it: 1"):
        open_file(path)
    assert path.read_bytes() == damaged


def test_a_folder_is_no_results_file(tmp_path: Path):
    """It is called a folder."""
    with pytest.raises(UsageError, match="is a folder"):
        open_file(tmp_path)


@pytest.mark.parametrize(
    ("heading", "says"),
    [
        ({"type": "evaluation"}, "holds the results of a batch"),
        ({"sha256": "new"}, "The questions have changed"),
        ({"model": ""}, "its model is"),
    ],
)
def test_what_differs_is_said_in_words(tmp_path: Path, heading: dict[str, str], says: str):
    """Another kind of work, a set that was edited, something that was set and is not."""
    path = tmp_path / "r.jsonl"
    open_file(path, sha256="old").close()
    with pytest.raises(UsageError, match=says):
        open_file(path, **{"sha256": "old", **heading})


WHOLE = {**Outcome("answered", "It is x.").to_json(), "key": "k", "type": "result"}
GRADED = {**WHOLE, **Grade.all_of([Check("x", met=True)]).to_json(), "id": "k", "question": "?"}
GRADED |= {"question_type": "", "cited": None}


@pytest.mark.parametrize("name", sorted(GRADED.keys() - {"key", "type", "judge_usage"}))
def test_a_line_that_lacks_what_a_result_says_is_damaged(name: str):
    """Every field that a report reads: without it, or with something else in it, the question is as if not asked."""
    heading = {"type": "evaluation"}
    assert usable(Results(Path("r"), heading, {"k": GRADED})).lines == {"k": GRADED}
    without = {key: value for key, value in GRADED.items() if key != name}
    found = usable(Results(Path("r"), heading, {"k": without, "l": GRADED}))
    assert (list(found.lines), found.damaged) == (["l"], 1)
    if name != "cited":
        strange = {**GRADED, name: [3.5j]}
        assert usable(Results(Path("r"), heading, {"k": strange})).damaged == 1


def test_the_results_of_a_batch_need_no_score():
    """They are no evaluation."""
    assert usable(Results(Path("r"), {"type": "batch"}, {"k": WHOLE})).lines == {"k": WHOLE}
