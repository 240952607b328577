"""Keys that come back: some providers repeat them in their errors. Nobody is to see or record them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from dexter.config.keys import Keys
from dexter.errors import DexterError, ToolError
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import Model, ModelInfo, StreamItem, ToolChoice
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
    """A model whose errors name no key."""

    model: Model
    keys: Keys

    @property
    def info(self) -> ModelInfo:
        """That of the model."""
        return self.model.info

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """The model's stream."""
        try:
            async for item in self.model.stream(messages, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
                yield item
        except DexterError as error:
            raise without_keys(error, self.keys) from None

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The model's own count."""
        return await self.model.count(messages, tools=tools)

    async def aclose(self) -> None:
        """Close the model's connections, if it holds any."""
        if close := getattr(self.model, "aclose", None):
            await close()


def discreet(tool: Tool[Any], keys: Keys) -> Tool[Any]:
    """The tool, its results and errors without keys."""

    async def run(arguments: Any, context: ToolContext) -> ToolResult:
        try:
            result = await tool.run(arguments, context)
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
    )
