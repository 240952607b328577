from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dexter.models.pricing import affordable_output, cost_of
from dexter.models.protocol import Prices
from dexter.usage import Usage

LONG = Prices(Decimal("4e-6"), Decimal("20e-6"), Decimal("4e-7"), Decimal("5e-6"))
PRICES = Prices(Decimal("2e-6"), Decimal("10e-6"), Decimal("2e-7"), Decimal("2.5e-6"), 200_000, LONG)
counts = st.integers(0, 300_000)
usages = st.builds(Usage, counts, counts, counts, counts)


def test_each_kind_of_token_has_its_price():
    """Uncached, cache read, cache write and output are priced apart, exactly."""
    usage = Usage(input_uncached=1_000, cache_read=10_000, cache_write=2_000, output=500, thinking=200)
    assert cost_of(usage, PRICES) == Decimal("0.014")


def test_a_long_request_costs_its_own_price_as_a_whole():
    """Above the size the whole request is charged at the higher price."""
    assert cost_of(Usage(input_uncached=200_000), PRICES) == Decimal("0.4")
    assert cost_of(Usage(input_uncached=200_001), PRICES) == Decimal("0.800004")


def test_an_unknown_price_is_no_zero():
    """Cost n/a stays None."""
    assert cost_of(Usage(output=5), None) is None


@given(usages)
def test_caching_never_costs_more_than_the_bound_a_budget_assumes(usage):
    """A call kept within `affordable_output` never costs more than what was left."""
    left = Decimal("0.5")
    room = affordable_output(left, usage.input, PRICES, usage.output)
    if room > 0:
        spent = cost_of(Usage(usage.input_uncached, usage.cache_read, usage.cache_write, room), PRICES)
        assert spent is not None
        assert spent <= left


def test_the_budget_lowers_the_output_room():
    """What is left after the input pays for so many output tokens, and for none where the input alone is too dear."""
    assert affordable_output(Decimal("0.035"), 10_000, PRICES, 16_000) == 1_000
    assert affordable_output(Decimal(10), 10_000, PRICES, 16_000) == 16_000
    assert affordable_output(Decimal("0.02"), 10_000, PRICES, 16_000) == 0


def test_without_prices_nothing_is_limited():
    """A budget cannot be reckoned without a price; free models are never limited."""
    assert affordable_output(Decimal("0.01"), 10_000, None, 16_000) == 16_000
    free = Prices(Decimal(0), Decimal(0), Decimal(0), Decimal(0))
    assert affordable_output(Decimal(0), 10_000, free, 16_000) == 16_000
