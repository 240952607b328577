r"""One line of a scratchpad: a JSON object to bytes and back, and results that return byte for byte.

A line holds no raw character that any reader might take for a line end, that a terminal would act on or that
UTF-8 cannot carry: those are `\u` escapes. Everything else, CJK included, stays readable.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from dexter.errors import ScratchpadError

Record = Mapping[str, Any]

MAX_DEPTH = 64
"""JSON nested deeper is kept as text (results) or refused (arguments), so that no reader runs out of stack."""

_HALVES = "halves"  # marks a line with two halves of a surrogate pair side by side, which JSON readers would join
_MAX_SAFE_INTEGER = 2**53 - 1  # beyond it readers that know only doubles would change the digits
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPLIT_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_ESCAPED_HALF = re.compile(r"(\\u[dD][89abAB][0-9a-fA-F]{2})(?=\\u[dD][c-fC-F])|\\.")


def timestamp(moment: datetime) -> str:
    """A moment as the scratchpad writes it: `2026-11-30T17:09:45.562Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def encode_line(kind: str, at: str, fields: Record) -> bytes:
    """One whole line, its newline included.

    Args:
        kind: The line's `type`, which comes first.
        at: The line's `timestamp`, as `timestamp` formats it.
        fields: Everything else, in the order it is to stand.

    Raises:
        ScratchpadError: The fields cannot be written as JSON.
    """
    try:
        text = compact_json({"type": kind, "timestamp": at, **fields})
    except (TypeError, ValueError, RecursionError) as error:
        raise ScratchpadError(
            f"A {kind} line could not be written as JSON: {error}.",
            remedy="This is a fault in Dexter; please report it.",
        ) from error
    if _SPLIT_PAIR.search(text):
        text = f'{text[:-1]},"{_HALVES}":true}}'
    return _UNSAFE.sub(_escape, text).encode() + b"\n"


def decode_line(text: str) -> Any:
    """The JSON value of one line.

    Raises:
        ValueError: It is not JSON.
        RecursionError: It is nested too deeply.
    """
    value = json.loads(text)
    if isinstance(value, dict) and value.get(_HALVES) is True:
        value = _decode_halves(text)
        del value[_HALVES]
    return value


def compact_json(value: Any) -> str:
    """JSON without a space and with every character as itself; non-finite numbers are a ValueError."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def pack_result(text: str) -> dict[str, Any] | str:
    """How a result's text is stored: as an object only if its compact serialisation is that very text."""
    if not (text.startswith("{") and text.endswith("}")) or _SURROGATE.search(text):
        return text
    try:
        value = json.loads(text, parse_int=_safe_integer)
        same = compact_json(value) == text and not deeper_than(value, MAX_DEPTH)
    except (ValueError, RecursionError):
        return text
    return value if same and isinstance(value, dict) else text


def unpack_result(stored: object) -> str:
    """The text that `pack_result` was given. Objects of other writers come back compact."""
    return stored if isinstance(stored, str) else json.dumps(stored, ensure_ascii=False, separators=(",", ":"))


def deeper_than(value: object, limit: int) -> bool:
    """Whether lists and objects are nested in more than `limit` levels."""
    level = [value]
    for _ in range(limit):
        level = [child for node in level for child in _children(node)]
        if not level:
            return False
    return True


def sha256_of(text: str) -> str:
    """Hex sha256 of a text's bytes."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _safe_integer(digits: str) -> int:
    value = int(digits)
    if abs(value) > _MAX_SAFE_INTEGER:
        raise ValueError(digits)
    return value


def _children(node: object) -> Iterator[object]:
    values = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    return (child for child in values if isinstance(child, dict | list))


def _decode_halves(text: str) -> Any:
    r"""Read a line in which `\ud83d\ude00` means two lone halves, which JSON readers join to one character.

    A mark that the text does not contain is put between the halves and taken out after parsing.
    """
    mark = next(c for c in map(chr, range(0xE000, 0xF900)) if c not in text and f"\\u{ord(c):04x}" not in text.lower())
    parted = _ESCAPED_HALF.sub(lambda match: match[1] + mark if match[1] else match[0], text)
    return _without(mark, json.loads(parted))


def _without(mark: str, value: Any) -> Any:
    if isinstance(value, str):
        return value.replace(mark, "")
    if isinstance(value, list):
        return [_without(mark, item) for item in value]
    if isinstance(value, dict):
        return {key.replace(mark, ""): _without(mark, item) for key, item in value.items()}
    return value
