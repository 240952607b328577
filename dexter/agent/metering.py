"""Every model call of a run is counted, also those that stages make: summaries and notes cost money too."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from dexter.agent.budget import BudgetReachedError, affordable_output
from dexter.context.tokens import estimate
from dexter.errors import ModelError
from dexter.messages import Messages, ToolSpec
from dexter.models.pricing import dearest_cost
from dexter.models.protocol import Model, ModelInfo, ModelResponse, StreamItem, ToolChoice
from dexter.text import estimate_tokens
from dexter.usage import Usage

Spend = Callable[[Usage | None, Decimal | None], None]
# No count by the provider corrects these estimates; they err by a few per cent.
_SAFETY = Decimal("1.1")


@dataclass(frozen=True)
class Metered:
    """A model whose answers are told to `spend` (usage, cost in USD or None where unknown).

    `left_usd` tells what the run's budget still has, None where there is none. A call gets no more room for output than
    that pays for, at least `least_output` tokens. `charge` counts an estimate against it where nobody told a cost.
    """

    model: Model
    spend: Spend
    left_usd: Callable[[], Decimal | None] = lambda: None
    least_output: int = 1
    charge: Callable[[Decimal], None] = lambda _cost: None

    @property
    def info(self) -> ModelInfo:
        """That of the model."""
        return self.model.info

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        """The model's stream, its answer counted.

        Raises:
            ModelError: of kind `billing`: the call could cost more than is left, or nobody knows what; it was not made.
        """
        max_tokens = self._affordable(messages, max_tokens)
        written = ""
        try:
            async for item in self.model.stream(messages, tools=tools, tool_choice=tool_choice, max_tokens=max_tokens):
                if isinstance(item, ModelResponse):
                    self.spend(item.usage, item.cost_usd)
                    if item.cost_usd is None:
                        self._charge_estimate(messages, item.text)
                else:
                    written += item.text
                yield item
        except ModelError as error:
            if written or error.begun:
                self._charge_estimate(messages, written)
            raise

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        """The model's own count."""
        return await self.model.count(messages, tools=tools)

    def _charge_estimate(self, messages: Messages, written: str) -> None:
        tokens = _with_safety(messages), estimate_tokens(written)
        self.charge(dearest_cost(*tokens, self.info.prices))

    def _affordable(self, messages: Messages, max_tokens: int) -> int:
        if self.left_usd() is not None and self.info.prices is None:
            raise ModelError(
                f"The prices of {self.info.name} are not known, so a budget can't be kept.", kind="billing"
            )
        try:
            return affordable_output(
                max_tokens,
                input_tokens=_with_safety(messages),
                prices=self.info.prices,
                left_usd=self.left_usd(),
                least=self.least_output,
            )
        except BudgetReachedError as error:
            raise ModelError(error.message, kind="billing", remedy=error.remedy) from error


def _with_safety(messages: Messages) -> int:
    return int(estimate(messages) * _SAFETY)
