"""A batch whose process is killed again and again: nothing is lost, nothing is asked twice."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from dexter.scratchpad.reader import Line, read_lines
from tests.support.killable_batch import RESULTS, question, questions
from tests.support.program import ROOT, TIMEOUT_S


@pytest.mark.parametrize(
    ("kills", "count"), [pytest.param(5, 40, id="5"), pytest.param(100, 500, id="100", marks=pytest.mark.long)]
)
def test_after_any_number_of_kills_every_question_is_answered_once(tmp_path: Path, kills: int, count: int):
    """Killed at random moments, then left to finish: one result and one scratchpad each, no turn of a model twice."""
    chance = random.Random(kills)  # noqa: S311 - moments, not secrets
    killed = 0
    while killed < kills:
        child = start(tmp_path, count)
        time.sleep(chance.uniform(0, 0.06))
        child.send_signal(signal.SIGKILL)
        if child.wait(TIMEOUT_S) == 0:
            break
        killed += 1
    assert killed == kills, "the work was done before the kills were"
    assert start(tmp_path, count).wait(TIMEOUT_S) == 0
    check_results(tmp_path / RESULTS, count)
    check_scratchpads(tmp_path, count)


def start(folder: Path, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "tests.support.killable_batch", str(folder), str(count)]
    child = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline() == b"ready\n"
    return child


def check_results(path: Path, count: int) -> None:
    lines = [line.record for line in read_lines(path) if isinstance(line, Line)]
    results = [line for line in lines if line["type"] == "result"]
    assert Counter(line["key"] for line in results) == dict.fromkeys(questions(count), 1)
    assert all(line["text"] == f"Answer to: {line['question']}" for line in results)
    assert all(line["status"] == "answered" for line in results)


def check_scratchpads(folder: Path, count: int) -> None:
    paths = sorted(folder.glob("*.runs/*/*.jsonl"))
    asked = Counter()
    for path in paths:
        lines = [line.record for line in read_lines(path) if isinstance(line, Line)]
        asked[next(line["content"] for line in lines if line["type"] == "init")] += 1
        turns = [json.dumps(line["message"]) for line in lines if line["type"] == "model_turn"]
        assert len(turns) == len(set(turns)) == 2, path
        assert sum(line["type"] == "answer" for line in lines) == 1
    assert asked == {question(number): 1 for number in range(count)}
