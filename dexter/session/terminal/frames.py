"""When the bottom of the screen is drawn: soon after something changed, many changes at once, and never at idle."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

FRAME_S = 0.125


class Frames:
    """Calls `draw`, at most eight times a second. Everything is called on the loop's thread."""

    def __init__(self, draw: Callable[[], None], monotonic: Callable[[], float] = time.monotonic) -> None:
        self._draw = draw
        self._now = monotonic
        self._drawn = 0.0
        self._next: asyncio.TimerHandle | None = None
        self._ticking: asyncio.Task[None] | None = None

    def soon(self) -> None:
        """Something changed."""
        if self._next is None:
            wait = max(0.0, self._drawn + FRAME_S - self._now())
            self._next = asyncio.get_running_loop().call_later(wait, self._due)

    def after(self, seconds: float) -> None:
        """Something will have changed by then."""
        asyncio.get_running_loop().call_later(seconds, self.soon)

    def move(self) -> None:
        """Something changes all the time from now on: seconds, a spinner."""
        self.rest()
        self._ticking = asyncio.get_running_loop().create_task(self._tick())

    def rest(self) -> None:
        """Nothing moves any more."""
        if self._ticking is not None:
            self._ticking.cancel()
            self._ticking = None

    def _due(self) -> None:
        self._next, self._drawn = None, self._now()
        self._draw()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(FRAME_S)
            self.soon()
