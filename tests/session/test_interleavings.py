"""However lines are typed, taken back, drained and interrupted, none is lost and none counts twice."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from pathlib import Path

import pytest

from dexter.session.session import Session
from tests.support.session_front import RecordingFront
from tests.support.session_models import turns_of_the_loop, uneven_parts
from tests.support.setups import make_setup

STEPS = 30


async def _session(folder: Path, seed: int) -> tuple[Counter[str], Counter[str]]:
    """Lines submitted, and lines that came back, of a session of random steps."""
    dice = random.Random(seed)  # noqa: S311 - a seed, no secret
    (folder / "scratchpads").mkdir(parents=True)
    front = RecordingFront()
    session = Session(make_setup(folder), front, parts=uneven_parts(dice))
    submitted: Counter[str] = Counter()
    for step in range(STEPS):
        action = dice.random()
        if action < 0.5:
            line = f"line {step} of {seed}"
            submitted[line] += 1
            session.submit(line)
        elif action < 0.65 and (line := session.take_back()) is not None:
            front.given_back.append(line)
        elif action < 0.75:
            session.interrupt()
        await turns_of_the_loop(dice)
    await session.settle()
    return submitted, Counter(front.given_back)


def _own_lines(folder: Path) -> Counter[str]:
    """What the user said, counted in each run that it was said in, not where a follow-up took it over."""
    records = {path.stem: _read(path) for path in folder.glob("*.jsonl")}
    own: Counter[str] = Counter()
    for parent, said in records.values():
        before = records[parent][1] if parent else {}
        own.update(text for message, text in said.items() if message not in before)
    return own


def _read(path: Path) -> tuple[str | None, dict[str, str]]:
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    header = next(record for record in records if record["type"] == "run")
    said = {r["id"]: r["text"] for r in records if r["type"] == "message" and r.get("origin") in ("question", "queued")}
    assert sum(record["type"] == "end" for record in records) == 1
    return header["parent"], said


def _check(folder: Path, seed: int) -> None:
    submitted, came_back = asyncio.run(_session(folder, seed))
    assert _own_lines(folder / "scratchpads") + came_back == submitted


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_each_line_is_in_one_run_or_was_taken_back(tmp_path: Path, first: int):
    """In 60 seeded sessions every line is in exactly one run's scratchpad, or came back."""
    for seed in range(first, first + 20):
        _check(tmp_path / str(seed), seed)


@pytest.mark.long
def test_each_line_is_in_one_run_or_was_taken_back_five_hundred_times(tmp_path: Path):
    """The same in 500 other sessions."""
    for seed in range(1_000, 1_500):
        _check(tmp_path / str(seed), seed)
