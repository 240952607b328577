"""A model that plays a list of turns: for tests, demos and recorded runs. Nothing is asked of any network."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import ModelInfo, ModelResponse, RequestedCall, StreamItem, TextPiece, ToolChoice
from dexter.usage import Usage

# A turn: the answer, an error to raise, or a function of the view that gives either.
Turn: TypeAlias = ModelResponse | Exception | Callable[[Messages], "ModelResponse | Exception"]


def says(text: str, *, output_tokens: int = 20) -> ModelResponse:
    """An answer in text."""
    return ModelResponse(text, usage=Usage(output=output_tokens))


def calls(*requested: tuple[str, str], text: str = "") -> ModelResponse:
    """A turn that calls tools: (name, raw JSON arguments) each, with `text` beside them."""
    tool_calls = tuple(RequestedCall(f"call_{i}", name, raw) for i, (name, raw) in enumerate(requested))
    return ModelResponse(text, tool_calls=tool_calls, stop_reason="tool_use", usage=Usage(output=20))


@dataclass
class Request:
    """What one call asked: the view, the tools, the choice and the output room."""

    messages: Messages
    tools: tuple[ToolSpec, ...]
    tool_choice: ToolChoice
    max_tokens: int


@dataclass
class ScriptedModel:
    """Plays `turns` in order, the last one again when they run out; `requests` keeps what was asked.

    `piece` is how many characters stream at a time. A turn's usage gets its input count from the view's estimate
    unless it brings one.
    """

    turns: Sequence[Turn]
    info: ModelInfo = field(default_factory=lambda: ModelInfo("scripted", "scripted"))
    piece: int = 24
    requests: list[Request] = field(default_factory=list)

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """Stream the next turn."""
        turn = self.turns[min(len(self.requests), len(self.turns) - 1)]
        self.requests.append(Request(messages, tuple(tools), tool_choice, max_tokens))
        outcome = turn if isinstance(turn, ModelResponse | Exception) else turn(messages)
        if isinstance(outcome, Exception):
            raise outcome
        for piece in _pieces(outcome.text, self.piece):
            yield TextPiece(piece)
        yield _counted(outcome, messages, tools)

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The estimate, as if a provider had counted."""
        return _input_tokens(messages, tools)


def _pieces(text: str, length: int) -> Iterable[str]:
    return (text[start : start + length] for start in range(0, len(text), length))


def _input_tokens(messages: Messages, tools: Sequence[ToolSpec]) -> int:
    return sum(message.tokens for message in messages) + sum(tool.tokens for tool in tools)


def _counted(response: ModelResponse, messages: Messages, tools: Sequence[ToolSpec]) -> ModelResponse:
    if response.usage is None or response.usage.input:
        return response
    return replace(response, usage=replace(response.usage, input_uncached=_input_tokens(messages, tools)))
