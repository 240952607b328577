from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.evals.numeric import check_figure, figures_in
from dexter.evals.questions import Figure

REVENUE = Figure(Decimal(130_497_000_000), "money", "USD", ticker="NVDA", period="FY2025", period_end="2025-01-26")
FALL = Figure(Decimal("-0.123"), "percent")
LOSS = Figure(Decimal(-18_756_000_000), "money", "USD")
EPS = Figure(Decimal("0.385"), "per_share", "USD")
CHANGE = Figure(Decimal("0.023"), "points")
SHARES = Figure(Decimal(24_300_000_000), "shares")
MARGIN = Figure(Decimal("0.7107"), "percent", ticker="NVDA", period="FY2026", concept="GrossMargin")
CALLED = Figure(Decimal(130_497_000_000), "money", "USD", ticker="NVDA", period="FY2025", concept="Revenues")
COUNT = Figure(Decimal(12), step=Decimal(1))
TABLE = "|period|Revenue (USD million)|\n|-|-|\n|FY2025|130,497|\n|FY2024|60,922|\n"

RIGHT = [
    (REVENUE, "NVIDIA's revenue in fiscal 2025 was $130.5 billion."),
    (REVENUE, "$130,497 million"),
    (REVENUE, "130.5 billion"),
    (REVENUE, "130497000000"),
    (REVENUE, "about $130 billion"),
    (REVENUE, "Revenue rose 114% to $130.5 billion in fiscal 2025 from $60.9 billion in fiscal 2024."),
    (REVENUE, TABLE),
    (FALL, "Revenue fell 12.3%."),
    (FALL, "-12.3%"),
    (FALL, "(12.3)%"),
    (FALL, "-0.123"),
    (LOSS, "Intel had a net loss of $18.756 billion."),
    (LOSS, "Net income was -$18.8 billion."),
    (EPS, "Diluted EPS was $0.385."),
    (EPS, "Diluted EPS was $0.39 per share."),
    (CHANGE, "The margin rose by 2.3 percentage points."),
    (CHANGE, "The margin rose by 230 basis points."),
    (SHARES, "24.3 billion shares"),
    (REVENUE, "In billions of US dollars: 130.5"),
    (REVENUE, "The answer is 130.497 (in billions of dollars)."),
    (REVENUE, "In USD millions, fiscal 2025 revenue was 130,497."),
    (REVENUE, "Revenue (in US$ bn): 130.5"),
    (REVENUE, "It was not only $130.5 billion but a record."),
    (REVENUE, "NVIDIA's revenue was $130.5 billion, not $60.9 billion."),
    (REVENUE, "NVIDIA's revenue wasn't $60.9 billion; it was $130.5 billion."),
    (REVENUE, "$130.5 billion, or $130,497 million"),
    (CALLED, "NVIDIA's revenue in fiscal 2025 was $130.5 billion; its net income was $72.9 billion."),
    (CALLED, "$130.5 billion"),
    (MARGIN, "Gross margin: 71.1%"),
    (COUNT, "There were 12."),
]
WRONG = [
    (REVENUE, "$130.5 million", "scale"),
    (REVENUE, "130.5%", "unit"),
    (REVENUE, "-$130.5 billion", "sign"),
    (REVENUE, "€130.5 billion", "currency"),
    (REVENUE, "$131 billion", "rounding"),
    (REVENUE, "over $100 billion", "too coarse"),
    (REVENUE, "NVIDIA's fiscal 2024 revenue was $130.5 billion.", "another period"),
    (REVENUE, "AMD's revenue was $130.5 billion.", "another company"),
    (REVENUE, TABLE.replace("million", "thousand"), "scale in the head of a table"),
    (REVENUE, f"{TABLE}\nThese are AMD's figures.", "the only company named is another"),
    (CHANGE, "The margin changed by -2.3 percentage points (230 bps).", "the other sign"),
    (REVENUE, "NVIDIA's revenue in FY2025 was $130.5 billion. NVIDIA's revenue in FY2025 was $120 billion.", "both"),
    (REVENUE, "There is no such figure.", "none"),
    (FALL, "Revenue grew 12.3%.", "direction"),
    (FALL, "12.3%", "sign"),
    (FALL, "-12.3 percentage points", "points for percent"),
    (FALL, "-12.3", "no percent sign"),
    (FALL, "-12%", "too coarse"),
    (LOSS, "Net income was $18.756 billion.", "sign"),
    (EPS, "Diluted EPS was $0.385 billion.", "scale"),
    (EPS, "Diluted EPS was $0.4.", "too coarse"),
    (CHANGE, "The margin rose by 2.3%.", "percent for points"),
    (SHARES, "$24.3 billion", "money for shares"),
    (REVENUE, "In millions of US dollars: 130.5", "scale of the whole sentence"),
    (REVENUE, "It was not $130.5 billion but $60.9 billion.", "denied"),
    (REVENUE, "It was $60.9 billion rather than $130.5 billion.", "denied"),
    (REVENUE, "Either $60.9 billion, $130.5 billion or $27.0 billion.", "one of three"),
    (REVENUE, "$130.5 billion or $60.9 billion", "one of two"),
    (CALLED, "NVIDIA's net income in fiscal 2025 was $130.5 billion.", "another figure"),
    (CALLED, "|fiscal 2025|NVDA|\n|-|-|\n|Net income (USD million)|130,497|", "another figure of a table"),
    (MARGIN, "Operating margin: 71.1%", "another margin"),
    (COUNT, "There were 12 or 13.", "one of two"),
]


@pytest.mark.parametrize(("figure", "answer"), RIGHT)
def test_a_figure_is_right_in_any_clothes(figure: Figure, answer: str):
    """Scale, rounding, tables and words of direction are read; the figure is what counts."""
    assert check_figure(figure, figures_in(answer)).met


@pytest.mark.parametrize(("figure", "answer", "why"), WRONG)
def test_the_right_digits_with_something_wrong_fail(figure: Figure, answer: str, why: str):
    """A wrong unit, scale, sign, period or company makes the right digits wrong."""
    assert not check_figure(figure, figures_in(answer)).met, why


def test_a_given_rounding_is_matched_by_a_finer_answer():
    """An answer that is given as 44.1 % is met by 44.13 %, not by 44.2 %."""
    given_rounded = Figure(Decimal("0.441"), "percent", step=Decimal("0.001"))
    assert check_figure(given_rounded, figures_in("The margin was 44.13%.")).met
    assert not check_figure(given_rounded, figures_in("The margin was 44.2%.")).met


def test_a_tolerance_is_a_share_of_the_value():
    """With a tolerance of 2 % an answer may miss by that much and no more."""
    figure = Figure(Decimal(1_000_000_000), "money", "USD", tolerance=Decimal("0.02"))
    assert check_figure(figure, figures_in("$1.02 billion")).met
    assert not check_figure(figure, figures_in("$1.03 billion")).met


@given(st.integers(100_000_000, 10**13), st.integers(2, 6))
def test_rounding_to_three_digits_or_more_is_right_and_one_digit_off_is_wrong(value: int, places: int):
    """Whatever the amount: rounded to at least three digits it is right, with its last digit changed wrong."""
    figure = Figure(Decimal(value), "money", "USD")
    step = Decimal(10) ** (Decimal(value).adjusted() - places)
    rounded = Decimal(value).quantize(step) if step >= 1 else Decimal(value)
    assert check_figure(figure, figures_in(f"${rounded:f}")).met
    assert not check_figure(figure, figures_in(f"${(rounded + 2 * step) / 10**6:f} million")).met
