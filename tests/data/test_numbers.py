from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.numbers import EXACT, MILLION, THOUSAND, Scale, price, scale_for, significant


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("68127", "68,127"),
        ("0.71068", "0.7107"),
        ("0.082", "0.082"),
        ("12345.678", "12,346"),
        ("-0.00012345", "-0.0001235"),
    ],
)
def test_four_significant_digits_or_all_there_are(value: str, shown: str) -> None:
    """Whole numbers stay whole, others keep four digits, and no digit is made up."""
    assert significant(Decimal(value)) == shown


@given(st.decimals("-1e30", "1e30", allow_nan=False))
def test_rounding_never_costs_more_than_the_fourth_digit(value: Decimal) -> None:
    """What is shown differs from the value by half of its fourth digit at most."""
    shown = Decimal(significant(value).replace(",", ""))
    assert abs(shown - value) <= Decimal(5).scaleb(value.adjusted() - 4) if value else shown == 0


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        (["68127000000", "976000000"], MILLION),
        (["68127500000", "976000000"], THOUSAND),
        (["68127500123", "976000000"], MILLION),
        (["1234567.89"], THOUSAND),
        (["123"], EXACT),
        ([], EXACT),
    ],
)
def test_the_scale_loses_no_digit_where_it_can(values: list[str], scale: Scale) -> None:
    """Millions where all are whole millions, else thousands, else what leaves the largest four digits."""
    assert scale_for([Decimal(value) for value in values]) == scale


def test_a_price_has_cents_and_every_digit_it_has() -> None:
    """Nothing of a close is rounded away."""
    assert [price(Decimal(close)) for close in ("172.7", "172", "169.468")] == ["172.70", "172.00", "169.468"]
