"""Every attempt at a run is told to its end, also where the disk fills up."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dexter.app.session import run_to_its_end
from dexter.errors import ScratchpadError
from dexter.events import Answered, ErrorRaised, RunFinished
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.scratchpad.lock import RunLock
from tests.support.files import WatchedFiles
from tests.support.runs import make_run

TURNS = [calls(("echo", '{"query":"one"}')), says("The answer is 42.")]


def bytes_of_a_whole_run(folder: Path) -> int:
    files = WatchedFiles()
    bench = make_run(folder, ScriptedModel(list(TURNS)), port=files, monotonic=lambda: 0.0)
    before = bench.path.stat().st_size
    asyncio.run(run_to_its_end(bench.run, bench.scratchpad))
    return bench.path.stat().st_size - before


@pytest.mark.parametrize("short", [1, 100, 300, 600, 1_000])
def test_wherever_the_disk_fills_up_the_end_is_told_and_the_record_given_back(tmp_path: Path, short: int) -> None:
    """Also where only the `end` line has no room: the answer was shown, the error and the end follow, status 1."""
    whole = bytes_of_a_whole_run(tmp_path / "whole")
    files = WatchedFiles()
    bench = make_run(tmp_path / "full", ScriptedModel(list(TURNS)), port=files, monotonic=lambda: 0.0)
    files.room = whole - short
    with pytest.raises(ScratchpadError, match="full"):
        asyncio.run(run_to_its_end(bench.run, bench.scratchpad))
    assert [error.kind for error in bench.of(ErrorRaised)] == ["ScratchpadError"]
    assert [(end.status, end.exit_status) for end in bench.of(RunFinished)] == [("failed", 1)]
    assert isinstance(bench.events[-1], RunFinished)
    if short < 200:
        assert [answer.text for answer in bench.of(Answered)] == ["The answer is 42."]
    RunLock.acquire(bench.scratchpad.paths.lock).release()
