"""The folder of given files beside the checkout, where there is one."""

from __future__ import annotations

from pathlib import Path

import pytest

SHARED = Path(__file__).parents[2].parent / "shared"


def shared(path: str) -> Path:
    """A file or folder below it; skips the test, and says why, where it is absent."""
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"needs {path} from the shared data folder, which is not beside this checkout")
    return found
