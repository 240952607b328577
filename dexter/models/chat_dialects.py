"""Answers of servers that speak OpenAI's chat protocol in their own way, put into OpenAI's words.

LiteLLM drops without a word, or stumbles over, what it does not expect: a call in the older `function_call`, a text in
a list of parts, a call whose id is a number, an error that is null.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

# Words inside a text have escaped quotes; a line that only looks odd costs one parse.
_ODD = re.compile(
    rb'"function_call"\s*:\s*\{|"content"\s*:\s*\[|"id"\s*:\s*-?\d|"arguments"\s*:\s*\{|"error"\s*:\s*null'
)
_FIELD = b"data:"


class LineRewriter:
    """Takes bytes as they come and gives back whole lines, the odd ones rewritten."""

    def __init__(self) -> None:
        self._held: list[bytes] = []

    def take(self, piece: bytes) -> bytes:
        """The lines that are complete by now."""
        head, newline, rest = piece.rpartition(b"\n")
        if not newline:
            self._held.append(piece)
            return b""
        lines = b"".join((*self._held, head, newline))
        self._held = [rest] if rest else []
        if not _ODD.search(lines):
            return lines
        return b"".join(map(in_usual_words, lines.splitlines(keepends=True)))


def in_usual_words(line: bytes) -> bytes:
    """One line of an event stream; what is no chunk of a chat stays as it is."""
    if not line.startswith(_FIELD) or not _ODD.search(line):
        return line
    try:
        chunk = json.loads(line[len(_FIELD) :])
    except ValueError:
        return line
    if not isinstance(chunk, dict):
        return line
    return _FIELD + b" " + json.dumps(_mended(chunk), ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _mended(chunk: Mapping[str, Any]) -> dict[str, Any]:
    mended = {name: value for name, value in chunk.items() if name != "error" or value is not None}
    if isinstance(chunk.get("id"), int):
        mended["id"] = str(chunk["id"])
    choices = chunk.get("choices")
    if isinstance(choices, list):
        mended["choices"] = [_mended_choice(choice) if isinstance(choice, dict) else choice for choice in choices]
    return mended


def _mended_choice(choice: Mapping[str, Any]) -> dict[str, Any]:
    delta = choice.get("delta")
    return {**choice, "delta": dict(_fields(delta))} if isinstance(delta, dict) else dict(choice)


def _fields(delta: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a delta, those of a dialect under their usual names."""
    for name, value in delta.items():
        if name == "content" and isinstance(value, list):
            yield "content", _texts(value, "text")
            thinking = _texts(value, "thinking")
            if thinking:  # under the names of OpenRouter and of all others
                yield from (("reasoning", thinking), ("reasoning_content", thinking))
        elif name == "function_call" and isinstance(value, dict):
            yield "tool_calls", [{"index": 0, "type": "function", "function": _function(value)}]
        elif name == "tool_calls" and isinstance(value, list):
            yield name, [_call(call) if isinstance(call, dict) else call for call in value]
        else:
            yield name, value


def _texts(parts: Sequence[Any], name: str) -> str:
    """The parts' text of one kind; a part that is itself in parts counts whole."""
    found: list[str] = []
    for part in parts:
        value = part if isinstance(part, str) and name == "text" else part.get(name) if isinstance(part, dict) else None
        if isinstance(value, list):
            value = _texts(value, "text")
        if isinstance(value, str):
            found.append(value)
    return "".join(found)


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    usual = {**call, "id": str(call["id"])} if isinstance(call.get("id"), int) else dict(call)
    function = call.get("function")
    return {**usual, "function": _function(function)} if isinstance(function, dict) else usual


def _function(function: Mapping[str, Any]) -> dict[str, Any]:
    arguments = function.get("arguments")
    if isinstance(arguments, dict):  # whole, as an object
        return {**function, "arguments": json.dumps(arguments, ensure_ascii=False)}
    return dict(function)
