"""Arguments of a call, as a model or a person writes them, checked against what the tool takes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from dexter.errors import ArgumentsError
from dexter.tools.tool import Tool


def checked_arguments(tool: Tool[Any], arguments: Mapping[str, Any]) -> BaseModel:
    """The arguments as the tool's own type. A lone value where a list belongs counts as a list of one.

    Raises:
        ArgumentsError: something is missing or of the wrong kind.
    """
    listed = {name: _as_list(value) if name in _lists(tool) else value for name, value in arguments.items()}
    try:
        checked: BaseModel = tool.arguments.model_validate(listed)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, e['loc'])) or 'arguments'}: {e['msg']}" for e in error.errors()[:5])
        raise ArgumentsError(f"wrong arguments for {tool.name}: {faults}.", remedy=_what_it_takes(tool)) from error
    return checked


def arguments_from_words(tool: Tool[Any], words: Iterable[str]) -> dict[str, Any]:
    """`KEY=VALUE` words of a command line. Commas separate the items of a list; `[…]` and `{…}` are JSON.

    Raises:
        ArgumentsError: a word is no `KEY=VALUE`, the tool has no such argument, or its JSON is broken.
    """
    arguments: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in tool.arguments.model_fields:
            raise ArgumentsError(f"{tool.name} has no argument like '{word}'.", remedy=_what_it_takes(tool))
        arguments[name] = _from_word(value, is_list=name in _lists(tool))
    return arguments


def _from_word(value: str, *, is_list: bool) -> Any:
    if value[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except ValueError as error:
            raise ArgumentsError(f"'{value}' is not valid JSON: {error}.", remedy="Quote it for the shell.") from None
    return [item for item in map(str.strip, value.split(",")) if item] if is_list else value


def _lists(tool: Tool[Any]) -> frozenset[str]:
    properties = tool.spec.parameters.get("properties", {})
    return frozenset(name for name, schema in properties.items() if schema.get("type") == "array")


def _as_list(value: Any) -> Any:
    """Some models send the list as its JSON text, or one item bare."""
    if isinstance(value, str) and value.lstrip().startswith("["):
        try:
            return json.loads(value)
        except ValueError:
            return [value]
    return value if value is None or isinstance(value, list) else [value]


def _what_it_takes(tool: Tool[Any]) -> str:
    return f"It takes: {', '.join(tool.arguments.model_fields)}."
