"""Keys that come back: providers repeat them in errors, pages and files hold them. Nobody is to see or record them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dexter.config.keys import Keys
from dexter.errors import DexterError, ToolError
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import Model, ModelInfo, ModelResponse, StreamItem, TextPiece, ToolChoice
from dexter.results import ToolResult
from dexter.tools.tool import Tool, ToolContext

Fault = TypeVar("Fault", DexterError, ToolError)


def without_keys(error: Fault, keys: Keys) -> Fault:
    """The same error, its words without keys, and without its cause: that would be printed with a traceback."""
    error.message, error.remedy = keys.redact(error.message), keys.redact(error.remedy)
    error.args = (error.message,)
    error.__cause__ = None
    return error


@dataclass(frozen=True)
class DiscreetModel:
    """A model whose words and errors name no key."""

    model: Model
    keys: Keys

    @property
    def info(self) -> ModelInfo:
        """That of the model."""
        return self.model.info

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """The model's stream; what may be the beginning of a key waits for the piece after it."""
        pieces = _Pieces(self.keys)
        try:
            async for item in self.model.stream(messages, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
                if isinstance(item, TextPiece):
                    for piece in pieces.feed(item):
                        yield piece
                    continue
                for piece in pieces.rest():
                    yield piece
                yield _response_without_keys(item, self.keys)
        except DexterError as error:
            raise without_keys(error, self.keys) from None

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The model's own count."""
        return await self.model.count(messages, tools=tools)

    async def aclose(self) -> None:
        """Close the model's connections, if it holds any."""
        if close := getattr(self.model, "aclose", None):
            await close()


@dataclass
class _Pieces:
    """Pieces of text without keys, also where a key comes in several."""

    keys: Keys
    _held: str = ""
    _thinking: bool = False

    def feed(self, piece: TextPiece) -> Iterator[TextPiece]:
        """What can be shown now that this piece has come."""
        if piece.thinking != self._thinking:
            yield from self.rest()
        text, self._thinking = self.keys.redact(self._held + piece.text), piece.thinking
        held = self.keys.begun(text)
        self._held = text[len(text) - held :]
        if shown := text[: len(text) - held]:
            yield TextPiece(shown, piece.thinking)

    def rest(self) -> Iterator[TextPiece]:
        """What was held back and turned out to be no key."""
        held, self._held = self._held, ""
        if held:
            yield TextPiece(held, self._thinking)


def _response_without_keys(response: ModelResponse, keys: Keys) -> ModelResponse:
    """Text and calls; reasoning is signed and goes back as it came."""
    tool_calls = tuple(replace(call, raw=keys.redact(call.raw)) for call in response.tool_calls)
    return replace(response, text=keys.redact(response.text), tool_calls=tool_calls)


def discreet(tool: Tool[Any], keys: Keys) -> Tool[Any]:
    """The tool, its results and errors without keys."""

    async def run(arguments: Any, context: ToolContext) -> ToolResult:
        tell = context.progress
        quiet = replace(context, progress=lambda text: tell(keys.redact(text)))
        try:
            result = await tool.run(arguments, quiet)
        except ToolError as error:
            raise without_keys(error, keys) from None
        except DexterError as error:
            raise without_keys(error, keys) from None
        return _result_without_keys(result, keys)

    return replace(tool, run=run) if keys.any_set else tool


def _result_without_keys(result: ToolResult, keys: Keys) -> ToolResult:
    return replace(
        result,
        text=keys.redact(result.text),
        notes=tuple(keys.redact(note) for note in result.notes),
        tried=tuple(replace(attempt, reason=keys.redact(attempt.reason)) for attempt in result.tried),
        sources=tuple(
            replace(source, title=keys.redact(source.title), url=keys.redact(source.url)) for source in result.sources
        ),
        data={name: _value_without_keys(value, keys) for name, value in result.data.items()},
        untrusted=tuple(keys.redact(origin) for origin in result.untrusted),
    )


def _value_without_keys(value: Any, keys: Keys) -> Any:
    if isinstance(value, str):
        return keys.redact(value)
    if isinstance(value, Mapping):
        return {name: _value_without_keys(item, keys) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_value_without_keys(item, keys) for item in value)
    return value
