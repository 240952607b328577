"""`--output FILE`: checked before the run, written in one step after it. `-` is standard output."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dexter.errors import DexterError, UsageError


def is_stdout(path: Path) -> bool:
    """Whether standard output is meant."""
    return path == Path("-")


def check_writable(path: Path) -> None:
    """Find out before anything is asked.

    Raises:
        UsageError: the file could not be written afterwards.
    """
    if is_stdout(path):
        return
    try:
        _check(path)
    except OSError as error:  # too long a name, a loop of links
        raise UsageError(f"{path} can't be written: {error.strerror}.", remedy="Name another file.") from error


def _check(path: Path) -> None:
    folder = path.parent
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", remedy="Name a file in it.")
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.", remedy="Create it, or name another file.")
    if not os.access(path if _is_special(path) else folder, os.W_OK):
        raise UsageError(f"{path} can't be written.", remedy="Mend the permissions, or name another file.")


def write_output(path: Path, text: str) -> None:
    """Replace the file's content: whoever reads it sees the old or the new, never a part.

    Raises:
        DexterError: it can't be written; the old content is untouched.
        BrokenPipeError: nobody reads standard output any more.
    """
    if is_stdout(path):
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    try:
        if _is_special(path):
            path.write_text(text, encoding="utf-8")
        else:
            _replace(path, text)
    except OSError as error:
        raise DexterError(
            f"{path} can't be written: {error.strerror}.", remedy="`dexter runs` names the record."
        ) from error


def _is_special(path: Path) -> bool:
    """Devices and pipes are written to; replacing them would put a file in their place."""
    return path.exists() and not path.is_file()


def _replace(path: Path, text: str) -> None:
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with temporary.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():  # who could read it before can do so now, and nobody else
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
