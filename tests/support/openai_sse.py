"""Streams of OpenAI's chat completions, Gemini and Ollama, as bytes on the wire."""

from __future__ import annotations

import json
from typing import Any

USAGE = {
    "prompt_tokens": 42,
    "completion_tokens": 7,
    "total_tokens": 49,
    "prompt_tokens_details": {"cached_tokens": 30},
    "completion_tokens_details": {"reasoning_tokens": 3},
}


def data(value: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(value)}\n\n".encode()


def chunk(finish: str | None = None, **delta: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return data({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


def text(*pieces: str) -> list[bytes]:
    return [chunk(content=piece) for piece in pieces]


def reasoning(*pieces: str) -> list[bytes]:
    return [chunk(reasoning_content=piece) for piece in pieces]


def tool(index: int | None, name: str, *pieces: str, id: str = "call_0", **more: Any) -> list[bytes]:  # noqa: A002 - the wire's own word
    place = {} if index is None else {"index": index}
    first = {**place, "id": id, "type": "function", "function": {"name": name, "arguments": ""}, **more}
    rest = [chunk(tool_calls=[{**place, "function": {"arguments": piece}}]) for piece in pieces]
    return [chunk(tool_calls=[first]), *rest]


def stop(reason: str = "stop", usage: dict[str, Any] | None = None) -> list[bytes]:
    head = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": []}
    return [chunk(reason), data({**head, "usage": usage or USAGE}), b"data: [DONE]\n\n"]


def error(message: str, **more: Any) -> bytes:
    return data({"error": {"message": message, **more}})


def answer(*pieces: str, reason: str = "stop") -> tuple[bytes, ...]:
    """A whole answer in text."""
    return (chunk(role="assistant", content=""), *text(*pieces), *stop(reason))


def gemini(*parts: dict[str, Any], finish: str | None = None, usage: dict[str, int] | None = None) -> bytes:
    candidate = {"content": {"parts": list(parts), "role": "model"}, "index": 0}
    body: dict[str, Any] = {"candidates": [{**candidate, **({"finishReason": finish} if finish else {})}]}
    return f"data: {json.dumps({**body, **({'usageMetadata': usage} if usage else {})})}\r\n\r\n".encode()


def ollama(*, done: bool = False, reason: str = "stop", **message: Any) -> bytes:
    line: dict[str, Any] = {"model": "test", "created_at": "2026-01-01T00:00:00Z", "done": done}
    line["message"] = {"role": "assistant", "content": "", **message}
    counts = {"done_reason": reason, "prompt_eval_count": 42, "eval_count": 7} if done else {}
    return json.dumps({**line, **counts}).encode() + b"\n"
