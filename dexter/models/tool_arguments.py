"""Arguments as models send them: a JSON object, or a sentence that says what they are instead."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def read_arguments(raw: str) -> tuple[Mapping[str, Any] | None, str | None]:
    """The arguments as an object and None, or None and what is wrong with them. Nothing at all is an empty object."""
    text = raw.strip()
    if not text:
        return {}, None
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        return None, "they are nested too deeply"
    except ValueError as error:
        return None, f"they are not valid JSON ({error})"
    if not isinstance(value, dict):
        return None, f"they are a JSON {_KINDS.get(type(value), 'value')}, not an object"
    return value, None


_KINDS = {list: "array", str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
