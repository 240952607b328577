"""Events of the Anthropic API, gathered into one response.

Arguments are kept as the raw text that arrived, never as what a lenient parser makes of half of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from dexter.models.anthropic_thinking import SIGNED_TYPES, Segment, keep_block
from dexter.models.protocol import ModelResponse, RequestedCall, StopReason, TextPiece
from dexter.usage import Usage, counted

_STOP_REASONS: dict[str, StopReason] = {
    "end_turn": "end_turn",
    "stop_sequence": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "pause_turn": "pause_turn",
    "model_context_window_exceeded": "window_exceeded",
}


@dataclass
class _OpenBlock:
    """A block whose pieces are still coming."""

    start: dict[str, Any]
    text: list[str] = field(default_factory=list)
    signature: str = ""

    def take(self, piece: object) -> str:
        """Add a piece and give it back.

        Raises:
            TypeError: it is no text; the SDK lets through whatever a server sends.
        """
        if not isinstance(piece, str):
            raise TypeError("a piece of text is no text")
        self.text.append(piece)
        return piece


class StreamState:
    """Takes raw events in order; `response` is whole once a stop reason has come."""

    def __init__(self, model: str) -> None:
        self._model = model
        self._blocks: dict[int, _OpenBlock] = {}
        self._counts: dict[str, int] = {}
        self._open: _OpenBlock | None = None
        self.stop_reason: str | None = None
        self.finished = False

    @property
    def has_begun(self) -> bool:
        """Whether an answer has begun."""
        return bool(self._blocks)

    @property
    def is_writing(self) -> bool:
        """Whether text is being written. Thinking, and arguments, which come value by value, may pause for long."""
        return self._open is not None and self._open.start["type"] == "text" and bool(_text(self._open))

    def take(self, event: Any) -> TextPiece | None:
        """Take one event; gives the piece to show, if it brought one."""
        if event.type == "message_start":
            self._count(event.message.usage)
        elif event.type == "content_block_start":
            self._open = self._blocks[event.index] = _OpenBlock(_plain(event.content_block))
            return self._initial(event.index)
        elif event.type == "content_block_delta":
            return self._delta(self._blocks[event.index], event.delta)
        elif event.type == "content_block_stop":
            self._open = None
        elif event.type == "message_delta":
            self.stop_reason = event.delta.stop_reason or self.stop_reason
            self._count(event.usage)
        elif event.type == "message_stop":
            self.finished = True
        return None

    def response(self) -> ModelResponse:
        """The gathered answer. Only to be asked for when `stop_reason` is there."""
        blocks = [self._blocks[index] for index in sorted(self._blocks)]
        text = "".join(_text(block) for block in blocks if block.start["type"] == "text")
        calls = tuple(_call(block) for block in blocks if block.start["type"] == "tool_use")
        signed = [block for block in blocks if block.start["type"] in SIGNED_TYPES]
        layout = _layout(blocks)
        thinking = tuple(
            keep_block(_signed(block), self._model, layout if block is signed[0] else ()) for block in signed
        )
        stop = _STOP_REASONS.get(self.stop_reason or "", "end_turn")
        return ModelResponse(text, thinking, calls, stop, counted(self.usage()))

    def usage(self) -> Usage:
        """Tokens as counted so far."""
        counts = self._counts
        return Usage(
            input_uncached=counts.get("input_tokens", 0),
            cache_read=counts.get("cache_read_input_tokens", 0),
            cache_write=counts.get("cache_creation_input_tokens", 0),
            output=counts.get("output_tokens", 0),
            thinking=counts.get("thinking_tokens", 0),
        )

    def _initial(self, index: int) -> TextPiece | None:
        """Some servers put the first piece into the block's start."""
        start = self._blocks[index].start
        text = start.get("text") or start.get("thinking") or ""
        return TextPiece(str(text), thinking=start["type"] == "thinking") if text else None

    def _delta(self, block: _OpenBlock, delta: Any) -> TextPiece | None:
        if delta.type == "text_delta":
            text = block.take(delta.text)
            return TextPiece(text) if text else None
        if delta.type == "thinking_delta":
            text = block.take(delta.thinking)
            return TextPiece(text, thinking=True) if text else None
        if delta.type == "signature_delta":
            block.signature += delta.signature
        elif delta.type == "input_json_delta":
            block.take(delta.partial_json)
        return None

    def _count(self, usage: Any) -> None:
        """Later counts replace earlier ones: they are cumulative."""
        for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens"):
            value = getattr(usage, name, None)
            if value is not None:
                self._counts[name] = int(value)
        details = getattr(usage, "output_tokens_details", None)
        if details is not None:
            self._counts["thinking_tokens"] = int(getattr(details, "thinking_tokens", 0) or 0)


_STEPS = frozenset({"message_start", "content_block_start", "content_block_stop", "message_delta", "message_stop"})
_PIECES = ("text", "thinking", "signature", "partial_json")


def is_progress(event: Any) -> bool:
    """Whether an event brings the answer further: a sign of life or an empty piece does not."""
    if event.type == "content_block_delta":
        return any(getattr(event.delta, name, None) for name in _PIECES)
    return event.type in _STEPS


def _plain(block: Any) -> dict[str, Any]:
    return dict(block.model_dump(exclude_none=True))


def _text(block: _OpenBlock) -> str:
    return str(block.start.get("text") or "") + "".join(block.text)


def _signed(block: _OpenBlock) -> dict[str, Any]:
    """The block as the provider made it: text and signature from their pieces, everything else as it began."""
    if block.start["type"] == "redacted_thinking":
        return block.start
    return {
        **block.start,
        "thinking": str(block.start.get("thinking") or "") + "".join(block.text),
        "signature": block.signature or block.start.get("signature", ""),
    }


def _call(block: _OpenBlock) -> RequestedCall:
    raw = "".join(block.text)
    whole = block.start.get("input")
    if not raw and whole:
        raw = json.dumps(whole, ensure_ascii=False)  # some servers send the arguments whole
    return RequestedCall(str(block.start.get("id", "")), str(block.start.get("name", "")), raw)


def _layout(blocks: list[_OpenBlock]) -> list[Segment]:
    kinds = {"text": "text", "tool_use": "call", "thinking": "thinking", "redacted_thinking": "thinking"}
    known = [block for block in blocks if block.start["type"] in kinds]
    return [
        Segment(kind, len(_text(block)) if kind == "text" else 0)
        for block in known
        for kind in [kinds[block.start["type"]]]
    ]
