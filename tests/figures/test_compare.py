"""One figure in different clothes is one; another figure is not."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dexter.figures.compare import same, says
from dexter.figures.find import find_in_cell, find_numbers
from dexter.figures.numbers import Number


def number(text: str) -> Number:
    """The number of a text, bare ones too."""
    (found,) = find_numbers(text) or find_in_cell(text)
    return found


@pytest.mark.parametrize(
    ("one", "other", "rate"),
    [
        ("26,044 million", "$26.0B", False),
        ("$26.04 billion", "26044000000", False),
        ("(1,234)", "−1,234", False),
        ("12.5 %", "0.125", True),
        ("12.5%", "12.5 percent", False),
        ("2159.38亿美元", "$215.9 billion", False),
        ("277 bps", "2.77 percentage points", False),
        ("$4.90", "$4.90 per share", False),
        ("0.1 million", "100,000", False),
    ],
)
def test_equal_figures_in_other_clothes_are_equal(one: str, other: str, rate: bool) -> None:
    """Scale, rounding, sign and percent are ways to write one figure, in either order."""
    assert same(number(one), number(other), rate=rate)
    assert same(number(other), number(one), rate=rate)


@pytest.mark.parametrize(
    ("one", "other", "rate"),
    [
        ("26,044 million", "$26.1B", False),
        ("26,044 million", "26,044 billion", False),
        ("(1,234)", "1,234", False),
        ("12.5 %", "0.125", False),
        ("12.5 %", "12.5×", False),
        ("$26.0B", "€26.0B", False),
        ("12.5%", "12.6%", False),
        ("$26 billion", "26 billion shares", False),
    ],
)
def test_different_figures_are_different(one: str, other: str, rate: bool) -> None:
    """A digit, a scale, a sign, a currency or a unit apart is another figure."""
    assert not same(number(one), number(other), rate=rate)
    assert not same(number(other), number(one), rate=rate)


@given(
    value=st.decimals(min_value=-(10**12), max_value=10**12, places=3, allow_nan=False),
    places=st.integers(min_value=-9, max_value=2),
)
def test_a_value_is_said_by_every_rounding_of_itself_and_by_no_neighbour(value: Decimal, places: int) -> None:
    """Rounded to any digits a value is still said; one unit of the last digit further it no longer is."""
    step = Decimal(1).scaleb(-places)
    rounded = (value / step).to_integral_value() * step
    written = Number(0, 1, "", rounded, step, "money", "USD")
    assert says(written, value)
    for away in (2 * step, -2 * step, 10 * step):
        assert not says(replace(written, value=rounded + away), value)


@given(
    value=st.integers(min_value=100, max_value=999),
    other=st.integers(min_value=100, max_value=999),
    scale=st.sampled_from([" million", " billion", "%", "×"]),
)
def test_two_numbers_of_the_same_digits_given_are_the_same_only_if_equal(value: int, other: int, scale: str) -> None:
    """Where neither is the coarser one, nothing but equality will do."""
    assume(value != other)
    assert not same(number(f"{value}{scale}"), number(f"{other}{scale}"))
    assert same(number(f"{value}{scale}"), number(f"{value}.0{scale}"))


@pytest.mark.parametrize(
    ("text", "value", "is_said"),
    [
        ("about $200 billion", "215.9e9", False),
        ("about $220 billion", "215.9e9", True),
        ("more than $215 billion", "215.9e9", True),
        ("more than $216 billion", "215.9e9", False),
        ("nearly $216 billion", "215.9e9", True),
        ("nearly $215 billion", "215.9e9", False),
        ("$215 billion", "215.9e9", False),
    ],
)
def test_hedges_widen_a_number_only_to_their_side(text: str, value: str, is_said: bool) -> None:
    """More than lies below the value, nearly above it, about rounds to the digits that are no closing zeros."""
    assert says(number(text), Decimal(value)) is is_said
