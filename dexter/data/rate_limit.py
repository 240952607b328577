"""A rate limit shared by all processes of this user."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import struct
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

_STAMP = struct.Struct("<d")
_STALE = 600.0  # a reservation further ahead than this is from another boot's clock
_LOCK_PAUSE = 0.002
_LOCK_PATIENCE = 5.0


class FileRateLimiter:
    """At most `rate` requests in any `per` seconds, over every process that uses the same file.

    The file holds the moments of the last `rate` requests, reserved ones included. Whoever asks takes the next free
    moment under a lock and then waits for it outside the lock, so that a process that is stopped or killed while it
    waits holds up no one. Moments are of the system-wide monotonic clock: setting the time of day changes nothing.

    Where the file can't be used (read-only disk, no lock), the limit still holds within this process.
    """

    def __init__(
        self,
        path: Path,
        *,
        rate: int = 10,
        per: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._path = path
        self._rate = rate
        self._per = per
        self._clock = clock
        self._sleep = sleep
        self._own: list[float] = []

    async def acquire(self) -> None:
        """Return once a request may be sent."""
        moment = await self._reserve()
        while (wait := moment - self._clock()) > 0:
            await self._sleep(wait)

    async def _reserve(self) -> float:
        try:
            handle = os.open(self._path_ready(), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError:
            return self._next(self._own)
        try:
            if not await self._lock(handle):
                return self._next(self._own)
            with _unlocking(handle):
                self._own = list(_read(handle))
                moment = self._next(self._own)
                _write(handle, self._own)
                return moment
        except OSError:
            return self._next(self._own)
        finally:
            os.close(handle)

    def _path_ready(self) -> Path:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._path

    async def _lock(self, handle: int) -> bool:
        deadline = self._clock() + _LOCK_PATIENCE
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._clock() >= deadline:
                    return False
                await self._sleep(_LOCK_PAUSE)
            else:
                return True

    def _next(self, moments: list[float]) -> float:
        """Reserve the next free moment in `moments`, which are kept sorted and no more than needed."""
        now = self._clock()
        moments[:] = sorted(m for m in moments if m - now < _STALE)[-self._rate :]
        moment = max(now, moments[0] + self._per) if len(moments) == self._rate else now
        moments.append(moment)
        del moments[: -self._rate]
        return moment


@contextlib.contextmanager
def _unlocking(handle: int) -> Iterator[None]:
    try:
        yield
    finally:
        fcntl.flock(handle, fcntl.LOCK_UN)


def _read(handle: int) -> Iterator[float]:
    data = os.pread(handle, 64 * 1024, 0)
    for (moment,) in _STAMP.iter_unpack(data[: len(data) - len(data) % _STAMP.size]):
        if moment == moment:  # noqa: PLR0124 - not a NaN, which would never sort
            yield moment


def _write(handle: int, moments: list[float]) -> None:
    data = b"".join(_STAMP.pack(moment) for moment in moments)
    os.pwrite(handle, data, 0)
    os.ftruncate(handle, len(data))
