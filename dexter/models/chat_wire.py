"""A view as OpenAI's chat protocol takes it, which LiteLLM turns into every other provider's."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, TypeAlias

from dexter.messages import (
    AssistantMessage,
    MediaBlock,
    Message,
    Messages,
    SystemMessage,
    ThinkingBlock,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from dexter.models.anthropic_thinking import own_block, stale_ids
from dexter.models.protocol import ModelInfo
from dexter.models.wire_text import call_input, encodable, safe_ids, safe_name

Param: TypeAlias = dict[str, Any]


def wire_messages(messages: Messages, tools: Sequence[ToolSpec], info: ModelInfo) -> list[Param]:
    """The view as chat messages; neighbouring user texts become one, for some templates demand that roles alternate."""
    ids = safe_ids(messages, info.provider)
    stale = stale_ids(messages, tools)
    wire: list[Param] = []
    for message in messages:
        one = _wire_message(message, ids, info, stale)
        if one is None:
            continue
        if one["role"] == "user" and wire and wire[-1]["role"] == "user":
            wire[-1] = {"role": "user", "content": f"{wire[-1]['content']}\n\n{one['content']}"}
        else:
            wire.append(one)
    return wire


def as_text(wire: Sequence[Param]) -> list[Param]:
    """The same conversation without calls and results, told as text: for a last call where tools can't be forbidden."""
    told: list[Param] = []
    for message in wire:
        role = "user" if message["role"] == "tool" else message["role"]
        text = _told(message)
        if told and told[-1]["role"] == role:
            told[-1] = {"role": role, "content": f"{told[-1]['content']}\n\n{text}"}
        else:
            told.append({"role": role, "content": text})
    return told


def wire_tools(tools: Sequence[ToolSpec]) -> list[Param]:
    """The definitions, in their order."""
    return [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)},
        }
        for tool in tools
    ]


def _wire_message(message: Message, ids: dict[str, str], info: ModelInfo, stale: frozenset[str]) -> Param | None:
    if isinstance(message, SystemMessage):
        return {"role": "system", "content": encodable(message.text)} if message.text else None
    if isinstance(message, UserMessage):
        return {"role": "user", "content": encodable(message.text)} if message.text.strip() else None
    if isinstance(message, ToolMessage):
        return {"role": "tool", "tool_call_id": ids.get(message.call, message.call), "content": _result_text(message)}
    return _wire_assistant(message, ids, info, with_signed=message.id not in stale)


def _wire_assistant(
    message: AssistantMessage, ids: dict[str, str], info: ModelInfo, *, with_signed: bool
) -> Param | None:
    if not message.text.strip() and not message.tool_calls:
        return None
    # Never null: some servers fail on it.
    wire: Param = {"role": "assistant", "content": encodable(message.text)}
    if message.tool_calls:
        signatures = _call_signatures(message.thinking, info)
        wire["tool_calls"] = [_wire_call(call, ids, signatures) for call in message.tool_calls]
    demanded = "\n".join(block.text for block in message.thinking if block.kind == "demanded" and block.text)
    if demanded and info.thinking == "demanded":
        wire["reasoning_content"] = encodable(demanded)
    signed = [block for block in (own_block(block, info.name) for block in message.thinking) if block is not None]
    if signed and with_signed:
        wire["thinking_blocks"] = signed
    return wire


def _wire_call(call: ToolCall, ids: dict[str, str], signatures: dict[str, str]) -> Param:
    readable = call.arguments is not None and call.raw.strip()
    arguments = encodable(call.raw) if readable else json.dumps(call_input(call), ensure_ascii=False)
    function = {"name": safe_name(call.name), "arguments": arguments}
    wire: Param = {"id": ids[call.id], "type": "function", "function": function}
    signature = signatures.get(call.provider_id)
    return {**wire, "provider_specific_fields": {"thought_signature": signature}} if signature else wire


def _call_signatures(thinking: Sequence[ThinkingBlock], info: ModelInfo) -> dict[str, str]:
    """Gemini's signatures of the calls, by the provider's id."""
    own = [block.verbatim for block in thinking if block.verbatim and block.verbatim.get("model") == info.name]
    return {key: value for verbatim in own for key, value in verbatim.get("signatures", {}).items()}


def _result_text(message: ToolMessage) -> str:
    if isinstance(message.content, str):
        return str(encodable(message.content))
    parts = [
        f"[a {part.media_type} that can't be shown to this model]" if isinstance(part, MediaBlock) else part.text
        for part in message.content
    ]
    return str(encodable("\n".join(parts)))


def _told(message: Param) -> str:
    if message["role"] == "tool":
        return f"Result of {message['tool_call_id']}:\n{message['content']}"
    calls = [
        f"[called {call['function']['name']} as {call['id']} with {call['function']['arguments']}]"
        for call in message.get("tool_calls", ())
    ]
    return "\n".join(part for part in [message["content"], *calls] if part)
