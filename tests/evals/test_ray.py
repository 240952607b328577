"""Batches on a Ray cluster. Skipped where the extra is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from dexter.scratchpad.reader import Line, read_lines
from tests.support.program import ROOT, make_home

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="needs the extra `ray` (pip install 'dexter[ray]'), which is not installed"
)
_TIMEOUT_S = 300


def test_questions_of_a_lost_node_run_again_and_the_results_are_those_of_this_process(tmp_path: Path):
    """Two nodes, one killed half-way: every question has one result and one scratchpad, and the answer it has here."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.ray_batch", str(tmp_path / "ray")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    nodes = {node for begun in found["begun"].values() for node in begun}
    assert len(nodes) == 2
    assert any(len(begun) > 1 for begun in found["begun"].values()), "nothing was lost with the node"
    results = [line.record for line in read_lines(tmp_path / "ray" / "r.jsonl") if isinstance(line, Line)][1:]
    assert sorted(line["key"] for line in results) == sorted(found["begun"])
    for folder in (tmp_path / "ray" / "r.runs").iterdir():
        assert len(list(folder.glob("*.jsonl"))) == 1
    assert found["answers"] == answered_here(tmp_path, [line["question"] for line in results], found["answers"])


def answered_here(folder: Path, questions: list[str], keys: dict[str, str]) -> dict[str, str]:
    home = make_home(folder / "here")
    (home.work / "q.txt").write_text("\n".join(questions))
    assert home.dexter("batch", "q.txt", "--offline", "-q").returncode == 0
    lines = [line.record for line in read_lines(home.work / "q.results.jsonl") if isinstance(line, Line)][1:]
    by_question = {line["question"]: line["text"] for line in lines}
    return {key: by_question[f"{key.split('-')[0]} revenue in fiscal {key.split('-')[1]}"] for key in keys}


def test_the_command_gives_the_same_score_on_ray(tmp_path: Path):
    """`dexter eval --engine ray` starts a cluster of its own where none is named."""
    scores = []
    for engine in ("local", "ray"):
        home = make_home(tmp_path / engine)
        options = ("--offline", "--json", "-q", "--limit", "6", "--seed", "1", "--engine", engine)
        done = home.dexter("eval", "sample", *options)
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        scores.append([(score["type"], score["asked"], score["score"], score["figures"]) for score in found["by_type"]])
    assert scores[0] == scores[1]
