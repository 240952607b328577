"""Ctrl-C and other signals in a session of plain lines."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from dexter.errors import ExitStatus
from dexter.session.session import Session
from dexter.ui.cards import Line, Told

_STATUS = {
    signal.SIGINT: ExitStatus.INTERRUPTED,
    signal.SIGTERM: ExitStatus.TERMINATED,
    signal.SIGHUP: ExitStatus.HUNG_UP,
}
_LEAVE_S = 2.0


class Leaving(Protocol):
    """What is told, and can be left."""

    @property
    def has_user(self) -> bool:
        """Whether somebody types the lines."""
        ...

    def tell(self, told: Told) -> None:
        """Show a line."""
        ...

    def leave(self) -> None:
        """No more lines."""
        ...


@dataclass
class Ended:
    """The status to end with."""

    status: ExitStatus = ExitStatus.ANSWERED


@contextmanager
def heeding_signals(session: Session, front: Leaving) -> Iterator[Ended]:
    """A user's Ctrl-C stops the run; at idle it leaves when it comes twice. Everything else ends run and session.

    What was asked to end and is asked again ends at once.
    """
    ended, until = Ended(), 0.0

    def end(status: ExitStatus) -> None:
        if session.stopping or ended.status is not ExitStatus.ANSWERED:
            os._exit(status)
        session.interrupt(status)
        ended.status = status
        front.leave()

    def stop() -> None:
        nonlocal until
        if not front.has_user or session.stopping:
            end(ExitStatus.INTERRUPTED)
        elif session.interrupt():
            return
        elif time.monotonic() < until:
            front.leave()
        else:
            until = time.monotonic() + _LEAVE_S
            front.tell(Line("Ctrl-C again leaves.", "quiet"))

    loop = asyncio.get_running_loop()
    heeded = [number for number in _STATUS if signal.getsignal(number) is not signal.SIG_IGN]
    for number in heeded:
        if number is signal.SIGINT:
            loop.add_signal_handler(number, stop)
        else:
            loop.add_signal_handler(number, end, _STATUS[number])
    try:
        yield ended
    finally:
        for number in heeded:
            loop.remove_signal_handler(number)
