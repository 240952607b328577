"""However lines are typed, taken back, drained and interrupted, none is lost and none counts twice."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
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
    taken_back: list[str] = []
    was_stopped = False
    for step in range(STEPS):
        action = dice.random()
        if action < 0.4:
            for number in range(dice.randint(1, 3)):
                line = f"line {step}.{number} of {seed}"
                submitted[line] += 1
                session.submit(line)
        elif action < 0.55 and (line := session.take_back()) is not None:
            taken_back.append(line)
        elif action < 0.6:
            was_stopped |= session.interrupt()
        for _ in range(dice.randrange(10)):
            await turns_of_the_loop(dice)
    await session.settle()
    assert was_stopped or not front.given_back  # only a run that was stopped leaves lines unsent
    return submitted, Counter(front.given_back + taken_back)


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


def _check(folder: Path, seeds: range) -> None:
    """Each line of each session in one place; and among them all every way for a line to go was taken."""
    endings: Counter[str] = Counter()
    for seed in seeds:
        submitted, came_back = asyncio.run(_session(folder / str(seed), seed))
        assert _own_lines(folder / str(seed) / "scratchpads") + came_back == submitted
        endings.update(_endings(folder / str(seed) / "scratchpads"))
        endings["came back"] += came_back.total()
    assert endings.keys() == {"answered", "interrupted", "question", "queued", "came back"}


def _endings(folder: Path) -> Iterator[str]:
    """How the runs ended, and in which ways lines entered them."""
    for path in folder.glob("*.jsonl"):
        for record in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if record["type"] == "end":
                yield record["status"]
            elif record["type"] == "message" and record.get("origin") in ("question", "queued"):
                yield record["origin"]


@pytest.mark.parametrize("first", range(0, 60, 20))
def test_each_line_is_in_one_run_or_was_taken_back(tmp_path: Path, first: int):
    """In 60 seeded sessions every line is in exactly one run's scratchpad, or came back."""
    _check(tmp_path, range(first, first + 20))


@pytest.mark.long
def test_each_line_is_in_one_run_or_was_taken_back_five_hundred_times(tmp_path: Path):
    """The same in 500 other sessions."""
    _check(tmp_path, range(1_000, 1_500))
