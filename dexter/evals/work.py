"""Working off a list: so many at a time, each done once, stopped cleanly, and given up where nothing works any more."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from dexter.errors import DexterError, ExitStatus, Interrupted
from dexter.evals.purse import Purse
from dexter.evals.tasks import Answerer, Outcome, Task

Finish: TypeAlias = Callable[[Task, Outcome], Awaitable[None]]
# So many failures one after the other say that it is not the questions.
_FAILURES_IN_A_ROW = 10


@dataclass
class Progress:
    """How far the work is: `done` of `total`, with how many failed; `stopped`: for want of money."""

    total: int
    done: int = 0
    failed: int = 0
    failed_in_a_row: int = 0
    stopped: bool = False

    def count(self, outcome: Outcome) -> None:
        """One more is done."""
        self.done += 1
        is_failure = outcome.status == "failed"
        self.failed += is_failure
        self.failed_in_a_row = self.failed_in_a_row + 1 if is_failure else 0


async def work_off(
    tasks: Iterable[Task], answer: Answerer, finish: Finish, *, concurrency: int, purse: Purse, progress: Progress
) -> None:
    """Answer each task and hand its outcome to `finish`, at most `concurrency` at a time.

    What is out of budget is not finished, and no more is begun. When this is cancelled every run is ended cleanly
    before it returns.

    Raises:
        Interrupted: it was cancelled.
        DexterError: something failed that would fail for every question.
    """
    waiting, work = iter(tasks), _Work(answer, finish, purse, progress)
    await _all_of([asyncio.create_task(work.go_through(waiting)) for _ in range(concurrency)])


@dataclass(frozen=True)
class _Work:
    """What every worker has in its hands."""

    answer: Answerer
    finish: Finish
    purse: Purse
    progress: Progress

    async def go_through(self, waiting: Iterator[Task]) -> None:
        """Take one task after the other until there is none, or no money."""
        for task in waiting:
            if self.progress.stopped or self.purse.is_empty:
                self.progress.stopped = True
                return
            outcome = await self._answered(task)
            if outcome.out_of_budget:
                self.progress.stopped = True
                return
            await self.finish(task, outcome)
            self.progress.count(outcome)
            self._give_up_after_failures(outcome)

    async def _answered(self, task: Task) -> Outcome:
        """The outcome of a run that may cost its grant and no more."""
        grant, cost = self.purse.grant(), None
        try:
            outcome = await self.answer(replace(task, budget_usd=grant))
            cost = outcome.cost_usd
        finally:
            self.purse.settle(grant, cost)
        return outcome

    def _give_up_after_failures(self, outcome: Outcome) -> None:
        if self.progress.failed_in_a_row >= _FAILURES_IN_A_ROW:
            raise DexterError(
                f"{_FAILURES_IN_A_ROW} questions failed one after the other; the last: {outcome.error}",
                remedy="Mend that; the same command with --retry-failed goes on from here.",
            )


async def _all_of(workers: list[asyncio.Task[None]]) -> None:
    """Wait for all. The first failure, or a cancellation, ends the others, and they are waited for."""
    try:
        done, _ = await asyncio.wait(workers, return_when=asyncio.FIRST_EXCEPTION)
    except asyncio.CancelledError as cancelled:
        await _end(workers, *cancelled.args)
        reason = cancelled.args[0] if cancelled.args else None
        status = reason if isinstance(reason, ExitStatus) else ExitStatus.INTERRUPTED
        raise Interrupted(
            "Interrupted; every result so far is on disk.",
            exit_status=status,
            remedy="The same command goes on from here.",
        ) from None
    await _end([worker for worker in workers if worker not in done])
    failures = [failure for worker in done if (failure := worker.exception()) is not None]
    if failures:
        raise failures[0]


async def _end(workers: list[asyncio.Task[None]], *reason: object) -> None:
    """Cancel tasks and wait for them; how they end is told by who cancelled them."""
    for worker in workers:
        worker.cancel(*reason)
    await asyncio.gather(*workers, return_exceptions=True)
