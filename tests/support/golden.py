"""Texts kept in files and compared; `UPDATE_GOLDEN=1` writes them anew, to be read before they are committed."""

from __future__ import annotations

import difflib
import os
from pathlib import Path


def assert_golden(path: Path, found: str) -> None:
    """The text is the one in the file."""
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(found, encoding="utf-8")
    kept = path.read_text(encoding="utf-8")
    difference = difflib.unified_diff(kept.splitlines(), found.splitlines(), str(path), "found", lineterm="")
    assert kept == found, "\n".join(difference)
