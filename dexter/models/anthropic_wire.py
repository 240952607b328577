"""A view as the Anthropic Messages API takes it.

The bytes of an unchanged message are the same in every request; only the cache marks move. Consecutive messages of the
user's side become one, results first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from dexter.messages import (
    AssistantMessage,
    MediaBlock,
    Message,
    Messages,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from dexter.models.anthropic_thinking import own_block, segments
from dexter.models.wire_text import call_input, encodable, safe_ids, safe_name

Param: TypeAlias = dict[str, Any]
_CACHE = {"type": "ephemeral"}
# The end of this request and that of the one before, which is where the cache can be read.
_MARKED_TURN_ENDS = 2


@dataclass(frozen=True)
class WireView:
    """System prompt, tools and messages as request parameters."""

    system: list[Param]
    tools: list[Param]
    messages: list[Param]


def wire_view(
    messages: Messages, tools: Sequence[ToolSpec], *, model: str, without_thinking: Callable[[AssistantMessage], bool]
) -> WireView:
    """Build the parameters with their cache marks.

    Args:
        messages: the view; system messages go to `system`.
        tools: the definitions, in their order.
        model: whose thinking may be sent back.
        without_thinking: says of an assistant message that its thinking is to be left out.
    """
    ids = safe_ids(messages, "anthropic")
    turns: list[Param] = []
    for message in messages:
        for role, blocks in _wire_message(message, ids, model, without_thinking):
            if turns and turns[-1]["role"] == role:
                turns[-1]["content"] += blocks
            else:
                turns.append({"role": role, "content": blocks})
    system = [_text(message.text) for message in messages if isinstance(message, SystemMessage) and message.text]
    definitions = [_wire_tool(tool) for tool in tools]
    for marked in (system, definitions, *_turn_ends(turns)):
        _mark_last(marked)
    return WireView(system, definitions, turns)


def has_thinking(turns: Sequence[Param]) -> bool:
    """Whether any thinking block is sent."""
    return any(block["type"] in ("thinking", "redacted_thinking") for turn in turns for block in turn["content"])


def tool_turn_lacks_thinking(turns: Sequence[Param]) -> bool:
    """Whether the newest assistant turn calls tools without thinking before: the older way of thinking refuses that."""
    newest = next((turn for turn in reversed(turns) if turn["role"] == "assistant"), None)
    kinds = [block["type"] for block in newest["content"]] if newest else []
    return "tool_use" in kinds and kinds[0] not in ("thinking", "redacted_thinking")


def _wire_message(
    message: Message, ids: dict[str, str], model: str, without_thinking: Callable[[AssistantMessage], bool]
) -> list[tuple[str, list[Param]]]:
    if isinstance(message, UserMessage):
        return [("user", [_text(message.text)])] if message.text.strip() else []
    if isinstance(message, ToolMessage):
        return [("user", [_wire_result(message, ids)])]
    if isinstance(message, AssistantMessage):
        kept = replace(message, thinking=()) if without_thinking(message) else message
        blocks = _assistant_blocks(kept, ids, model)
        return [("assistant", blocks)] if blocks else []
    return []


def _assistant_blocks(message: AssistantMessage, ids: dict[str, str], model: str) -> list[Param]:
    blocks: list[Param] = []
    signed = iter(block for block in message.thinking if block.kind == "signed")
    calls = iter(message.tool_calls)
    start = 0
    for segment in segments(message):
        if segment.kind == "thinking":
            block = own_block(next(signed), model)
            if block is not None:
                blocks.append(dict(block))
        elif segment.kind == "call":
            call = next(calls)
            blocks.append(
                {"type": "tool_use", "id": ids[call.id], "name": safe_name(call.name), "input": call_input(call)}
            )
        else:
            text = message.text[start : start + segment.chars]
            start += segment.chars
            if text.strip():
                blocks.append(_text(text))
    return blocks


def _wire_result(message: ToolMessage, ids: dict[str, str]) -> Param:
    content = message.content if isinstance(message.content, str) else [_wire_part(part) for part in message.content]
    result = {"type": "tool_result", "tool_use_id": ids.get(message.call, message.call), "content": encodable(content)}
    return {**result, "is_error": True} if message.status == "error" else result


def _wire_part(part: Any) -> Param:
    if isinstance(part, MediaBlock):
        kind = "image" if part.media_type.startswith("image/") else "document"
        return {"type": kind, "source": {"type": "base64", "media_type": part.media_type, "data": part.data}}
    return _text(part.text or " ")


def _wire_tool(tool: ToolSpec) -> Param:
    return {"name": tool.name, "description": tool.description, "input_schema": dict(tool.parameters)}


def _text(text: str) -> Param:
    return {"type": "text", "text": encodable(text)}


def _turn_ends(turns: Sequence[Param]) -> list[list[Param]]:
    return [turn["content"] for turn in turns if turn["role"] == "user"][-_MARKED_TURN_ENDS:]


def _mark_last(blocks: list[Param]) -> None:
    if blocks:
        blocks[-1] = {**blocks[-1], "cache_control": _CACHE}
