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
        return TextBlock(data["text"])
    return MediaBlock(data["media_type"], data["data"])


def _content_from_json(content: Any) -> str | tuple[Block, ...]:
    return content if isinstance(content, str) else tuple(_block_from_json(block) for block in content)


def tool_call_from_json(data: Mapping[str, Any]) -> ToolCall:
    """Read back what `ToolCall.to_json` wrote."""
    return ToolCall(
        id=data["id"],
        name=data["name"],
        arguments=data["arguments"],
        provider_id=data.get("provider_id", ""),
        raw=data.get("raw", ""),
        error=data.get("error"),
    )


def _assistant_from_json(data: Mapping[str, Any]) -> AssistantMessage:
    blocks = tuple(
        ThinkingBlock(b["text"], b.get("kind", "plain"), b.get("verbatim"), b.get("prefix", ""))
        for b in data.get("thinking", ())
    )
    calls = tuple(tool_call_from_json(call) for call in data.get("tool_calls", ()))
    return AssistantMessage(data["id"], data.get("text", ""), blocks, calls)


def _user_from_json(data: Mapping[str, Any]) -> UserMessage:
    return UserMessage(
        data["id"],
        data["text"],
        data.get("origin", "question"),
        data.get("kind", ""),
        tuple((int(a), int(b)) for a, b in data.get("covers", ())),
        tuple((int(a), str(line)) for a, line in data.get("entries", ())),
    )


def _tool_from_json(data: Mapping[str, Any]) -> ToolMessage:
    return ToolMessage(
        data["id"],
        result=data["result"],
        call=data["call"],
        tool=data["tool"],
        status=data.get("status", "ok"),
        content=_content_from_json(data["content"]),
        form=data.get("form", "whole"),
        chars=data.get("chars", 0),
        path=data.get("path", ""),
        recalls=data.get("recalls"),
    )


def message_from_json(data: Mapping[str, Any]) -> Message:
    """Read back what `to_json` wrote: an equal message with an equal digest.

    Raises:
        ValueError: the role is unknown.
    """
    role = data["role"]
    if role == "system":
        return SystemMessage(data["id"], data["text"])
    if role == "user":
        return _user_from_json(data)
    if role == "assistant":
        return _assistant_from_json(data)
    if role == "tool":
        return _tool_from_json(data)
    raise ValueError(f"unknown message role {role!r}")
