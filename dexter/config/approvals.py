"""What the user allowed for always: a tool, and the folder or host it may touch. Private, and revocable."""

from __future__ import annotations

import json
from pathlib import Path

from dexter.config.private_files import write_private
from dexter.errors import SettingsError

Allowed = tuple[str, str]
"""A tool's name and what it may touch."""


def allowed_always(store: Path) -> tuple[Allowed, ...]:
    """What is allowed, oldest first; a store that is absent or damaged allows nothing."""
    try:
        known = json.loads(store.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return ()
    pairs = known if isinstance(known, list) else []
    return tuple(
        (str(p["tool"]), str(p["what"])) for p in pairs if isinstance(p, dict) and p.get("tool") and p.get("what")
    )


def allow_always(store: Path, allowed: Allowed) -> None:
    """Add one.

    Raises:
        SettingsError: the store can't be written.
    """
    _write(store, dict.fromkeys((*allowed_always(store), allowed)))


def revoke(store: Path, allowed: Allowed) -> None:
    """Remove one.

    Raises:
        SettingsError: the store can't be written.
    """
    _write(store, dict.fromkeys(known for known in allowed_always(store) if known != allowed))


def _write(store: Path, allowed: dict[Allowed, None]) -> None:
    text = json.dumps([{"tool": tool, "what": what} for tool, what in allowed], indent=1, ensure_ascii=False) + "\n"
    try:
        write_private(store, text)
    except OSError as error:
        raise SettingsError(f"{store} can't be written: {error.strerror}.") from error
