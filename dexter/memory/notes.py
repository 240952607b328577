"""Notes as Markdown, one file a day, private to the user; nothing is lost when two processes write at once."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dexter.config.private_files import make_private_folder

_MODE = 0o600


@dataclass(frozen=True)
class DailyNotes:
    """Appends to `<folder>/YYYY-MM-DD.md`. `now` gives the time in the user's zone, which decides the day."""

    folder: Path
    now: Callable[[], datetime]

    def append(self, notes: str, *, origin: str) -> Path:
        """Add an entry to today's file: a heading with the time and where it comes from, then the notes.

        Returns:
            The file, with the entry whole on disk.

        Raises:
            OSError: the folder or file cannot be written; no half entry is left behind.
        """
        now = self.now()
        path = make_private_folder(self.folder) / f"{now:%Y-%m-%d}.md"
        with _locked(path) as descriptor:
            size = os.fstat(descriptor).st_size
            title = "" if size else f"# {now:%Y-%m-%d}\n"
            entry = f"{title}\n## {now:%H:%M} {origin}\n\n{notes.strip()}\n"
            _append(descriptor, entry.encode("utf-8", "replace"), size)
        return path


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, open for appending, ours alone. An editor may have put another in its place meanwhile."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, _MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            if _is_still(path, descriptor):
                yield descriptor
                return
        finally:
            os.close(descriptor)


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _append(descriptor: int, data: bytes, size: int) -> None:
    """Write all of it and flush; on failure the file is as long as before."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, size)
        raise
