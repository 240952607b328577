"""Numbers in text: what counts, what each is worth, and how exactly it was given."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.figures.find import find_in_cell, find_numbers


@pytest.mark.parametrize(
    ("text", "value", "step", "unit", "currency"),
    [
        ("26,044 million", "26044000000", "1e6", "plain", ""),
        ("$26.0B", "26.0e9", "1e8", "money", "USD"),
        ("US$ 12 mn", "12e6", "1e6", "money", "USD"),
        ("USD 4.2 trillion", "4.2e12", "1e11", "money", "USD"),
        ("26.04 billion USD", "26.04e9", "1e7", "money", "USD"),
        ("4,196,610 USD million", "4196610e6", "1e6", "money", "USD"),
        ("HK$3.2bn", "3.2e9", "1e8", "money", "HKD"),
        ("€1.5m", "1.5e6", "1e5", "money", "EUR"),
        ("$5k", "5000", "1000", "money", "USD"),
        ("$(1,234) million", "-1234e6", "1e6", "money", "USD"),
        ("($1,234) million", "-1234e6", "1e6", "money", "USD"),
        ("-$5.2 bn", "-5.2e9", "1e8", "money", "USD"),
        ("$-5.2 bn", "-5.2e9", "1e8", "money", "USD"),
        ("−7%", "-0.07", "0.01", "percent", ""),
        ("–7%", "-0.07", "0.01", "percent", ""),
        ("(12.5)%", "-0.125", "0.001", "percent", ""),
        ("12.5 %", "0.125", "0.001", "percent", ""),
        ("12.5 percent", "0.125", "0.001", "percent", ""),
        ("277 bps", "0.0277", "0.0001", "points", ""),
        ("+2.77 percentage points", "0.0277", "0.0001", "points", ""),
        ("6.23×", "6.23", "0.01", "times", ""),
        ("35.2x", "35.2", "0.1", "times", ""),
        ("$4.90 per diluted share", "4.90", "0.01", "per_share", "USD"),
        ("24,432 million shares", "24432e6", "1e6", "shares", ""),
        ("2159.38亿美元", "215938e6", "1e6", "money", "USD"),
        ("1.2万亿元", "1.2e12", "1e11", "money", "CNY"),
        ("5万股", "50000", "10000", "shares", ""),
        ("2.77个百分点", "0.0277", "0.0001", "points", ""),
        ("12.5％", "0.125", "0.001", "percent", ""),
        ("3.5倍", "3.5", "0.1", "times", ""),
    ],
)
def test_a_number_is_worth_what_a_reader_takes_it_for(
    text: str, value: str, step: str, unit: str, currency: str
) -> None:
    """Scale, sign, currency and unit are read in English and Chinese, and the step is that of the last digit given."""
    (number,) = find_numbers(f"It was {text} then.")
    assert (number.value, number.step) == (Decimal(value), Decimal(step))
    assert (number.unit, number.currency) == (unit, currency)


@pytest.mark.parametrize(
    "text",
    [
        "in 2025, Q3 FY2026 and 1999",
        "on January 25, 2026, 2026-01-25, 25 January 2026 or 01/25/2026",
        "see the 10-K, 10-Q, 8-K/A, 20-F, 13F and DEF 14A",
        "Item 7, Item 1A, Note 12, Exhibit 99.1, Level 3, ASC 606, Section 404",
        "result #7, 0001045810-26-000052, CIK 1045810",
        "https://www.sec.gov/Archives/edgar/data/1045810/000104581026000052/5%25.htm",
        "[10-K](https://x.example/12%)",
        "3M, the S&P 500, a 401k, 5G, the A100, Covid-19, the 10th of 12 firms",
        "1. first\n2) second",
        "2026财年第三季度，2025年1月25日",
        "version 1.2.3 at 10:30",
        "36 months and 12 segments",
    ],
)
def test_what_names_a_thing_is_no_figure(text: str) -> None:
    """Years, dates, forms, items, ids, addresses, numbering and bare counts are not figures."""
    assert find_numbers(text) == ()


def test_parentheses_around_a_whole_amount_only_set_it_apart() -> None:
    """($6.0 billion) in a sentence is six billion; only accounts write minus like that."""
    (number,) = find_numbers("capital expenditures ($6.0 billion) rose")
    assert number.value == Decimal("6.0e9")


def test_both_ends_of_a_range_have_unit_and_scale() -> None:
    """What the second number says counts for the first one, and a currency for both."""
    assert [number.value for number in find_numbers("10–12%")] == [Decimal("0.10"), Decimal("0.12")]
    low, high = find_numbers("from $10 to $12 billion")
    assert (low.value, high.value) == (Decimal("1e10"), Decimal("1.2e10"))
    first, second = find_numbers("$10-12 billion")
    assert first.currency == second.currency == "USD"


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("253,491*", "253491"),
        ("34,639[6]", "34639"),
        ("(1,234)", "-1234"),
        ("$(1,234)", "-1234"),
        ("(12.5%)", "-0.125"),
        (" 65.47% ", "0.6547"),
    ],
)
def test_a_cell_of_a_table_counts_without_a_unit(cell: str, value: str) -> None:
    """A bare number counts in a cell; marks of footnotes are none of it and parentheses make it negative."""
    (number,) = find_in_cell(cell)
    assert number.value == Decimal(value)


@pytest.mark.parametrize("cell", ["2025", "–", "n/a", "FY2026", "2026-01-25", "#7"])
def test_a_cell_without_a_figure_has_none(cell: str) -> None:
    """Years, dates and ids are no figures in a cell either."""
    assert find_in_cell(cell) == ()


def test_words_before_a_number_say_how_it_is_meant() -> None:
    """About, more than and nearly are kept with the number."""
    hedges = [n.hedge for n in find_numbers("about $200 billion, more than 5%, nearly $3 million, exactly $4")]
    assert hedges == ["about", "over", "under", ""]


@given(
    digits=st.integers(min_value=0, max_value=10**9),
    decimals=st.integers(min_value=0, max_value=4),
    scale=st.sampled_from([("", 0), (" million", 6), (" billion", 9), ("bn", 9), ("万", 4), ("亿", 8)]),
    sign=st.sampled_from(["", "-", "−"]),
    around=st.sampled_from(["{}", "revenue of {} in FY2025", "营收为{}。", "({})", "a; {}, b"]),
)
def test_any_amount_written_is_read_back(
    digits: int, decimals: int, scale: tuple[str, int], sign: str, around: str
) -> None:
    """Whatever stands around it, an amount is read as it was written, at the place where it stands."""
    exact = Decimal(digits).scaleb(-decimals)
    written = f"{sign}${exact:,.{decimals}f}{scale[0]}"
    text = around.format(written)
    (number,) = find_numbers(text)
    assert number.value == (-exact if sign else exact).scaleb(scale[1])
    assert number.step == Decimal(1).scaleb(scale[1] - decimals)
    assert text[number.start : number.end] == number.text == written


@pytest.mark.parametrize("unit", ["9", "aB3x9Z7q", "9.", "1-", "a.b", "]("])
def test_one_unbroken_run_of_a_hundred_thousand_characters_is_read_through(unit: str) -> None:
    """A picture as text or a key in a result holds nothing up: reading it again from each place would take minutes."""
    assert find_numbers((unit * 100_000)[:100_000]) == ()


@given(st.text(max_size=300))
def test_no_text_breaks_it(text: str) -> None:
    """Any text is read without an error, and every number stands where it says."""
    for number in (*find_numbers(text), *find_in_cell(text), *find_numbers(text, bare=True)):
        assert text[number.start : number.end] == number.text
        assert number.step > 0


def test_a_day_before_a_comma_is_a_day():
    """`2025-12-31, a change` holds no 12 and no 31."""
    assert find_numbers("ended 2025-12-31, a change of 5%", bare=True)[0].text == "5%"
