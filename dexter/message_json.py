"""Messages read back from what their `to_json` wrote, equal and with equal digests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dexter.messages import (
    AssistantMessage,
    Block,
    MediaBlock,
    Message,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolCall,
    ToolMessage,
    UserMessage,
)


def _block_from_json(data: Mapping[str, Any]) -> Block:
    if data["type"] == "text":
        return TextBlock(text(data["text"]))
    return MediaBlock(text(data["media_type"]), text(data["data"]))


def _content_from_json(content: Any) -> str | tuple[Block, ...]:
    return content if isinstance(content, str) else tuple(_block_from_json(block) for block in content)


def tool_call_from_json(data: Mapping[str, Any]) -> ToolCall:
    """Read back what `ToolCall.to_json` wrote."""
    return ToolCall(
        id=text(data["id"]),
        name=text(data["name"]),
        arguments=_object_or_none(data["arguments"]),
        provider_id=text(data.get("provider_id", "")),
        raw=text(data.get("raw", "")),
        error=None if data.get("error") is None else text(data["error"]),
    )


def _thinking_from_json(data: Mapping[str, Any]) -> ThinkingBlock:
    kind: Any = text(data.get("kind", "plain"))
    return ThinkingBlock(text(data["text"]), kind, _object_or_none(data.get("verbatim")), text(data.get("prefix", "")))


def _assistant_from_json(data: Mapping[str, Any]) -> AssistantMessage:
    blocks = tuple(map(_thinking_from_json, data.get("thinking", ())))
    calls = tuple(map(tool_call_from_json, data.get("tool_calls", ())))
    return AssistantMessage(text(data["id"]), text(data.get("text", "")), blocks, calls)


def _user_from_json(data: Mapping[str, Any]) -> UserMessage:
    origin: Any = text(data.get("origin", "question"))
    return UserMessage(
        text(data["id"]),
        text(data["text"]),
        origin,
        text(data.get("kind", "")),
        tuple((int(a), int(b)) for a, b in data.get("covers", ())),
        tuple((int(a), str(line)) for a, line in data.get("entries", ())),
    )


def _tool_from_json(data: Mapping[str, Any]) -> ToolMessage:
    form: Any = text(data.get("form", "whole"))
    status: Any = text(data.get("status", "ok"))
    return ToolMessage(
        text(data["id"]),
        result=whole_number(data["result"]),
        call=text(data["call"]),
        tool=text(data["tool"]),
        status=status,
        content=_content_from_json(data["content"]),
        form=form,
        chars=whole_number(data.get("chars", 0)),
        path=text(data.get("path", "")),
        recalls=None if data.get("recalls") is None else whole_number(data["recalls"]),
    )


def message_from_json(data: Mapping[str, Any]) -> Message:
    """Read back what `to_json` wrote: an equal message with an equal digest.

    Raises:
        KeyError, TypeError, ValueError: it is not what `to_json` writes.
    """
    role = data["role"]
    if role == "system":
        return SystemMessage(text(data["id"]), text(data["text"]))
    if role == "user":
        return _user_from_json(data)
    if role == "assistant":
        return _assistant_from_json(data)
    if role == "tool":
        return _tool_from_json(data)
    raise ValueError(f"unknown message role {role!r}")


def text(value: Any) -> str:
    """A string that was read; anything else raises TypeError."""
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def whole_number(value: Any) -> int:
    """A whole number that was read; anything else raises TypeError."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _object_or_none(value: Any) -> Mapping[str, Any] | None:
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(value)
    return value
