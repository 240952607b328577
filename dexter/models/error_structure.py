"""Structures in texts: JSON, also in JSON strings and escaped, and Python's repr of it, opened into named texts."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

_DEEPEST = 16
_TRIES = 20  # places that look like a structure and are none; each costs a reading of what follows
_BEGIN = re.compile(r"[{\[](?=\s*[\"'{\\\[])")
# What was sent, who asked and where to read on say nothing of what went wrong.
_ECHO_FIELDS = frozenset(
    """request_id requestid id provider_name user_id input failed_generation documentation_url doc_url help trace_id
    traceid stack trace event_id object url ctx model modelid org organization project domain @type
    param""".split()  # noqa: SIM905 - a list of words reads better so
)


def leaves(value: object, key: str = "", depth: int = 0) -> Iterator[tuple[str, str]]:
    """Every text with the name of its field, lower-cased; texts that hold structures are opened.

    What surrounds a structure in its text is kept, with the name of the text. Cut-off structures stay text.
    """
    if depth > _DEEPEST or key in _ECHO_FIELDS:
        return
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from leaves(inner, str(name).lower(), depth + 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from leaves(inner, key, depth + 1)
    elif isinstance(value, str):
        around, inside = _opened(value)
        yield key, around
        for inner in inside:
            yield from leaves(inner, "", depth + 1)
    elif value is not None:
        yield key, str(value)


def _opened(text: str) -> tuple[str, list[object]]:
    """The text without the structures in it, and those."""
    around, inside, at, failures = "", [], 0, 0
    for start in (begin.start() for begin in _BEGIN.finditer(text)):
        if start < at or failures > _TRIES:
            continue
        found = _structure(text[start:])
        if found is None:
            failures += 1
            continue
        value, length = found
        around, at = around + text[at:start] + "\n", start + length
        inside.append(value)
    rest = text[at:]
    return around + (unescaped(rest) if "{" in rest else rest), inside


def _structure(text: str) -> tuple[object, int] | None:
    try:
        return json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        pass
    for candidate in _balanced(text):
        for plain in (candidate, unescaped(candidate)):
            for read in (ast.literal_eval, json.loads):
                try:
                    value = read(plain)
                except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                    continue
                if isinstance(value, dict | list):
                    return value, len(candidate)
    return None


def _balanced(text: str) -> Iterator[str]:
    depth = 0
    for at, char in enumerate(text):
        depth += (char in "{[") - (char in "}]")
        if depth == 0:
            yield text[: at + 1]
            return


def unescaped(text: str) -> str:
    """The text with what is escaped for a JSON string, also more than once, written out."""
    text = re.sub(r"\\+u([0-9a-fA-F]{4})", lambda m: chr(int(m.group(1), 16)), text)
    text = re.sub(r"\\+[nrt]", " ", text)
    return re.sub(r"\\+([\"'/])", r"\1", text)
