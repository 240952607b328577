"""At most one process works on a run."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import time
import weakref
from pathlib import Path
from types import TracebackType
from typing import Self

from dexter.errors import ScratchpadError
from dexter.scratchpad.file import write_error

# `is_locked` holds the lock for a moment; a process that starts just then must not be turned away.
_TRIES = 5
_PAUSE_S = 0.02


class RunLock:
    """A run's lock, held until `release`, until nobody holds this object, or to the end of the process."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._give_back = weakref.finalize(self, os.close, descriptor)

    @classmethod
    def acquire(cls, path: Path) -> RunLock:
        """Take the lock.

        Raises:
            ScratchpadError: Another process has it, or the file system has no locks.
        """
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise write_error(path, error) from error
        try:
            _lock(path, descriptor)
        except BaseException:
            os.close(descriptor)
            raise
        with contextlib.suppress(OSError):  # a full disk: the lock holds all the same, only its holder has no name
            os.ftruncate(descriptor, 0)
            os.write(descriptor, f"{os.getpid()}\n".encode())
        return cls(path, descriptor)

    def release(self) -> None:
        """Give the lock back. The file stays: removing it would let two processes hold two of them."""
        self._give_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


def is_locked(path: Path) -> bool:
    """Whether a process works on the run right now."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _try_lock(descriptor, fcntl.LOCK_SH)
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _lock(path: Path, descriptor: int) -> None:
    for _ in range(_TRIES):
        try:
            if _try_lock(descriptor, fcntl.LOCK_EX):
                return
        except OSError as error:
            raise ScratchpadError(
                f"{path} could not be locked: {error.strerror}.",
                remedy="Set `paths.scratchpads` to a folder on a local disk.",
            ) from error
        time.sleep(_PAUSE_S)
    holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
    raise ScratchpadError(
        f"The run {path.stem} is being worked on by another process{f' ({holder})' if holder else ''}.",
        remedy="Wait for it, or end it, and try again; `dexter replay --follow` watches it meanwhile.",
    )


def _try_lock(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in {errno.EWOULDBLOCK, errno.EACCES}:
            return False
        raise
    return True
