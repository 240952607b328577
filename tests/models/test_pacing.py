from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from dexter.errors import ModelError
from dexter.messages import SystemMessage
from dexter.models.pacing import BoardInFile, Gate, PacedModel
from dexter.models.scripted import ScriptedModel, says


class Clock:
    """Time that passes only while someone sleeps."""

    def __init__(self) -> None:
        self.now = 100.0

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)

    def gate(self) -> Gate:
        return Gate(clock=lambda: self.now, sleep=self.sleep)


async def ask(model: PacedModel) -> str:
    text = ""
    async for item in model.stream((SystemMessage("m1", "x"),), tools=(), tool_choice="none", max_tokens=10):
        text += getattr(item, "text", "")
    return text


def run(work: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(work())  # type: ignore[arg-type]


def test_one_refusal_makes_all_wait():
    """Another run's next call waits as long as the provider told the first one."""
    clock = Clock()
    gate = clock.gate()

    async def work() -> None:
        with pytest.raises(ModelError):
            await ask(PacedModel(ScriptedModel([ModelError("slow down", kind="rate_limit", retry_after=7)]), gate))
        before = clock.now
        await ask(PacedModel(ScriptedModel([says("hello")]), gate))
        assert clock.now - before == pytest.approx(7)

    run(work)


def test_waits_double_until_a_call_gets_through():
    """Without word of the provider: 1, 2, 4 seconds, then 1 again."""
    clock = Clock()
    gate = clock.gate()

    async def waited() -> float:
        before = clock.now
        await gate.enter()
        return clock.now - before

    async def work() -> None:
        waits = []
        for _ in range(3):
            gate.shut(None)
            waits.append(await waited())
        gate.passed()
        gate.shut(None)
        waits.append(await waited())
        assert waits == pytest.approx([1, 2, 4, 1])

    run(work)


def test_those_who_waited_set_out_one_behind_the_other():
    """Ten at once would be turned away again."""
    clock = Clock()
    gate = clock.gate()
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        await asyncio.sleep(0)
        clock.now = max(clock.now, 100 + seconds)

    gate = Gate(clock=lambda: clock.now, sleep=sleep)

    async def work() -> None:
        gate.shut(5)
        await asyncio.gather(*(gate.enter() for _ in range(4)))
        assert slept == pytest.approx([5, 5.05, 5.1, 5.15])

    run(work)


def test_other_failures_shut_no_gate():
    """A bad request says nothing about the others."""
    clock = Clock()
    gate = clock.gate()

    async def work() -> None:
        with pytest.raises(ModelError):
            await ask(PacedModel(ScriptedModel([ModelError("bad", kind="bad_request")]), gate))
        before = clock.now
        await gate.enter()
        assert clock.now == before

    run(work)


def test_processes_that_see_one_file_share_the_gate(tmp_path: Path):
    """Two gates on one file, as two workers have them: what turns one away shuts the other, and it doubles for both."""
    clock = Clock()
    file = tmp_path / "gate"

    def gate() -> Gate:
        return Gate(clock=lambda: clock.now, sleep=clock.sleep, board=BoardInFile(file))

    one, other = gate(), gate()

    async def waited(at: Gate) -> float:
        before = clock.now
        await at.enter()
        return clock.now - before

    async def work() -> None:
        one.shut(7)
        assert await waited(other) == pytest.approx(7)
        one.passed()
        waits = []
        for refused, waiting in ((one, other), (other, one)):
            refused.shut(None)
            waits.append(await waited(waiting))
        assert waits == pytest.approx([1, 2])

    run(work)
    assert [path.name for path in tmp_path.iterdir()] == ["gate"]


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"opens_at": "x"}', '{"opens_at": 1e12}'])
def test_a_file_that_is_no_gate_is_open(tmp_path: Path, content: str):
    """Nothing is waited for what cannot be read, nor for a clock that is hours ahead."""
    file = tmp_path / "gate"
    file.write_text(content)
    asyncio.run(asyncio.wait_for(Gate.in_file(file).enter(), 5))
    file.write_text(json.dumps({"opens_at": time.time() + 9_000, "next_turn_at": 0, "wait_s": 1}))
    asyncio.run(asyncio.wait_for(Gate.in_file(file).enter(), 5))


def test_where_the_file_cannot_be_written_the_gate_is_this_process_own(tmp_path: Path):
    """A refusal still makes this process wait."""
    clock = Clock()
    gate = Gate(clock=lambda: clock.now, sleep=clock.sleep, board=BoardInFile(tmp_path / "absent" / "gate"))

    async def work() -> None:
        gate.shut(3)
        before = clock.now
        await gate.enter()
        assert clock.now - before == pytest.approx(3)

    run(work)
