"""The beginnings of texts and the same JSON with its long strings cut: what an entry keeps of a large line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dexter.replay.entries import Excerpt
from dexter.scratchpad.lines import unpack_result

EXCERPT_CHARS = 500
"""Longer texts of results and messages are cut here."""

_VALUE_CHARS = 1_000


def excerpt(text: str, most: int = EXCERPT_CHARS) -> Excerpt:
    """A text's beginning and its whole length."""
    return Excerpt(text[:most], len(text))


def beginning(stored: object, chars: int) -> Excerpt:
    """The excerpt of a stored result. Of an object only what the excerpt needs is put back into text."""
    if isinstance(stored, str):
        return Excerpt(stored[:EXCERPT_CHARS], max(len(stored), chars))
    head, left = _head(stored, EXCERPT_CHARS)
    if left > 0 or not chars:  # all of it is needed, or nothing else tells how long it is
        return excerpt(unpack_result(stored))
    return Excerpt(unpack_result(head)[:EXCERPT_CHARS], chars)


def _head(value: object, room: int) -> tuple[object, int]:
    """The beginning of a JSON value whose text fills `room` characters, and the room that is left."""
    if isinstance(value, str):
        return (value if len(value) <= room else value[: max(room, 0)]), room - len(value)
    if isinstance(value, dict):
        fields: dict[str, object] = {}
        for key, item in value.items():
            if room <= 0:
                break
            fields[key], room = _head(item, room - len(key))
        return fields, room
    if isinstance(value, list):
        items: list[object] = []
        for item in value:
            if room <= 0:
                break
            head, room = _head(item, room - 1)
            items.append(head)
        return items, room
    return value, room


def text_of_blocks(blocks: Any) -> str:
    """The text parts of a content that is not text alone."""
    return "\n".join(str(block.get("text", "")) for block in blocks)


def shortened(value: Any) -> Any:
    """The same JSON with long strings cut."""
    if isinstance(value, str):
        return value if len(value) <= _VALUE_CHARS else value[:_VALUE_CHARS] + "…"
    if isinstance(value, Mapping):
        return {key: shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shortened(item) for item in value]
    return value
