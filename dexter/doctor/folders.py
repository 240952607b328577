"""The user's folders: whether they can be written, and whether only the user reads them."""

from __future__ import annotations

import os
import shlex
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from dexter.config.load import Configuration
from dexter.doctor.finding import Finding, note, ok, problem

_AREA = "folders"
_OTHERS = 0o077
_LEAST_FREE = 100 * 1024 * 1024


def check_folders(config: Configuration) -> Iterator[Finding]:
    """Runs, data, cache, settings and the file of keys."""
    places = config.places
    for name, path in (("Runs", config.scratchpads), ("Data", places.data), ("Cache", places.cache)):
        yield from _folder(name, path)
    yield from _folder("Settings", places.config)
    yield from _key_file(places.key_file)
    yield from _room(_nearest(config.scratchpads))


def _folder(name: str, path: Path) -> Iterator[Finding]:
    there = _nearest(path)
    quoted = shlex.quote(str(path))
    if path.exists() and not path.is_dir():
        yield problem(_AREA, f"{name}: {path} is a file, not a folder.", f"mv {quoted} {quoted}.old")
    elif not os.access(there, os.W_OK | os.X_OK):
        yield problem(_AREA, f"{name}: {there} can't be written.", f"chmod u+rwx {shlex.quote(str(there))}")
    elif path.exists() and stat.S_IMODE(path.stat().st_mode) & _OTHERS:
        told = f"{name}: {path} can be listed by other users; the files in it that Dexter writes can't be read."
        yield note(_AREA, told, f"chmod 700 {quoted}")
    else:
        yield ok(_AREA, f"{name}: {path}" + ("" if path.exists() else " (will be made)"))


def _key_file(path: Path) -> Iterator[Finding]:
    if not path.exists():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & _OTHERS:
        told = f"{path} holds keys and can be read by others (mode {mode:04o})."
        yield problem(_AREA, told, f"chmod 600 {shlex.quote(str(path))}")
    else:
        yield ok(_AREA, f"Keys: {path}, readable by you alone")


def _nearest(path: Path) -> Path:
    """The folder itself, or the nearest one above that is there."""
    return next((folder for folder in (path, *path.parents) if folder.exists()), Path("/"))


def _room(folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    if free < _LEAST_FREE:
        yield problem(
            _AREA, f"Only {free // 1024**2} MB are free below {folder}.", "dexter config  # paths.scratchpads"
        )
