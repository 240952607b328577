"""The append-only file: whole lines only, each on disk before anyone relies on it, no byte ever changed.

All access goes through `FilePort`, so that a test can watch the order of writes and syncs or let them fail.
"""

from __future__ import annotations

import errno
import os
import weakref
from pathlib import Path
from typing import NamedTuple, Protocol

from dexter.errors import ScratchpadError

_PRIVATE_FILE = 0o600
_PRIVATE_FOLDER = 0o700


class OpenFile(Protocol):
    """One file open for appending. Every method may raise OSError."""

    def write(self, data: bytes | memoryview) -> int:
        """Append some of `data`, as much as the system takes at once, and say how many bytes that was."""

    def sync(self) -> None:
        """Return once everything written is on the disk."""

    def close(self) -> None:
        """Give the file back."""


class FilePort(Protocol):
    """What the scratchpad needs of a file system. Nothing here can shorten or overwrite a file."""

    def make_folder(self, path: Path) -> None:
        """Create a folder with its parents, private to the user; nothing if it is there."""

    def create(self, path: Path) -> OpenFile:
        """Create a file, private to the user, and open it for appending.

        Raises:
            FileExistsError: The name is taken.
        """

    def open_existing(self, path: Path) -> OpenFile:
        """Open a file that is there for appending."""

    def measure(self, path: Path) -> tuple[int, bytes]:
        """A file's size in bytes, and its last byte (none if it is empty)."""

    def remove(self, path: Path) -> None:
        """Delete a file that was never announced to anyone."""


class _DescriptorFile:
    """An open descriptor, given back when it is closed or when nobody holds this any more, and only once."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._give_back = weakref.finalize(self, os.close, descriptor)

    def write(self, data: bytes | memoryview) -> int:
        return os.write(self.descriptor, data)

    def sync(self) -> None:
        os.fsync(self.descriptor)

    def close(self) -> None:
        self._give_back()


class RealFiles:
    """`FilePort` on the operating system."""

    def make_folder(self, path: Path) -> None:
        """See `FilePort`. Folders that exist keep their mode."""
        for folder in reversed([path, *path.parents]):
            if not folder.exists():
                folder.mkdir(mode=_PRIVATE_FOLDER, exist_ok=True)

    def create(self, path: Path) -> OpenFile:
        """See `FilePort`. The name is on disk, too, when this returns."""
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL
        descriptor = os.open(path, flags, _PRIVATE_FILE)
        _sync_folder(path.parent)
        return _DescriptorFile(descriptor)

    def open_existing(self, path: Path) -> OpenFile:
        """See `FilePort`."""
        return _DescriptorFile(os.open(path, os.O_RDWR | os.O_APPEND))

    def measure(self, path: Path) -> tuple[int, bytes]:
        """See `FilePort`."""
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - 1, 0))
            return size, file.read(1)

    def remove(self, path: Path) -> None:
        """See `FilePort`."""
        path.unlink()


def _sync_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:  # some file systems sync no folders
            raise
    finally:
        os.close(descriptor)


class Span(NamedTuple):
    """Where a line lies: its offset in bytes and its length, newline included."""

    offset: int
    length: int


class LineFile:
    """Whole lines at the end of one file.

    A write that fails leaves the file closed to further appends: what comes after a lost line must not look as if
    nothing had happened. Only a last line may be tried (`append_last`).
    """

    def __init__(self, path: Path, file: OpenFile, *, size: int = 0, torn: bool = False) -> None:
        self.path = path
        self._file = file
        self._size = size
        self._torn = torn
        self._failure: ScratchpadError | None = None

    @classmethod
    def create(cls, path: Path, port: FilePort) -> LineFile:
        """A new, empty file.

        Raises:
            FileExistsError: The name is taken.
            ScratchpadError: The file cannot be created.
        """
        try:
            port.make_folder(path.parent)
            return cls(path, port.create(path))
        except FileExistsError:
            raise
        except OSError as error:
            raise write_error(path, error) from error

    @classmethod
    def reopen(cls, path: Path, port: FilePort) -> LineFile:
        """A file that is there. If its last line was cut off, the next append starts a line of its own.

        Raises:
            ScratchpadError: The file cannot be opened for writing.
        """
        try:
            size, last = port.measure(path)
            return cls(path, port.open_existing(path), size=size, torn=last not in (b"", b"\n"))
        except OSError as error:
            raise write_error(path, error) from error

    @property
    def failure(self) -> ScratchpadError | None:
        """Why the file takes no more lines; None while it does."""
        return self._failure

    @property
    def size(self) -> int:
        """Bytes in the file."""
        return self._size

    def append(self, line: bytes, *, sync: bool = True) -> Span:
        """Write one line; on return with `sync` it is on the disk.

        Args:
            line: One whole line with its newline.
            sync: Whether to wait for the disk. A later line that waits covers this one, too.

        Raises:
            ScratchpadError: The line is not safely in the file, or an earlier one was not.
        """
        if self._failure is not None:
            raise ScratchpadError(self._failure.message, remedy=self._failure.remedy)
        try:
            return self._append(line, sync=sync)
        except OSError as error:
            self._failure = write_error(self.path, error)
            raise self._failure from error

    def append_last(self, line: bytes) -> bool:
        """Try to write a closing line even after a failure; whether it got there."""
        try:
            self._append(line, sync=True)
        except OSError:
            return False
        return True

    def close(self) -> None:
        """Give the file back. No line depends on it, and none can follow."""
        self._file.close()
        if self._failure is None:
            self._failure = ScratchpadError(
                f"{self.path} is closed.", remedy="This is a fault in Dexter; please report it."
            )

    def _append(self, line: bytes, *, sync: bool) -> Span:
        data = b"\n" + line if self._torn else line
        offset = self._size + len(data) - len(line)
        self._write_all(data)
        if sync:
            self._file.sync()
        return Span(offset, len(line))

    def _write_all(self, data: bytes) -> None:
        """One write; more only if the system took less than all of it.

        Size and torn tail are kept true after each write, whatever interrupts the next.
        """
        sent = 0
        while sent < len(data):
            taken = self._file.write(data[sent:] if sent else data)
            if taken <= 0:
                raise OSError(errno.EIO, "the system took no byte")
            sent += taken
            self._size += taken
            self._torn = data[sent - 1] != ord("\n")


def write_error(
    path: Path, error: OSError, otherwise: str = "set `paths.scratchpads` to another folder"
) -> ScratchpadError:
    """The sentence for a failed write, with what to do about it, or `otherwise`."""
    reasons = {
        errno.ENOSPC: ("the disk is full", "Free some space"),
        errno.EDQUOT: ("your disk quota is used up", "Free some space"),
        errno.EFBIG: ("the file has reached the largest size allowed", "Raise the limit (`ulimit -f`)"),
        errno.EMFILE: ("too many files are open", "Ask fewer at a time (`-j`), or raise the limit (`ulimit -n`)"),
        errno.EACCES: ("you may not write there", "Mend the permissions"),
        errno.EPERM: ("you may not write there", "Mend the permissions"),
        errno.EROFS: ("the file system is read-only", "Mount it for writing"),
        errno.ENOENT: ("it is not there", "Check the path"),
        errno.ENOTDIR: ("part of its path is a file, not a folder", "Check the path"),
    }
    reason, remedy = reasons.get(error.errno or 0, (error.strerror or str(error), "Check the disk"))
    elsewhere = "" if error.errno == errno.EMFILE else f", or {otherwise}"  # it would be the same there
    return ScratchpadError(f"{path} could not be written: {reason}.", remedy=f"{remedy}{elsewhere}.")
