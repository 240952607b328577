"""Two processes write, reword and forget at once, in random interleavings: nothing is lost and nothing comes back."""

from __future__ import annotations

import json
import multiprocessing
import random
import time
from datetime import UTC, datetime
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from dexter.memory.memory import Memory
from dexter.memory.notes import DailyNotes

NOW = datetime(2026, 11, 30, 9, 5, tzinfo=UTC)
STEPS = 8


def _work(folder: Path, writer: int, seeds: list[int], barrier: Barrier) -> None:
    """Play each interleaving; one that fails lets the other process go, too."""
    try:
        _play(folder, writer, seeds, barrier)
    except BaseException:
        barrier.abort()
        raise


def _play(folder: Path, writer: int, seeds: list[int], barrier: Barrier) -> None:
    """Each in a folder of its own; what must be there in the end is left beside it."""
    for seed in seeds:
        place = folder / str(seed)
        chance = random.Random(seed * 2 + writer)  # noqa: S311 - chance of a test
        memory, daily = Memory(place, lambda: NOW), DailyNotes(place, lambda: NOW, f"run {writer}")
        held: list[str] = []
        barrier.wait()
        for step in range(STEPS):
            time.sleep(chance.random() / 2_000)
            text = f"Fact {step} of writer {writer} in {seed}"
            action = chance.choice(("add", "add", "flush", "edit", "forget", "same"))
            if action in ("edit", "forget") and held:
                (note,) = (n for n in memory.notes() if n.text == held[0])
                held.pop(0)
                if action == "edit":
                    memory.edit(note.id, f"{text} reworded", origin="edit")
                    held.append(f"{text} reworded")
                else:
                    memory.forget(note.id)
            elif action == "flush":
                daily.append(f"- {text}", origin="memory flush")
                held.append(text)
            elif action == "same":
                memory.add("What both of them note", origin="both")
            else:
                memory.add(text, origin="add")
                held.append(text)
        barrier.wait()
        (folder / f"{seed}-{writer}.json").write_text(json.dumps(held))


def _check(folder: Path, seeds: list[int]) -> None:
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(2)
    writers = [context.Process(target=_work, args=(folder, writer, seeds, barrier)) for writer in (0, 1)]
    for process in writers:
        process.start()
    for process in writers:
        process.join()
    assert [process.exitcode for process in writers] == [0, 0]
    for seed in seeds:
        memory = Memory(folder / str(seed), lambda: NOW)
        expected = [text for w in (0, 1) for text in json.loads((folder / f"{seed}-{w}.json").read_text())]
        found = [note.text for note in memory.notes()]
        shared = [text for text in found if text.startswith("What both")]
        assert len(shared) <= 1
        assert sorted(text for text in found if text not in shared) == sorted(expected)
        for path in (folder / str(seed)).iterdir():
            assert not path.name.startswith(".")


def test_twenty_interleavings(tmp_path: Path) -> None:
    """The short form."""
    _check(tmp_path, list(range(20)))


@pytest.mark.long
def test_two_hundred_interleavings(tmp_path: Path) -> None:
    """The long form."""
    _check(tmp_path, list(range(1_000, 1_200)))
