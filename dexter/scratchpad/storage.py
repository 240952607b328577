"""A run's files as a whole: what they take on the disk, into one archive, and away."""

from __future__ import annotations

import os
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dexter.errors import ScratchpadError, UsageError
from dexter.scratchpad.file import write_error
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.reader import Line, read_lines

_HEAD_LINES = 20
_OURS = frozenset({"init", "run"})
_ZIP, _TAR = (".zip",), (".tar.gz", ".tgz")


def files_of(paths: RunPaths) -> tuple[Path, ...]:
    """Everything that belongs to a run, its sub-agents' files too, but for the locks: they say nothing later."""
    return (paths.scratchpad, *sorted(path for path in _below(paths.folder / paths.run) if path.suffix != ".lock"))


def bytes_of(paths: RunPaths) -> int:
    """What a run takes on the disk, in bytes."""
    sizes = 0
    for path in files_of(paths):
        with suppress(OSError):  # gone meanwhile
            sizes += path.stat().st_size
    return sizes


def is_run(scratchpad: Path) -> bool:
    """Whether a file is a scratchpad by its name and its first lines.

    Raises:
        ScratchpadError: it cannot be read.
    """
    begins = (line.type for line in _head(scratchpad) if isinstance(line, Line))
    return scratchpad.suffix == ".jsonl" and not scratchpad.is_symlink() and bool(_OURS & set(begins))


def check_is_run(scratchpad: Path) -> None:
    """Raises UsageError where a file is no scratchpad: nothing else is ever removed."""
    if not is_run(scratchpad):
        raise UsageError(f"{scratchpad} is no run's scratchpad.", remedy="`dexter runs` lists the runs.")


def _head(scratchpad: Path) -> Iterator[object]:
    for number, line in enumerate(read_lines(scratchpad)):
        if number == _HEAD_LINES:
            return
        yield line


def export_run(scratchpad: Path, target: Path) -> int:
    """Put a run's files into an archive, `.zip` or `.tar.gz`; how many there are.

    Raises:
        UsageError: the archive's name has another ending, or it is there already.
        ScratchpadError: a file cannot be read or written.
    """
    paths = RunPaths.of(scratchpad)
    if not target.name.endswith(_ZIP + _TAR):
        raise UsageError(f"{target} is no archive's name.", remedy="Let it end in .zip or .tar.gz.")
    files = files_of(paths)
    try:
        descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        raise UsageError(f"{target} is there already.", remedy="Choose another name.") from error
    except OSError as error:
        raise write_error(target, error, "choose another place") from error
    try:
        _pack(descriptor, target, paths.folder, files)
    except OSError as error:
        target.unlink(missing_ok=True)
        raise write_error(target, error, "choose another place") from error
    except BaseException:
        target.unlink(missing_ok=True)
        raise
    return len(files)


def _pack(descriptor: int, target: Path, folder: Path, files: tuple[Path, ...]) -> None:
    with os.fdopen(descriptor, "wb") as stream:
        if target.name.endswith(_ZIP):
            with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
                for path in files:
                    archive.write(path, path.relative_to(folder))
            return
        with tarfile.open(fileobj=stream, mode="w:gz") as tar:
            for path in files:
                tar.add(path, path.relative_to(folder), recursive=False)


def remove_run(scratchpad: Path) -> int:
    """Remove a run with all its files; how many bytes they took.

    Raises:
        UsageError: the file is no scratchpad.
        ScratchpadError: a process works on the run, or a file cannot be removed.
    """
    check_is_run(scratchpad)
    paths = RunPaths.of(scratchpad)
    size = bytes_of(paths)
    with RunLock.acquire(paths.lock):
        try:
            _remove_folder(paths.folder / paths.run)  # first: what could not be removed can be tried again
            paths.scratchpad.unlink()
            paths.lock.unlink()
        except OSError as error:
            raise ScratchpadError(
                f"{error.filename or scratchpad} could not be removed: {error.strerror}.",
                remedy="Mend its permissions and try again.",
            ) from error
    return size


def _remove_folder(folder: Path) -> None:
    if folder.is_symlink():
        folder.unlink()
    elif folder.is_dir():
        shutil.rmtree(folder)


def _below(folder: Path) -> Iterator[Path]:
    """The regular files: links lead elsewhere, pipes nowhere."""
    if folder.is_symlink():
        return
    for root, _folders, names in os.walk(folder):
        for path in (Path(root) / name for name in names):
            if path.is_file() and not path.is_symlink():
                yield path
