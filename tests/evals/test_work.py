from __future__ import annotations

import asyncio
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.errors import DexterError, ExitStatus, Interrupted
from dexter.evals.purse import Purse
from dexter.evals.tasks import Outcome, Task
from dexter.evals.work import Progress, work_off


def tasks(count: int) -> list[Task]:
    return [Task(str(number), "?", Path("x")) for number in range(count)]


async def no_finish(_task: Task, _outcome: Outcome) -> None:
    """Nothing to do."""


def test_never_more_than_so_many_at_a_time_and_each_once():
    """Twenty tasks, three at a time."""
    running, most, done = 0, 0, []

    async def answer(task: Task) -> Outcome:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.001)
        running -= 1
        return Outcome("answered")

    async def finish(task: Task, _outcome: Outcome) -> None:
        done.append(task.key)

    progress = Progress(20)
    asyncio.run(work_off(tasks(20), answer, finish, concurrency=3, purse=Purse(None, 3), progress=progress))
    assert (most, sorted(done, key=int), progress.done) == (3, [str(n) for n in range(20)], 20)


@given(
    st.decimals("0.01", "5", places=2),
    st.lists(st.decimals("0", "1", places=2), min_size=1, max_size=30),
    st.integers(1, 6),
)
def test_a_budget_is_never_exceeded(limit: Decimal, wishes: list[Decimal], concurrency: int):
    """Whatever runs would like to spend: each stays within its grant, and their sum within the limit."""
    purse = Purse(limit, concurrency)

    async def answer(task: Task) -> Outcome:
        assert task.budget_usd is not None
        await asyncio.sleep(0)
        wish = wishes[int(task.key)]
        return Outcome("answered", cost_usd=min(wish, task.budget_usd), out_of_budget=wish > task.budget_usd)

    progress = Progress(len(wishes))
    asyncio.run(
        work_off(tasks(len(wishes)), answer, no_finish, concurrency=concurrency, purse=purse, progress=progress)
    )
    assert purse.spent_usd <= limit
    assert progress.stopped or progress.done == len(wishes)


def test_ten_failures_in_a_row_end_the_work():
    """A network that is gone must not cost a thousand questions."""
    asked = []

    async def answer(task: Task) -> Outcome:
        asked.append(task.key)
        return Outcome("failed", error="The network is gone.")

    with pytest.raises(DexterError, match="The network is gone"):
        asyncio.run(
            work_off(tasks(100), answer, no_finish, concurrency=1, purse=Purse(None, 1), progress=Progress(100))
        )
    assert len(asked) == 10


def test_a_cancellation_ends_every_run_cleanly_with_its_own_status():
    """All running tasks are told the status they end with, and are waited for."""
    told = []

    async def answer(_task: Task) -> Outcome:
        try:
            await asyncio.sleep(3_600)
        except asyncio.CancelledError as cancelled:
            await asyncio.sleep(0)
            told.append(cancelled.args[0])
            raise Interrupted("ended") from None
        return Outcome("answered")

    async def main() -> None:
        work = work_off(tasks(9), answer, no_finish, concurrency=3, purse=Purse(None, 3), progress=Progress(9))
        task = asyncio.create_task(work)
        await asyncio.sleep(0.01)
        task.cancel(ExitStatus.TERMINATED)
        with pytest.raises(Interrupted) as ended:
            await task
        assert ended.value.exit_status is ExitStatus.TERMINATED

    asyncio.run(main())
    assert told == [ExitStatus.TERMINATED] * 3


def test_a_failure_for_all_ends_the_others():
    """A refused key stops the work; what was running is ended before the error comes out."""
    ended = []

    async def answer(task: Task) -> Outcome:
        if task.key == "1":
            raise DexterError("The key is refused.")
        try:
            await asyncio.sleep(3_600)
        finally:
            ended.append(task.key)
        return Outcome("answered")

    with pytest.raises(DexterError, match="refused"):
        asyncio.run(work_off(tasks(5), answer, no_finish, concurrency=3, purse=Purse(None, 3), progress=Progress(5)))
    assert sorted(ended) == ["0", "2"]
