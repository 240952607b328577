"""Numbers as answers write them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.offline.amounts import Amount, in_sentence, in_table


@pytest.mark.parametrize(
    ("amount", "table", "english", "chinese"),
    [
        (Amount(Decimal(130497000000), "money", "USD"), "130,497", "$130.497 billion", "1,304.97亿美元"),
        (Amount(Decimal(-267000000), "money", "USD"), "-267", "-$267 million", "-2.67亿美元"),
        (Amount(Decimal(4196610000000), "money", "USD"), "4,196,610", "$4.197 trillion", "41,966.10亿美元"),
        (Amount(Decimal(5000000000), "money", "TWD"), "5,000", "TWD 5 billion", "50.00亿TWD"),
        (Amount(Decimal("4.9"), "per_share", "USD"), "4.90", "$4.90", "4.90美元"),
        (Amount(Decimal("0.385"), "per_share", "USD"), "0.385", "$0.385", "0.385美元"),
        (Amount(Decimal("6.472962962962963"), "per_share", "USD"), "6.47", "$6.47", "6.47美元"),
        (Amount(Decimal(24300000000), "shares"), "24,300", "24.3 billion shares", "243.00亿股"),
        (Amount(Decimal("0.7106808"), "percent"), "71.1%", "71.1%", "71.1%"),
        (Amount(Decimal("0.0342"), "percent"), "3.42%", "3.42%", "3.42%"),
        (Amount(Decimal("-0.00505175"), "percent"), "-0.505%", "-0.505%", "-0.505%"),
        (Amount(Decimal("35.2449"), "times"), "35.24×", "35.24×", "35.24倍"),
        (Amount(Decimal("0.04748"), "times"), "0.04748×", "0.04748×", "0.04748倍"),
    ],
)
def test_each_unit_has_its_form(amount: Amount, table: str, english: str, chinese: str):
    """Exact in millions in tables, short in sentences, and never fewer than three digits of a ratio."""
    assert in_table(amount) == table
    assert in_sentence(amount, "en") == english
    assert in_sentence(amount, "zh") == chinese


def test_points_are_given_as_basis_points_too():
    """A change of a percentage is in points, not percent."""
    assert in_sentence(Amount(Decimal("-0.0206"), "points"), "en", signed=True) == "-2.06 percentage points (206 bps)"


def test_a_gain_carries_its_sign_where_asked():
    """Changes are signed, levels are not."""
    amount = Amount(Decimal(1_500_000_000), "money", "USD")
    assert in_sentence(amount, "en", signed=True) == "+$1.5 billion"
    assert in_sentence(amount, "en") == "$1.5 billion"


@given(st.integers(-(10**15), 10**15))
def test_money_in_a_table_is_exact_to_the_million(value: int):
    """Whole millions lose no digit."""
    number = Decimal(value) * 1_000_000
    assert in_table(Amount(number, "money", "USD")).replace(",", "") == str(value)
