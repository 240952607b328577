"""Text, ids and names made fit for the wire, the same way every time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from dexter.messages import AssistantMessage, Message, ToolCall

_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSAFE = re.compile(r"[^a-zA-Z0-9_-]")
_NINE = re.compile(r"[a-zA-Z0-9]{9}")
_ID_CHARS, _NAME_CHARS = 64, 64


def encodable(value: Any) -> Any:
    """The JSON value with every lone surrogate replaced: half an emoji would make each later request fail."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {encodable(key): encodable(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [encodable(item) for item in value]
    return value


def safe_name(name: str) -> str:
    """A tool name every provider takes; a model may have called anything."""
    return _UNSAFE.sub("_", name)[:_NAME_CHARS] or "unnamed"


def safe_ids(messages: Sequence[Message], provider: str) -> dict[str, str]:
    """The id on the wire of each call, by its own id: the provider's own where that is usable and not taken yet.

    Calls made under another provider may have ids this one refuses; Mistral takes nine letters and digits only.
    """
    taken: set[str] = set()
    ids: dict[str, str] = {}
    for call in _calls(messages):
        wanted = _UNSAFE.sub("_", call.provider_id)
        if provider == "mistral" and not _NINE.fullmatch(wanted):
            wanted = hashlib.sha256(call.id.encode()).hexdigest()[:9]
        usable = bool(wanted) and len(wanted) <= _ID_CHARS and wanted not in taken
        ids[call.id] = wanted if usable else f"call_{_UNSAFE.sub('_', call.id)}"
        taken.add(ids[call.id])
    return ids


def call_input(call: ToolCall) -> dict[str, Any]:
    """The arguments as an object; what could not be read goes back as written, so that the model sees its mistake."""
    arguments = {"INVALID_JSON": call.raw} if call.arguments is None else call.arguments
    return dict(encodable(arguments))


def _calls(messages: Sequence[Message]) -> list[ToolCall]:
    return [call for message in messages if isinstance(message, AssistantMessage) for call in message.tool_calls]
