"""Opening files so that what was checked is what is opened: no link is followed on the way from the allowed folder.

A path is resolved and checked first (`folders.py`). Between check and use somebody may put a link in the place of a
folder or a file; here each step goes through the folder before it, by descriptor, and refuses links.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from dexter.errors import ToolError
from dexter.tools.folders import Place

LARGEST_BYTES = 100_000_000
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_MODE = 0o666  # less what the user's umask takes away, as for any program


def read_bytes(place: Place) -> bytes | None:
    """A regular file's content; None where there is no file.

    Raises:
        ToolError: it is no regular file, too large, or can't be read.
    """
    try:
        with _parent(place) as folder:
            descriptor = os.open(place.real.name, _FILE, dir_fd=folder)
        try:
            return _content(place, descriptor)
        finally:
            os.close(descriptor)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _told(place, "read", error) from error


def _content(place: Place, descriptor: int) -> bytes:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise ToolError(f"{str(place.real)!r} is not a file.")
    if found.st_size > LARGEST_BYTES:
        raise ToolError(f"{str(place.real)!r} is larger than {LARGEST_BYTES // 1_000_000} MB.")
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return file.read(LARGEST_BYTES)


def write_bytes(place: Place, data: bytes, *, basis: str) -> None:
    """Put a whole file in place in one step, if what is there still has the digest `basis` ('' for no file).

    Raises:
        ToolError: it has changed, is read-only, or can't be written; no file is changed then.
    """
    try:
        with _parent(place, create=True) as folder:
            _write(place, data, basis, folder)
    except FileExistsError as error:
        raise changed(place) from error
    except OSError as error:
        raise _told(place, "written", error) from error


def digest(data: bytes | None) -> str:
    """What a proposal about this content rests on; '' for no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def changed(place: Place) -> ToolError:
    """The file is not what it was."""
    return ToolError(
        f"{str(place.real)!r} has changed meanwhile; nothing was written.", remedy="Read it again, then try again."
    )


def _write(place: Place, data: bytes, basis: str, folder: int) -> None:
    name, temporary = place.real.name, f".dexter.{os.getpid()}.{os.urandom(4).hex()}"
    descriptor = os.open(temporary, _NEW, _MODE, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if basis:
                os.fchmod(descriptor, _writable_mode(place, os.stat(name, dir_fd=folder, follow_symlinks=False)))
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        if not basis:  # a link fails where anything is; a rename would take its place
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            return
        if digest(read_bytes(place)) != basis:
            raise changed(place)
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)


def _writable_mode(place: Place, found: os.stat_result) -> int:
    """The permissions of a file that is to be replaced; its owner may have taken away their own to write it."""
    if not found.st_mode & stat.S_IWUSR:
        raise ToolError(f"{str(place.real)!r} is read-only and stays as it is.", remedy="Choose another name.")
    return stat.S_IMODE(found.st_mode)


@contextmanager
def _parent(place: Place, *, create: bool = False) -> Iterator[int]:
    """The folder the file lies in, reached from the allowed folder without following a link."""
    descriptor = os.open(place.folder, _FOLDER)
    try:
        for part in place.real.relative_to(place.folder).parts[:-1]:
            if create:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=descriptor)
            inner = os.open(part, _FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
        yield descriptor
    finally:
        os.close(descriptor)


def _told(place: Place, what: str, error: OSError) -> ToolError:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return ToolError(f"{str(place.real)!r} leads through a link and was not {what}.")
    return ToolError(f"{str(place.real)!r} could not be {what}: {error.strerror}.")


def text_of(data: bytes, path: Path) -> str:
    """The text of a file that is to be changed.

    Raises:
        ToolError: it is not UTF-8 text.
    """
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise ToolError(f"{str(path)!r} is not UTF-8 text.")
    return text
