"""Streams of the Anthropic Messages API, as bytes on the wire."""

from __future__ import annotations

import json
from typing import Any

USAGE = {"input_tokens": 100, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 7, "output_tokens": 1}


def event(data: dict[str, Any]) -> bytes:
    return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode()


def start(usage: dict[str, Any] | None = None) -> bytes:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-test", "content": []}
    return event({"type": "message_start", "message": {**message, "stop_reason": None, "usage": usage or USAGE}})


def block(index: int, first: dict[str, Any], *deltas: dict[str, Any]) -> list[bytes]:
    return [
        event({"type": "content_block_start", "index": index, "content_block": first}),
        *(event({"type": "content_block_delta", "index": index, "delta": delta}) for delta in deltas),
        event({"type": "content_block_stop", "index": index}),
    ]


def text(index: int, *pieces: str) -> list[bytes]:
    return block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": piece} for piece in pieces))


def thinking(index: int, *pieces: str, signature: str = "sig") -> list[bytes]:
    deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces]
    first = {"type": "thinking", "thinking": "", "signature": ""}
    return block(index, first, *deltas, {"type": "signature_delta", "signature": signature})


def redacted(index: int, data: str) -> list[bytes]:
    return block(index, {"type": "redacted_thinking", "data": data})


def tool(index: int, name: str, *pieces: str, id: str = "toolu_1") -> list[bytes]:  # noqa: A002 - the wire's own word
    first = {"type": "tool_use", "id": id, "name": name, "input": {}}
    return block(index, first, *({"type": "input_json_delta", "partial_json": piece} for piece in pieces))


def stop(reason: str = "end_turn", output: int = 20) -> list[bytes]:
    delta = {"stop_reason": reason, "stop_sequence": None}
    return [
        event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": output}}),
        event({"type": "message_stop"}),
    ]


def ping() -> bytes:
    return event({"type": "ping"})


def error(kind: str, message: str) -> bytes:
    return event({"type": "error", "error": {"type": kind, "message": message}})


def answer(*pieces: str, reason: str = "end_turn") -> tuple[bytes, ...]:
    """A whole answer in text."""
    return (start(), *text(0, *pieces), *stop(reason))
