"""Every model call of a run is counted, also those that stages make: summaries and notes cost money too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import Model, ModelInfo, ModelResponse, StreamItem, ToolChoice
from dexter.usage import Usage

Spend = Callable[[Usage | None, Decimal | None], None]


@dataclass(frozen=True)
class Metered:
    """A model whose answers are told to `spend` (usage, cost in USD or None where unknown)."""

    model: Model
    spend: Spend

    @property
    def info(self) -> ModelInfo:
        """That of the model."""
        return self.model.info

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """The model's stream, its answer counted."""
        async for item in self.model.stream(messages, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
            if isinstance(item, ModelResponse):
                self.spend(item.usage, item.cost_usd)
            yield item

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The model's own count."""
        return await self.model.count(messages, tools=tools)
