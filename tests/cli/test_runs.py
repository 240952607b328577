"""`dexter runs`: list, filter, export, remove, prune."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.naming import RunPaths
from tests.support.conversations import QUESTION, RecordedRun, new_scratchpad
from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal


@pytest.fixture
def home(tmp_path) -> Home:
    """Two runs of one question: one answered, one cut off."""
    home = make_home(tmp_path)
    home.runs.mkdir(parents=True)
    first = RecordedRun(new_scratchpad(home.runs))
    first.begin()
    first.ask_model("x", 0)
    first.scratchpad.record.answer(text="Revenue was 26,044 million.", complete=True, sources=[])
    first.end()
    second = RecordedRun(new_scratchpad(home.runs))
    second.begin(parent=first.scratchpad.paths.run)
    second.ask_model("x", 1)
    second.scratchpad.close()
    return home


def answered(home: Home) -> Path:
    return min(home.scratchpads(), key=lambda path: len(path.name))


def listed(home: Home, *arguments: str) -> list[str]:
    return [run["status"] for run in json.loads(home.dexter("runs", "--json", *arguments).stdout)]


def test_runs_are_filtered(home):
    """By text in question or answer, by how they ended, by company and day; what fits nothing is said."""
    assert sorted(listed(home)) == ["answered", "cut off"]
    assert listed(home, "--grep", "26,044") == ["answered"]
    assert sorted(listed(home, "--ticker", "AMD")) == ["answered", "cut off"]
    assert listed(home, "--status", "cut off", "--since", "2026-03-20") == ["cut off"]
    nothing = home.dexter("runs", "--model", "claude")
    assert (nothing.stdout, nothing.returncode) == ("", 0)
    assert "is like that" in nothing.stderr


def test_the_list_says_what_they_take(home):
    """Each run and all of them."""
    done = home.dexter("runs")
    assert done.stdout.count(" kB") + done.stdout.count(" bytes") == 2
    assert done.stderr.startswith("2 runs, ")


def test_a_run_is_exported_and_removed(home):
    """The archive holds it; removing asks for --yes where nobody can be asked."""
    path = answered(home)
    assert home.dexter("runs", "export", path.stem, "run.zip").returncode == 0
    assert zipfile.ZipFile(home.work / "run.zip").namelist() == [path.name]
    refused = home.dexter("runs", "remove", path.stem + ".jsonl")
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    assert path.exists()
    removed = home.dexter("runs", "remove", "--yes", path.stem + ".jsonl")
    assert removed.returncode == 0
    assert "Removed: 1 run" in removed.stderr
    assert [other.stem for other in home.scratchpads()] == [f"{path.stem}-2"]


def test_at_a_terminal_removing_asks_and_warns(home):
    """Later runs of the conversation lose what they could recall; no is no."""
    path = answered(home)
    command = dexter_command("runs", "remove", f"{path.stem}.jsonl")
    with Terminal(command, 160, home.environ(), str(home.work)) as terminal:
        terminal.wait_for(r"1 later run of its conversation.*Remove for good\?")
        terminal.send("n\r")
        terminal.finish()
    assert path.exists()


def test_a_running_run_is_not_removed(home):
    """Neither by name nor by age."""
    path = answered(home)
    with RunLock.acquire(RunPaths.of(path).lock):
        assert "still going on" in home.dexter("runs", "remove", "--yes", f"{path.stem}.jsonl").stderr
        os.utime(path, (0, 0))
        assert "No run" in home.dexter("runs", "prune", "--older-than", "30d", "--yes").stderr
    assert path.exists()
    assert "Removed: 1 run" in home.dexter("runs", "prune", "--older-than", "30d", "--yes").stderr
    assert not path.exists()


@pytest.mark.parametrize(
    "end",
    [
        {"usage": "x", "status": "answered", "exit_status": 0},
        {"turns": [1], "status": {"a": 1}, "exit_status": []},
        {"status": "answered", "exit_status": 0, "cost_usd": "much"},
    ],
)
def test_a_damaged_run_hides_no_other(home, end):
    """An end line or a header that is not what its type promises costs the list nothing, and is not believed."""
    at = {"timestamp": "2026-03-20T12:00:00.000Z"}
    lines = [{"type": "init", **at, "content": "q"}, {"type": "run", **at, "settings": "s", "parent": {}}]
    text = "".join(json.dumps(line) + "\n" for line in (*lines, {"type": "end", **at, **end}))
    (home.runs / "odd.jsonl").write_text(text)
    assert listed(home) == ["", "cut off", "answered"]
    assert home.dexter("runs").returncode == 0


def test_files_that_cannot_be_read_are_counted(home):
    """How many were left out and why; the others are listed. A file that went away meanwhile is none of them."""
    path = home.runs / "2026-closed.jsonl"
    path.symlink_to("/proc/self/mem")  # cannot be read by anybody, root included
    if not path.exists():
        pytest.skip("no /proc on this system")
    done = home.dexter("runs")
    assert done.returncode == 0
    assert "1 file could not be read (2026-closed.jsonl: Input/output error)." in done.stderr
    assert sorted(listed(home)) == ["answered", "cut off"]


def test_names_of_files_cannot_move_the_cursor(home):
    """What a file is called is spelled out in the list, too."""
    answered(home).rename(home.runs / "2026\x1b[31m\nred.jsonl")
    assert "\x1b" not in home.dexter("runs").stdout
    assert "\x1b" not in home.dexter("runs", "remove", "2026\x1b[31m", "--yes").stderr


def test_pruning_leaves_alone_what_is_no_run(home):
    """Another file among the runs is neither removed nor in the way of the others."""
    (home.runs / "2026-notes.jsonl").write_text("")
    for path in home.scratchpads():
        os.utime(path, (1, 1))
    assert "Removed: 2 runs" in home.dexter("runs", "prune", "--older-than", "30d", "--yes").stderr
    assert [path.name for path in home.scratchpads()] == ["2026-notes.jsonl"]


def test_only_a_runs_own_files_are_exported(home, tmp_path):
    """A link in its folder leads nowhere, a pipe is not waited for; removing removes the link alone."""
    path = answered(home)
    folder = home.runs / path.stem / "results"
    folder.mkdir(parents=True)
    (tmp_path / "other.txt").write_text("not of the run")
    (folder / "1.txt").symlink_to(tmp_path / "other.txt")
    os.mkfifo(folder / "2.txt")
    assert home.dexter("runs", "export", path.stem, str(tmp_path / "run.zip")).returncode == 0
    assert zipfile.ZipFile(tmp_path / "run.zip").namelist() == [path.name]
    assert home.dexter("runs", "remove", path.stem, "--yes").returncode == 0
    assert (tmp_path / "other.txt").exists()
    assert not (home.runs / path.stem).exists()


def test_a_folder_that_is_a_link_is_not_exported_and_only_unlinked(home, tmp_path):
    """What it leads to is not the run's."""
    path = answered(home)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "1.txt").write_text("not of the run")
    (home.runs / path.stem).symlink_to(tmp_path / "elsewhere")
    assert home.dexter("runs", "export", path.stem + ".jsonl", str(tmp_path / "run.zip")).returncode == 0
    assert zipfile.ZipFile(tmp_path / "run.zip").namelist() == [path.name]
    assert home.dexter("runs", "remove", path.stem + ".jsonl", "--yes").returncode == 0
    assert (tmp_path / "elsewhere" / "1.txt").exists()
    assert not (home.runs / path.stem).is_symlink()


def test_what_can_be_resumed_is_listed(home):
    """Without RUN, `dexter resume` lists what was cut off after its question was on record, and nothing else."""
    half = new_scratchpad(home.runs)
    half.record.init(QUESTION)
    half.record.run(run="r", conversation="c", parent=None, system="s", tools=[], settings={})
    half.close()
    found = json.loads(home.dexter("resume", "--json").stdout)
    assert [run["run"] for run in found] == [f"{answered(home).stem}-2"]
    shutil.rmtree(home.runs)
    assert "can be resumed" in home.dexter("resume").stderr
