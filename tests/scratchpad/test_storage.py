"""A run's files as a whole: what they take, into an archive, and away."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest

from dexter.errors import ScratchpadError, UsageError
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.rebuild import SentView, sent_views
from dexter.scratchpad.results_store import persist_result
from dexter.scratchpad.runs import summarize
from dexter.scratchpad.storage import bytes_of, export_run, files_of, remove_run
from tests.support.conversations import RecordedRun, new_scratchpad


@pytest.fixture
def paths(tmp_path: Path) -> RunPaths:
    """An ended run with a large result and a sub-agent."""
    run = RecordedRun(new_scratchpad(tmp_path / "runs"))
    run.begin()
    run.ask_model("x", 0)
    run.end()
    paths = run.scratchpad.paths
    persist_result(paths.results, 1, "26,044", RealFiles())
    paths.subagents.mkdir()
    (paths.subagents / "sub.jsonl").write_text("{}\n")
    (paths.subagents / "sub.lock").write_text("1\n")
    return paths


def test_what_a_run_takes_is_what_all_its_files_take(paths):
    """The record, its results, its sub-agents; locks are nothing."""
    names = [path.name for path in files_of(paths)]
    assert names == [paths.scratchpad.name, "1.txt", "sub.jsonl"]
    assert bytes_of(paths) == paths.scratchpad.stat().st_size + 6 + 3
    assert summarize(paths.scratchpad).bytes == bytes_of(paths)


@pytest.mark.parametrize("name", ["run.zip", "run.tar.gz", "run.tgz"])
def test_an_archive_holds_all_of_it(paths, tmp_path, name):
    """Unpacked elsewhere it is the run; the archive is private to the user."""
    target = tmp_path / name
    assert export_run(paths.scratchpad, target) == 3
    assert target.stat().st_mode & 0o777 == 0o600
    elsewhere = tmp_path / "elsewhere"
    if name.endswith(".zip"):
        zipfile.ZipFile(target).extractall(elsewhere)  # noqa: S202 - made above
    else:
        with tarfile.open(target) as archive:
            archive.extractall(elsewhere, filter="data")
    again = RunPaths(elsewhere, paths.run)
    assert [path.read_bytes() for path in files_of(again)] == [path.read_bytes() for path in files_of(paths)]
    assert all(view.agrees for view in sent_views(again.scratchpad) if isinstance(view, SentView))


def test_an_archive_never_replaces_a_file(paths, tmp_path):
    """Nor is one made whose kind its name does not tell."""
    (tmp_path / "run.zip").write_text("precious")
    with pytest.raises(UsageError, match="there already"):
        export_run(paths.scratchpad, tmp_path / "run.zip")
    assert (tmp_path / "run.zip").read_text() == "precious"
    with pytest.raises(UsageError, match="no archive's name"):
        export_run(paths.scratchpad, tmp_path / "run.rar")
    with pytest.raises(ScratchpadError, match="not there"):
        export_run(paths.scratchpad, tmp_path / "no folder" / "run.zip")


def test_a_removed_run_leaves_nothing_and_takes_nothing_with_it(paths):
    """Other runs, and files that lie beside, stay."""
    other = paths.folder / f"{paths.run}-2.jsonl"
    other.write_text("other")
    size = bytes_of(paths)
    assert remove_run(paths.scratchpad) == size
    assert [path.name for path in paths.folder.iterdir()] == [other.name]


def test_a_run_that_goes_on_is_not_removed(tmp_path):
    """Its lock is held."""
    run = RecordedRun(new_scratchpad(tmp_path))
    run.begin()
    path = run.scratchpad.paths.scratchpad
    with pytest.raises(ScratchpadError, match="another process"):
        remove_run(path)
    assert path.exists()
    run.scratchpad.close()


@pytest.mark.parametrize("text", ["precious", '{"type":"notes","timestamp":"t"}\n'])
def test_nothing_but_a_run_is_ever_removed(tmp_path, text):
    """Whatever a path given by hand leads to."""
    path = tmp_path / "notes.jsonl"
    path.write_text(text)
    with pytest.raises(UsageError, match="no run's scratchpad"):
        remove_run(path)
    assert path.read_text() == text


def test_a_link_to_a_run_is_not_the_run(paths, tmp_path):
    """Removing through a link would leave half of it behind."""
    link = tmp_path / "link.jsonl"
    link.symlink_to(paths.scratchpad)
    with pytest.raises(UsageError, match="no run's scratchpad"):
        remove_run(link)
    assert paths.scratchpad.exists()
