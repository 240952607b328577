"""A setup in folders of its own: no environment, no keys, nothing of this user's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dexter.app.outside import Outside, Setup
from dexter.config.load import Surroundings, load
from dexter.config.paths import Places


def make_setup(folder: Path, environ: Mapping[str, str] | None = None, outside: Outside | None = None) -> Setup:
    """Settings as a new user would have them, living below `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    places = Places(folder / "config", folder / "data", folder / "cache")
    config = load(Surroundings(environ or {}, folder, places))
    return Setup(config, outside or Outside())
