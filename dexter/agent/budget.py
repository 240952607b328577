"""A limit in USD: room for output shrinks to what is left, and the call that could go over it is not made."""

from __future__ import annotations

from decimal import Decimal

from dexter.errors import DexterError, UsageError
from dexter.models import pricing
from dexter.models.protocol import ModelInfo, Prices


class BudgetReachedError(DexterError):
    """The next call could cost more than is left."""


def check_budget(budget_usd: Decimal | None, info: ModelInfo) -> None:
    """A budget needs prices.

    Raises:
        UsageError: the model's prices are unknown, so no budget can be kept.
    """
    if budget_usd is not None and info.prices is None:
        raise UsageError(
            f"The prices of {info.name} are not known, so a budget can't be kept.",
            remedy="Leave out --budget-usd, or choose a model whose prices `dexter models` shows.",
        )


def affordable_output(
    max_tokens: int, *, input_tokens: int, prices: Prices | None, left_usd: Decimal | None, least: int
) -> int:
    """Output tokens the budget allows, at most `max_tokens`; the input is priced as if all of it were newly cached.

    Raises:
        BudgetReachedError: fewer than `least` tokens of output would fit.
    """
    if left_usd is None:
        return max_tokens
    allowed = pricing.affordable_output(left_usd, input_tokens, prices, max_tokens)
    if allowed < min(least, max_tokens):
        raise BudgetReachedError(
            f"The budget is used up: {left_usd:.4f} USD are left, and the next call could cost more.",
            remedy="`dexter resume` with a larger --budget-usd goes on from here.",
        )
    return allowed
