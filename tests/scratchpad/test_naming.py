from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from itertools import islice

from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.naming import RunPaths, create_run, run_names

MOMENT = datetime(2026, 11, 30, 17, 9, 45, tzinfo=UTC)
QUESTION = "Compare NVDA and AMD revenue in fiscal 2025 and 2026"


def test_a_run_is_named_as_the_original_names_it():
    """UTC to the second and twelve digits of the question's md5: the name the original tool gave this question."""
    assert next(run_names(QUESTION, MOMENT)) == "2026-11-30-170945_903448abce74"
    tokyo = MOMENT.astimezone(timezone(timedelta(hours=9)))
    assert next(run_names(QUESTION, tokyo)) == "2026-11-30-170945_903448abce74"


def test_a_question_that_is_not_unicode_still_has_a_name():
    """Bytes of the command line that were no text do not stop the run."""
    assert len(next(run_names("NVDA \udcff", MOMENT))) == 30


def test_two_runs_of_the_same_question_in_the_same_second_do_not_share_a_file(tmp_path):
    """The second gets `-2`, the third `-3`."""
    runs = [create_run(tmp_path, QUESTION, MOMENT, RealFiles())[0] for _ in range(3)]
    assert [paths.run for paths in runs] == list(islice(run_names(QUESTION, MOMENT), 3))
    assert [paths.run[-3:] for paths in runs] == ["e74", "4-2", "4-3"]


def test_everything_of_a_run_lies_beside_its_scratchpad(tmp_path):
    """Results, transcripts and lock carry the run's name."""
    paths = RunPaths.of(tmp_path / "r.jsonl")
    assert paths.scratchpad == tmp_path / "r.jsonl"
    assert (paths.results, paths.transcripts) == (tmp_path / "r" / "results", tmp_path / "r" / "transcripts")
    assert paths.lock == tmp_path / "r.lock"
