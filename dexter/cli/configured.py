"""From this process's surroundings to its settings."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dexter.config.load import Configuration, Surroundings, load
from dexter.config.paths import user_places
from dexter.errors import UsageError


def surroundings() -> Surroundings:
    """Surroundings, current folder and the user's folders of this process.

    Raises:
        UsageError: the current folder is gone.
    """
    try:
        cwd = Path.cwd()
    except FileNotFoundError:
        raise UsageError("The current folder no longer exists.", remedy="Change to another one.") from None
    return Surroundings(os.environ, cwd, user_places())


def configured(flags: Mapping[str, Any] | None = None, config_file: Path | None = None) -> Configuration:
    """The settings of this process, flags first."""
    return load(surroundings(), flags, config_file)
