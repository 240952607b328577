"""What calls cost, and what a budget still allows."""

from __future__ import annotations

from decimal import Decimal

from dexter.models.protocol import Prices
from dexter.usage import Usage


def cost_of(usage: Usage, prices: Prices | None) -> Decimal | None:
    """USD for the tokens of one call; None where the price is unknown."""
    if prices is None:
        return None
    rate = _rate(prices, usage.input)
    return (
        usage.input_uncached * rate.input
        + usage.cache_read * rate.cache_read
        + usage.cache_write * rate.cache_write
        + usage.output * rate.output
    )


def dearest_cost(input_tokens: int, output_tokens: int, prices: Prices | None) -> Decimal:
    """USD for a call at most: the input as if all of it were written to the cache; 0 where there are no prices."""
    if prices is None:
        return Decimal(0)
    rate = _rate(prices, input_tokens)
    return input_tokens * max(rate.input, rate.cache_write) + output_tokens * rate.output


def affordable_output(left_usd: Decimal, input_tokens: int, prices: Prices | None, wanted: int) -> int:
    """How many output tokens a call may have so that it cannot cost more than is left: 0 to `wanted`.

    The input is taken at its dearest (nothing cached, all of it written to the cache). Without prices there is nothing
    to reckon with, and `wanted` stands.
    """
    if prices is None:
        return wanted
    rate = _rate(prices, input_tokens)
    room = left_usd - dearest_cost(input_tokens, 0, prices)
    if rate.output == 0:
        return wanted if room >= 0 else 0
    return max(0, min(wanted, int(room / rate.output)))


def _rate(prices: Prices, input_tokens: int) -> Prices:
    over = prices.long_over is not None and input_tokens > prices.long_over
    return prices.long if over and prices.long is not None else prices
