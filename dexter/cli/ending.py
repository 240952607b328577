"""Ctrl-C, SIGTERM, SIGHUP and a closed pipe while a run goes on: the first ends it cleanly, a second at once."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

from dexter.cli.edge import STATUS_OF_SIGNAL, heeded_signals
from dexter.errors import ExitStatus

T = TypeVar("T")
_TICK_S = 0.125


class Ender:
    """Ends a task from a signal handler, from a sink, or at once. The task is told the status it ends with."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None
        self._tell: Callable[[], None] = lambda: None
        self._asked = False

    def attach(self, task: asyncio.Task[Any], tell: Callable[[], None]) -> None:
        """From now on this task is meant; `tell` is called on its loop when it is asked to end."""
        self._task, self._tell = task, tell

    def end(self, status: ExitStatus) -> bool:
        """Ask the task to end; False if that was asked before. Safe in a signal handler."""
        if self._asked or self._task is None:
            return False
        self._asked = True
        loop = self._task.get_loop()
        loop.call_soon_threadsafe(self._task.cancel, status)
        loop.call_soon_threadsafe(self._tell)
        return True


def run_to_end(
    started: Coroutine[Any, Any, T],
    ender: Ender,
    *,
    tick: Callable[[], None],
    stopping: Callable[[], None],
    give_up: Callable[[], None],
) -> T:
    """Run a coroutine.

    `tick` is called eight times a second, `stopping` when it is asked to end, `give_up` before the process is left at
    once.
    """

    async def main() -> T:
        task = asyncio.create_task(started)
        ender.attach(task, stopping)
        ticking = asyncio.create_task(_tick(tick))
        try:
            with _handlers(ender, give_up):
                return await task
        finally:
            ticking.cancel()

    return asyncio.run(main())


async def _tick(tick: Callable[[], None]) -> None:
    while True:
        await asyncio.sleep(_TICK_S)
        tick()


@contextmanager
def _handlers(ender: Ender, give_up: Callable[[], None]) -> Iterator[None]:
    """Python's own handlers, not the loop's: the second Ctrl-C must work while the loop is busy."""

    def handle(number: int, _frame: FrameType | None) -> None:
        status = STATUS_OF_SIGNAL[signal.Signals(number)]
        if not ender.end(status):
            give_up()
            os._exit(status)

    before = {number: signal.signal(number, handle) for number in heeded_signals()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
