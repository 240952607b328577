from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dexter.scratchpad.lines import sha256_of
from dexter.scratchpad.rebuild import SentView, sent_views
from dexter.scratchpad.recall import ResultIndex, result_spans
from dexter.scratchpad.runs import scratchpads

ROOT = Path(__file__).parents[2]


def record_and_kill(folder: Path, name: str, chance: random.Random) -> dict[int, str]:
    """Let a child record for a random while, kill it, and give what it reported: result id to sha256."""
    command = [sys.executable, "-m", "tests.support.recording_child", str(folder), name]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    reported = [child.stdout.readline() for _ in range(chance.randrange(1, 12))]
    time.sleep(chance.random() * 0.004)
    child.kill()
    reported += child.stdout.readlines()
    child.wait()
    child.stdout.close()
    pairs = [line.split() for line in reported if line.endswith("\n")]
    return {int(number): digest for number, digest in pairs}


def check_record(path: Path, reported: dict[int, str]) -> None:
    index = ResultIndex(path)
    for number, span in result_spans(path):
        index.add(number, span)
    found = {number: sha256_of(index.read(number).text) for number in reported}
    assert found == reported
    assert all(view.agrees for view in sent_views(path) if isinstance(view, SentView))


def kill_again_and_again(folder: Path, times: int, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - places to kill at, no secret
    path, reported, before = None, {}, b""
    for _ in range(times):
        more = record_and_kill(folder, path.stem if path else "", chance)
        assert more
        assert not reported.keys() & more.keys()
        reported |= more
        (path,) = scratchpads(folder)
        after = path.read_bytes()
        assert after.startswith(before)
        before = after
        check_record(path, reported)


def test_every_reported_result_is_found_after_a_kill(tmp_path):
    """Killed at 15 random moments and gone on with each time, the run loses nothing it had reported."""
    kill_again_and_again(tmp_path, 15, seed=2026)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_every_reported_result_is_found_after_200_kills(tmp_path, seed):
    """The long form: ten runs of twenty kills."""
    kill_again_and_again(tmp_path, 20, seed)
