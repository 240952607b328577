"""Arguments as models send them: a JSON object, or a sentence that says what they are instead."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from dexter.scratchpad.lines import MAX_DEPTH, deeper_than


def read_arguments(raw: str) -> tuple[Mapping[str, Any] | None, str | None]:
    """The arguments as an object and None, or None and what is wrong with them.

    Nothing at all is an empty object. An object written as a JSON string, as some models do, is that object.
    """
    text = raw.strip()
    if not text:
        return {}, None
    try:
        value = _load(text)
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = _load(value)
    except RecursionError:
        return None, "they are nested too deeply"
    except ValueError as error:
        return None, f"they are not valid JSON ({error})"
    if not isinstance(value, dict):
        return None, f"they are a JSON {_KINDS.get(type(value), 'value')}, not an object"
    if deeper_than(value, MAX_DEPTH):
        return None, "they are nested too deeply"
    return value, None


_KINDS = {list: "array", str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def _load(text: str) -> Any:
    return json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError(f"{digits} is too large a number")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
