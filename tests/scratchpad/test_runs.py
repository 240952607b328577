from __future__ import annotations

import os
import shutil
from decimal import Decimal

import pytest

from dexter.errors import UsageError
from dexter.scratchpad.runs import ancestors, find_run, last_conversation, list_runs, scratchpads, summarize
from dexter.usage import Usage
from tests.support.conversations import QUESTION, RecordedRun, new_scratchpad
from tests.support.shared import shared

NAMES = ("2026-01-01-000000_aaaaaaaaaaaa", "2026-01-02-000000_bbbbbbbbbbbb", "2026-01-02-000000_bbbbbbbbbbbb-2")


@pytest.fixture
def folder(tmp_path):
    for number, name in enumerate(NAMES):
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(b"")
        os.utime(path, (number, number))
    return tmp_path


def test_runs_are_listed_newest_first(folder):
    """By the second they were begun in; within it by their last change. Other files are no runs."""
    (folder / "notes.txt").write_text("x")
    (folder / f"{NAMES[0]}.lock").write_text("x")
    (folder / NAMES[0]).mkdir()
    assert [path.stem for path in scratchpads(folder)] == [NAMES[2], NAMES[1], NAMES[0]]


@pytest.mark.parametrize(
    ("name", "found"),
    [("last", 2), (NAMES[0], 0), (NAMES[1], 1), (f"{NAMES[1]}.jsonl", 1), ("2026-01-01", 0), (f"{NAMES[1]}-", 2)],
)
def test_a_run_is_found_by_what_a_person_calls_it(folder, name, found):
    """`last`, an id, or a beginning that only one run has; an id counts though it begins another."""
    assert find_run(folder, name).stem == NAMES[found]


def test_a_run_is_found_by_its_path(folder, tmp_path_factory):
    """Wherever it lies and whatever it is called."""
    path = tmp_path_factory.mktemp("else") / "copy.txt"
    path.write_bytes(b"")
    assert find_run(folder, str(path)) == path


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("2026-01-02", "2 runs begin with '2026-01-02': .*-2, "),
        ("2025", "no run called '2025'"),
        ("", "no run called ''"),
    ],
)
def test_a_name_that_means_no_single_run_is_told(folder, name, sentence):
    """With what was meant and what to do."""
    with pytest.raises(UsageError, match=sentence) as caught:
        find_run(folder, name)
    assert caught.value.remedy


@pytest.mark.parametrize("name", ["empty", "gone"])
def test_without_any_run_there_is_no_last_one(tmp_path, name):
    """The sentence says how to make one."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"no run in .* yet") as caught:
        find_run(tmp_path / name, "last")
    assert "dexter ask" in caught.value.remedy


def test_what_can_be_followed_up_is_the_newest_run_of_ours(folder):
    """What a crash left empty, or files that hold something else, are passed over; if no other is there, it is said."""
    (folder / f"{NAMES[2]}.jsonl").write_bytes(b'{"type":"init","content":"by another tool"}\n')
    with pytest.raises(UsageError, match="no conversation"):
        last_conversation(folder)
    ours = new_scratchpad(folder)
    RecordedRun(ours).begin()
    os.utime(ours.paths.scratchpad, (0, 0))
    for name in NAMES:
        (folder / f"2099{name[4:]}.jsonl").write_bytes(b"")
    assert last_conversation(folder) == ours.paths.scratchpad


def test_a_finished_run_is_summarised(tmp_path):
    """Question, model, turns, tokens, cost and how it ended."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.ask_model("x", 0)
    run.end()
    (summary,) = list_runs(tmp_path)
    assert (summary.run, summary.question, summary.model) == (run.scratchpad.paths.run, QUESTION, "scripted")
    assert (summary.turns, summary.usage, summary.cost_usd) == (1, Usage(10, output=2), Decimal("0.05"))
    assert (summary.status, summary.exit_status, summary.resumable) == ("answered", 0, False)
    assert summary.size == run.scratchpad.paths.scratchpad.stat().st_size


def test_of_a_finished_run_only_the_ends_are_read(tmp_path):
    """However large the middle is, also if it is damaged."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    for _ in range(3):
        run.ask_model("x" * 100_000, 0)
    run.end()
    path = run.scratchpad.paths.scratchpad
    data = path.read_bytes()
    path.write_bytes(data[:3000] + b"\0" * (len(data) - 6000) + data[-3000:])
    assert (summarize(path).status, summarize(path).turns) == ("answered", 3)


def test_a_run_in_progress_and_one_cut_off_are_told_apart(tmp_path):
    """By the lock: a killed process holds none."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.ask_model("x", 0)
    path = run.scratchpad.paths.scratchpad
    assert (summarize(path).status, summarize(path).resumable) == ("running", False)
    run.scratchpad.close()
    summary = summarize(path)
    assert (summary.status, summary.resumable, summary.turns) == ("cut off", True, 1)
    assert (summary.usage, summary.cost_usd) == (Usage(10, output=2), Decimal("0.01"))


def test_a_run_taken_up_again_and_cut_off_has_not_ended(tmp_path):
    """An `end` line before the newest `resume` says nothing of the newest attempt."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.scratchpad.record.end(status="interrupted", exit_status=130, usage=Usage(), cost_usd="")
    run.scratchpad.record.resume(turn=0)
    run.scratchpad.close()
    assert summarize(run.scratchpad.paths.scratchpad).status == "cut off"


@pytest.mark.parametrize(("status", "exit_status", "resumable"), [("interrupted", 130, True), ("incomplete", 3, True)])
def test_what_ended_without_an_answer_can_be_resumed(tmp_path, status, exit_status, resumable):
    """Interrupted, out of turns, failed: all of them."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    run.end(status, exit_status)
    summary = summarize(run.scratchpad.paths.scratchpad)
    assert (summary.status, summary.exit_status, summary.resumable) == (status, exit_status, resumable)


def test_a_run_of_the_original_is_listed_for_what_it_says(tmp_path):
    """Question and time; it cannot be resumed."""
    (source,) = shared("data/original_scratchpads").glob("*.jsonl")
    shutil.copy(source, tmp_path)
    (summary,) = list_runs(tmp_path)
    assert summary.question.startswith("Compare NVDA and AMD")
    assert summary.started == "2026-11-30T17:09:45.562Z"
    assert (summary.status, summary.turns, summary.resumable) == ("", None, False)


def test_an_empty_file_is_listed_and_breaks_nothing(folder):
    """Killed before the first line."""
    assert [summary.question for summary in list_runs(folder)] == ["", "", ""]


def test_the_earlier_runs_of_a_conversation_are_followed(tmp_path):
    """Newest first, as far as they are there; a circle ends."""
    runs = []
    for parent in (None, 0, 1):
        run = RecordedRun(new_scratchpad(tmp_path))
        run.begin(parent=None if parent is None else runs[parent].run)
        runs.append(run.scratchpad.paths)
    assert ancestors(runs[2].scratchpad) == (runs[1].scratchpad, runs[0].scratchpad)
    runs[0].scratchpad.unlink()
    assert ancestors(runs[2].scratchpad) == (runs[1].scratchpad,)
    shutil.copy(runs[2].scratchpad, runs[0].scratchpad)
    assert ancestors(runs[2].scratchpad) == (runs[1].scratchpad, runs[0].scratchpad)
