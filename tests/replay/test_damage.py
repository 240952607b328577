"""However a file is damaged, it is read to its end without an exception, and what it is said to have lost is lost."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dexter.errors import DexterError
from dexter.replay.chart import chart
from dexter.replay.compare import compare_runs, print_comparison
from dexter.replay.entries import Request
from dexter.replay.figures import figures_of
from dexter.replay.page import run_page
from dexter.replay.paper import PlainPaper
from dexter.replay.read import read_timeline
from dexter.replay.select import Selection
from dexter.replay.show import replay_object, show
from dexter.replay.timeline import Timeline
from dexter.replay.view import print_view, rebuild_view
from dexter.scratchpad.runs import summarize
from tests.support.recorded import record_run

Damage = Callable[[bytes, random.Random], bytes]
_SHARE_SHOWN = 0.15
_SHARE_SPOILT_WHOLE = 0.2
WRONG_FIELDS = "wrong fields"


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def flip(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :]


def zero(data: bytes, chance: random.Random) -> bytes:
    at, run = chance.randrange(len(data)), chance.randrange(1, 5_000)
    return data[:at] + b"\0" * len(data[at : at + run]) + data[at + run :]


def merge(data: bytes, chance: random.Random) -> bytes:
    """A newline is lost: two lines become one."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines) - 2)
    return b"\n".join([*lines[:at], lines[at] + lines[at + 1], *lines[at + 2 :]])


DAMAGES: tuple[Damage, ...] = (cut, flip, zero, merge)


def good_lines(data: bytes) -> tuple[int, int]:
    """How many lines are whole objects of a scratchpad, and how many are not: told without Dexter's reader."""
    good = bad = 0
    for raw in data.split(b"\n"):
        if raw.strip():
            try:
                record = json.loads(raw.decode())
                whole = isinstance(record.get("type"), str) and isinstance(record.get("timestamp"), str)
            except (ValueError, AttributeError, RecursionError):
                whole = False
            good, bad = (good + 1, bad) if whole else (good, bad + 1)
    return good, bad


def check_count(path: Path) -> Timeline:
    """The file is read to its end, and the count of what was lost is true."""
    timeline = read_timeline(path)
    unreadable = [entry for entry in timeline.skipped if entry.reason != WRONG_FIELDS]
    assert len(unreadable) == good_lines(path.read_bytes())[1]
    assert len(timeline.skipped) - len(unreadable) <= 1, "one damage spoils the fields of one line at most"
    return timeline


def check_shown(path: Path, timeline: Timeline, undamaged: Timeline) -> None:
    """Everything that shows the run gets to its end."""
    show(timeline, PlainPaper(io.StringIO(), 80), Selection(), results=True)
    json.dumps(replay_object(timeline, Selection()))
    list(chart(timeline, 60))
    turns = {request.turn for request in timeline.of(Request)}
    for turn in sorted(turns)[-2:]:
        try:
            rebuild_view(path, turn)
        except DexterError:
            assert turn not in {turn.number for turn in undamaged.turns}, "a sentence only where no such call is left"


def damage_again_and_again(folder: Path, policy: str, seed: int, times: int) -> None:
    recorded = record_run(folder, policy, turns=3, size=40).path
    data, undamaged = recorded.read_bytes(), read_timeline(recorded)
    assert undamaged.skipped == ()
    chance = random.Random(seed)  # noqa: S311 - places of damage, no secret
    path = folder / "damaged.jsonl"
    for number in range(times):
        path.write_bytes(DAMAGES[number % len(DAMAGES)](data, chance))
        timeline = check_count(path)
        if chance.random() < _SHARE_SHOWN:
            check_shown(path, timeline, undamaged)


WRONG_VALUES = (
    None,
    "",
    "x",
    "NaN",
    "1e400",
    -1,
    0,
    10**30,
    1.5,
    True,
    [],
    {},
    ["x"],
    [[1]],
    {"text": 1},
    [{"result": 2}],
)


def spoil(data: bytes, chance: random.Random) -> bytes:
    """One value of one line is another one, of whatever kind, or gone: good JSON that no version of ours writes."""
    lines = data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    record = json.loads(lines[at])
    inside: Any = record
    while True:
        key = chance.choice(list(inside) if isinstance(inside, dict) else range(len(inside)))
        if not (isinstance(inside[key], dict | list) and inside[key]) or chance.random() < _SHARE_SPOILT_WHOLE:
            break
        inside = inside[key]
    inside[key] = chance.choice(WRONG_VALUES)
    if chance.random() < _SHARE_SPOILT_WHOLE:
        del inside[key]
    return b"".join([*lines[:at], json.dumps(record).encode() + b"\n", *lines[at + 1 :]])


def spoil_again_and_again(folder: Path, policy: str, seed: int, times: int) -> None:
    """What cannot be shown is a sentence; what can is shown, on paper, as JSON, as a page, beside itself, in a list."""
    data = record_run(folder, policy, turns=3, size=10).path.read_bytes()
    chance = random.Random(seed)  # noqa: S311 - places of damage, no secret
    path = folder / "spoilt.jsonl"
    for _ in range(times):
        path.write_bytes(spoil(data, chance))
        timeline = read_timeline(path)
        assert len(timeline.skipped) <= 1
        paper = PlainPaper(io.StringIO(), 80)
        show(timeline, paper, Selection(), results=True)
        show(timeline, paper, Selection(text="revenue"))
        json.dumps(replay_object(timeline, Selection(), results=True))
        run_page(timeline)
        print_comparison(compare_runs(timeline, timeline), paper)
        summarize(path)
        with suppress(DexterError):
            figures_of(timeline)
        with suppress(DexterError):
            print_view(rebuild_view(path, 2), paper)


@pytest.mark.parametrize("policy", ["dexter", "four-level"])
def test_values_of_the_wrong_kind_are_shown_or_skipped(tmp_path, policy):
    """A record with text for a number, a list for a text, a cost that is none."""
    spoil_again_and_again(tmp_path, policy, seed=7, times=250)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_values_of_the_wrong_kind_ten_thousand_times(tmp_path, seed):
    """The long form."""
    spoil_again_and_again(tmp_path, ("dexter", "lean", "four-level", "none")[seed % 4], seed, times=1_000)


@pytest.mark.parametrize("policy", ["dexter", "four-level"])
def test_damaged_files_are_read_with_a_true_count(tmp_path, policy):
    """Cut, flipped, overwritten with NULs, merged lines: 500 each over two policies."""
    damage_again_and_again(tmp_path, policy, seed=2026, times=500)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_damaged_files_are_read_ten_thousand_times(tmp_path, seed):
    """The long form."""
    damage_again_and_again(tmp_path, "lean", seed, times=1_000)
