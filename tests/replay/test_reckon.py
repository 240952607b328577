"""What requests cost, and which figures a view holds."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dexter.messages import SystemMessage, ToolMessage, ToolSpec, UserMessage
from dexter.models.protocol import Prices
from dexter.replay.reckon import FiguresInView, Reckoner, factor_of, numbers_in
from dexter.usage import Usage

TOOLS = (ToolSpec("t", "A tool.", {}),)
PRICES = Prices(Decimal(1), Decimal(5), Decimal("0.1"), Decimal("1.25"))


def test_what_two_requests_share_from_the_beginning_was_cached():
    """The first request is written to the cache, of the next only what is new; after an edit the rest is new again."""
    reckoner = Reckoner(TOOLS, prices=PRICES)
    view = (SystemMessage("m0", "s" * 400), UserMessage("m1", "q" * 400), ToolMessage("m2", 1, content="r" * 400))
    first = reckoner.usage(view[:2], 10)
    assert (first.cache_read, first.cache_write) == (0, reckoner.tokens(view[:2]))
    second = reckoner.usage(view, 10)
    assert (second.cache_read, second.input) == (first.input, reckoner.tokens(view))
    edited = (view[0], UserMessage("m1", "other"), view[2])
    assert reckoner.usage(edited, 10).cache_read == reckoner.tokens(view[:1])
    assert reckoner.cost(Usage(cache_read=100, cache_write=100, output=10)) == Decimal(10 + 125 + 50)


def test_without_prices_there_is_no_cost():
    """It is unknown, not nothing."""
    assert Reckoner(TOOLS).cost(Usage(1, output=1)) is None


@given(st.floats(0.5, 2), st.lists(st.integers(100, 100_000), min_size=1, max_size=9))
def test_estimates_are_calibrated_by_what_the_provider_counted(ratio, estimates):
    """The factor is that of the counts; nothing counted leaves the estimates as they are."""
    assert abs(factor_of((round(ratio * e), e) for e in estimates) - ratio) < 0.01
    assert factor_of([(0, e) for e in estimates]) == 1.0


def test_which_numbers_count():
    """Three digits or more, whatever their grouping; no years, no parts of words."""
    assert numbers_in("26,044 and 26044; 12.5 %; 1,234.50; in 2024; Q3; 7; mi300x; 0001045810-26-000021") == {
        "26044",
        "12.5",
        "1234.50",
        "0001045810",
        "000021",
    }


def test_figures_in_view_follow_the_view():
    """A figure whose message leaves the view is not in view, unless another message has it."""
    figures = FiguresInView()
    figures.learn("26,044 and 60,922")
    one, other = ToolMessage("m1", 1, content="26,044"), UserMessage("m2", "60,922 against 26044")
    assert figures.look((one,)) == (1, 2)
    assert figures.look((one, other)) == (2, 2)
    assert figures.look((other,)) == (2, 2)
    assert figures.look(()) == (0, 2)
