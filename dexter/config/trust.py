"""Which files of which folders the user trusts: by path and content, so that an edit voids the trust."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from dexter.config.private_files import write_private
from dexter.errors import SettingsError


def is_trusted(path: Path, text: str, store: Path) -> bool:
    """Whether the user has trusted this file with just this text."""
    return _read(store).get(str(path.resolve())) == _digest(text)


def is_named(path: Path, store: Path) -> bool:
    """Whether the user has trusted this file with any text: what is in it need not be read to know that it has not."""
    return str(path.resolve()) in _read(store)


def trust(files: Mapping[Path, str], store: Path) -> None:
    """Trust these files with the texts given.

    Raises:
        SettingsError: the store can't be written.
    """
    known = {**_read(store), **{str(path.resolve()): _digest(text) for path, text in files.items()}}
    try:
        write_private(store, json.dumps(known, indent=1, sort_keys=True) + "\n")
    except OSError as error:
        raise SettingsError(f"{store} can't be written: {error.strerror}.") from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _read(store: Path) -> Mapping[str, str]:
    """What was trusted; a store that is absent or damaged trusts nothing."""
    try:
        known = json.loads(store.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}
