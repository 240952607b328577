"""Windows that providers turned out to have, remembered per model in one small file.

Advertised windows are often larger than what an account or a server really takes; an overflow states the real one.
What it states may be misread or hold for one server of many, and would then stand in the way for good: so a limit that
nothing can be done in is not believed, and one that a later answer went beyond is forgotten.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from dexter.config.limits import Limits
from dexter.errors import ModelError
from dexter.models.errors import ErrorInfo
from dexter.models.protocol import ModelInfo

_LEAST = Limits().minimum_window


def read_limits(path: Path) -> dict[str, int]:
    """Tokens by model name; empty where the file is missing or broken, for it can always be learnt again."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {str(name): limit for name, limit in data.items() if type(limit) is int and limit >= _LEAST}


def remember_limit(path: Path, model: str, info: ErrorInfo | ModelError) -> int | None:
    """Store the limit an overflow stated and return it; None where it stated none in tokens, or none to believe."""
    if info.kind != "context_overflow" or info.unit != "tokens" or (info.limit or 0) < _LEAST:
        return None
    _write(path, {**read_limits(path), model: info.limit})
    return info.limit


def forget_limit(path: Path, model: str, accepted: int) -> bool:
    """Forget a model's limit if it answered a request of more tokens (`accepted`); whether it was forgotten."""
    limits = read_limits(path)
    if limits.get(model, accepted) >= accepted:
        return False
    del limits[model]
    _write(path, limits)
    return True


def with_learnt_limit(info: ModelInfo, limits: Mapping[str, int]) -> ModelInfo:
    """The model with the window that was learnt for it, where that is smaller or the window was unknown."""
    learnt = limits.get(info.name)
    if learnt is None or (info.window_known and learnt >= info.window):
        return info
    return replace(info, window=learnt, window_known=True)


def _write(path: Path, limits: Mapping[str, int | None]) -> None:
    """The file is replaced whole, so that a reader never sees half of it; what can't be written is not remembered."""
    with contextlib.suppress(OSError):
        _replace(path, json.dumps(limits, indent=1, sort_keys=True) + "\n")


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # created private to the user
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
