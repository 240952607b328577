"""Every model call of a run is counted, also those that stages make: summaries and notes cost money too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from dexter.agent.budget import BudgetReachedError, affordable_output
from dexter.context.tokens import estimate
from dexter.errors import ModelError
from dexter.messages import Messages, ToolSpec
from dexter.models.protocol import Model, ModelInfo, ModelResponse, StreamItem, ToolChoice
from dexter.usage import Usage

Spend = Callable[[Usage | None, Decimal | None], None]
# No count by the provider corrects these estimates; they err by a few per cent.
_SAFETY = Decimal("1.1")


@dataclass(frozen=True)
class Metered:
    """A model whose answers are told to `spend` (usage, cost in USD or None where unknown).

    `left_usd` tells what the run's budget still has, None where there is none. A call gets no more room for output than
    that pays for, at least `least_output` tokens.
    """

    model: Model
    spend: Spend
    left_usd: Callable[[], Decimal | None] = lambda: None
    least_output: int = 1

    @property
    def info(self) -> ModelInfo:
        """That of the model."""
        return self.model.info

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """The model's stream, its answer counted.

        Raises:
            ModelError: of kind `billing`: the call could cost more than is left; it was not made.
        """
        max_tokens = self._affordable(messages, max_tokens)
        async for item in self.model.stream(messages, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
            if isinstance(item, ModelResponse):
                self.spend(item.usage, item.cost_usd)
            yield item

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The model's own count."""
        return await self.model.count(messages, tools=tools)

    def _affordable(self, messages: Messages, max_tokens: int) -> int:
        try:
            return affordable_output(
                max_tokens,
                input_tokens=int(estimate(messages) * _SAFETY),
                prices=self.info.prices,
                left_usd=self.left_usd(),
                least=self.least_output,
            )
        except BudgetReachedError as error:
            raise ModelError(error.message, kind="billing", remedy=error.remedy) from error
