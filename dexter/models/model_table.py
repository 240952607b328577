"""LiteLLM's bundled table of models, read as the JSON file it is: importing LiteLLM would cost seconds."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

Entry: TypeAlias = Mapping[str, Any]
ModelTable: TypeAlias = Mapping[str, Entry]

_FILE = "model_prices_and_context_window_backup.json"


@cache
def bundled_table() -> ModelTable:
    """Every model of the installed LiteLLM by its name there; empty where LiteLLM or its table is missing.

    Without the table every model is an unknown one: a default window, and no price.
    """
    path = _bundled_path()
    if path is None:
        return {}
    try:
        return read_table(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}


def read_table(text: str) -> ModelTable:
    """Parse the table, keeping what is an object; raises ValueError where the text is no JSON object."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("the model table is not a JSON object")  # noqa: TRY004 - one error for all that is wrong with the text
    return {name: entry for name, entry in data.items() if isinstance(entry, dict) and name != "sample_spec"}


def _bundled_path() -> Path | None:
    spec = importlib.util.find_spec("litellm")  # finds, does not import
    return Path(spec.origin).parent / _FILE if spec and spec.origin else None
