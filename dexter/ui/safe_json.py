"""JSON that a terminal can be shown: readable in any script, with everything it would obey escaped."""

from __future__ import annotations

import json
import re
from typing import Any

from dexter.ui.literal import UNSAFE

_UNSAFE = re.compile(UNSAFE)


def safe_json(value: Any) -> str:
    """One line of JSON. Control, hidden and direction characters and lone surrogates are escaped, losslessly."""
    return _UNSAFE.sub(_escaped, json.dumps(value, ensure_ascii=False, default=str))


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]
