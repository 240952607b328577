"""A text file that several processes change: appended to or rewritten under its lock, so that nothing is lost."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dexter.config.private_files import make_private_folder, write_private

_MODE = 0o600
_CHUNK = 1 << 20


def append_text(path: Path, compose: Callable[[str], str]) -> None:
    """Add what `compose` makes of the text that is there; '' adds nothing. It is whole on disk afterwards.

    Raises:
        OSError: the folder or file cannot be written; the file is as long as before.
    """
    path = path.resolve()
    make_private_folder(path.parent)
    with _locked(path) as descriptor:
        data = compose(_text(descriptor)).encode("utf-8", "replace")
        _append(descriptor, data, os.fstat(descriptor).st_size)


def read_text(path: Path) -> str:
    """What those who change the file get to see. Bytes that are no UTF-8 are lone surrogates, and written as they were.

    Raises:
        OSError: the file can't be read.
    """
    return path.read_bytes().decode("utf-8", "surrogateescape")


def rewrite_text(path: Path, change: Callable[[str], str]) -> None:
    """Put what `change` makes of the text in its place, in one step; '' removes the file. No file: nothing to do.

    Where the path is a link, the file that it leads to is changed.

    Raises:
        OSError: the folder or file cannot be written; the file is as before.
    """
    path = path.resolve()
    if not path.exists():
        return
    with _locked(path) as descriptor:
        before = _text(descriptor)
        after = change(before)
        if not after:
            path.unlink()
        elif after != before:
            write_private(path, after, errors="surrogateescape")


@contextmanager
def _locked(path: Path) -> Iterator[int]:
    """The file, open for appending, ours alone. Somebody may have put another in its place meanwhile."""
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


def _text(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    pieces = []
    while piece := os.read(descriptor, _CHUNK):
        pieces.append(piece)
    return b"".join(pieces).decode("utf-8", "surrogateescape")


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
