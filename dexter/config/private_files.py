"""Files and folders that only their owner may read."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def make_private_folder(path: Path) -> Path:
    """Create a folder with mode 0700, and what is missing above it. One that exists keeps its mode."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def write_private(path: Path, text: str, *, errors: str = "strict") -> None:
    """Replace a file's content in one step, mode 0600: a reader sees the old or the new, never a part.

    `errors` is how lone surrogates are encoded.

    Raises:
        OSError: the disk is full, or the folder can't be written; the old file is untouched then.
    """
    make_private_folder(path.parent)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors=errors) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)  # noqa: PTH105 - the one call that replaces atomically
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
