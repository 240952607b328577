"""Chunks of a chat completion, gathered into one response."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dexter.messages import ThinkingBlock
from dexter.models.anthropic_thinking import keep_block
from dexter.models.protocol import ModelInfo, ModelResponse, RequestedCall, StopReason, TextPiece
from dexter.models.think_tags import ThinkTagSplitter, without_stray_thinking
from dexter.usage import Usage, counted

_STOP_REASONS: dict[str, StopReason] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}
# LiteLLM hides Gemini's signature of a call in its id.
_SIGNATURE_MARK = "__thought__"


@dataclass
class _OpenCall:
    """A call whose pieces are still coming."""

    id: str = ""
    name: str = ""
    raw: list[str] = field(default_factory=list)
    signature: str = ""


class ChatState:
    """Takes chunks in order; `response` is whole once `finish_reason` is there and the stream has ended."""

    def __init__(self, info: ModelInfo) -> None:
        self._info = info
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._signed: list[ThinkingBlock] = []
        self._calls: list[_OpenCall] = []
        self._by_index: dict[int, _OpenCall] = {}
        self._tags = ThinkTagSplitter()
        self._usage: Usage | None = None
        self.finish_reason: str | None = None

    def take(self, chunk: Any) -> Iterator[TextPiece]:
        """Take one chunk; gives the pieces to show."""
        usage = getattr(chunk, "usage", None)
        if usage is not None:
            self._usage = counted(read_usage(usage))
        for choice in getattr(chunk, "choices", None) or ():
            self.finish_reason = choice.finish_reason or self.finish_reason
            if choice.delta is not None:
                yield from self._delta(choice.delta)

    @property
    def has_begun(self) -> bool:
        """Whether an answer has begun."""
        return bool(self._text or self._reasoning or self._calls or self._signed)

    def rest(self) -> Iterator[TextPiece]:
        """What was held back, once the stream has ended."""
        yield from map(self._kept, self._tags.finish())

    def response(self) -> ModelResponse:
        """The gathered answer."""
        stray, text = without_stray_thinking("".join(self._text))
        calls = tuple(RequestedCall(call.id, call.name, "".join(call.raw)) for call in self._calls)
        stop = _STOP_REASONS.get(self.finish_reason or "", "end_turn")
        if stop == "end_turn" and calls:
            stop = "tool_use"
        return ModelResponse(text, tuple(self._thinking(stray)), calls, stop, self._usage)

    def _delta(self, delta: Any) -> Iterator[TextPiece]:
        reasoning = getattr(delta, "reasoning_content", None)
        if isinstance(reasoning, str) and reasoning:
            yield self._kept(TextPiece(reasoning, thinking=True))
        for block in getattr(delta, "thinking_blocks", None) or ():
            if block.get("signature") or block.get("type") == "redacted_thinking":
                self._signed.append(keep_block(block, self._info.name))
        content = getattr(delta, "content", None)
        if isinstance(content, str) and content:
            yield from map(self._kept, self._tags.feed(content))
        for piece in getattr(delta, "tool_calls", None) or ():
            self._call_piece(piece)

    def _kept(self, piece: TextPiece) -> TextPiece:
        (self._reasoning if piece.thinking else self._text).append(piece.text)
        return piece

    def _call_piece(self, piece: Any) -> None:
        function = piece.function
        call = self._call_at(piece.index or 0, piece.id or "", named=bool(function and function.name))
        call.name = call.name or (function.name or "" if function else "")
        call.raw.append(function.arguments or "" if function else "")
        fields = getattr(piece, "provider_specific_fields", None) or {}
        call.signature = call.signature or fields.get("thought_signature", "")

    def _call_at(self, index: int, identifier: str, *, named: bool) -> _OpenCall:
        """The call a piece belongs to. Some servers number every call 0: another id and a name begin another call.

        An id alone does not: others give each piece of a call an id of its own.
        """
        short, _, signature = identifier.partition(_SIGNATURE_MARK)
        call = self._by_index.get(index)
        if call is None or (named and short and call.id and short != call.id):
            call = _OpenCall(short, signature=signature)
            self._by_index[index] = call
            self._calls.append(call)
        call.id = call.id or short
        return call

    def _thinking(self, stray: str) -> Iterator[ThinkingBlock]:
        yield from self._signed
        text = "".join(self._reasoning) + stray
        if text and not self._signed:
            yield ThinkingBlock(text, "demanded" if self._info.thinking == "demanded" else "plain")
        signatures = {call.id: call.signature for call in self._calls if call.signature}
        if signatures:
            yield ThinkingBlock("", "demanded", {"signatures": signatures, "model": self._info.name})


def read_usage(usage: Any) -> Usage:
    """One definition for all: `prompt_tokens` holds cached ones, `completion_tokens` reasoning (xAI adds it apart)."""
    prompt, completion = _int(usage, "prompt_tokens"), _int(usage, "completion_tokens")
    given, made = getattr(usage, "prompt_tokens_details", None), getattr(usage, "completion_tokens_details", None)
    read = _int(given, "cached_tokens") or _int(usage, "cache_read_input_tokens")
    write = _int(given, "cache_creation_tokens") or _int(usage, "cache_creation_input_tokens")
    reasoning = _int(made, "reasoning_tokens")
    apart = reasoning > 0 and _int(usage, "total_tokens") == prompt + completion + reasoning
    return Usage(
        input_uncached=max(prompt - read - write, 0),
        cache_read=read,
        cache_write=write,
        output=completion + reasoning if apart else completion,
        thinking=reasoning,
    )


def _int(source: Any, name: str) -> int:
    value = getattr(source, name, None)
    return max(int(value), 0) if isinstance(value, int | float) else 0
