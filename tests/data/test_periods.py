from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.periods import FiscalQuarter, calendar_quarter, fiscal_quarter, fiscal_year, span_of


@pytest.mark.parametrize(
    ("end", "year"),
    [("2026-01-25", 2026), ("2026-01-03", 2025), ("2026-01-07", 2025), ("2026-01-08", 2026), ("2025-12-27", 2025)],
)
def test_a_fiscal_year_is_named_by_the_year_in_which_it_ends(end: str, year: int) -> None:
    """An end in the first week of January still closes the year before."""
    assert fiscal_year(date.fromisoformat(end)) == year


@pytest.mark.parametrize(
    ("end", "year_end", "label"),
    [
        ("2025-07-27", "01-25", "Q2 FY2026"),
        ("2026-01-25", "01-25", "Q4 FY2026"),
        ("2026-04-26", "01-25", "Q1 FY2027"),
        ("2025-12-27", "12-27", "Q4 FY2025"),
        ("2023-07-01", "09-30", "Q3 FY2023"),
        ("2022-07-02", "12-31", "Q2 FY2022"),
        ("2022-10-01", "12-31", "Q3 FY2022"),
        ("2026-01-03", "01-03", "Q4 FY2025"),
        ("2024-11-03", "11-02", "Q4 FY2024"),
        ("2025-02-02", "11-02", "Q1 FY2025"),
        ("2025-02-16", "08-31", "Q2 FY2025"),
        ("2025-05-24", "02-01", "Q1 FY2026"),
        ("2024-02-29", "02-29", "Q4 FY2024"),
    ],
)
def test_a_quarter_is_labelled_from_its_end_and_the_year_end(end: str, year_end: str, label: str) -> None:
    """52/53-week years, year ends in January and unequal quarters get the label analysts use."""
    assert fiscal_quarter(date.fromisoformat(end), year_end).label == label


@given(st.integers(1, 12), st.integers(2000, 2040), st.integers(0, 3), st.integers(-3, 3))
def test_quarters_of_any_year_end_count_up_by_one(month: int, year: int, quarter: int, drift: int) -> None:
    """Whatever the month a year ends in, and a few days of drift, successive quarter ends are successive quarters."""
    year_end = date(2001, month, 28).strftime("%m-%d")
    shift = timedelta(days=drift)

    def end_of(quarters: int) -> date:
        months = year * 12 + month - 1 + 3 * quarters
        return date(months // 12, months % 12 + 1, 28) + shift

    first = fiscal_quarter(end_of(quarter), year_end)
    assert fiscal_quarter(end_of(quarter + 1), year_end).before() == first
    assert fiscal_quarter(end_of(quarter + 4), year_end) == FiscalQuarter(first.year + 1, first.quarter)


@pytest.mark.parametrize(
    ("start", "end", "span"),
    [
        ("2025-07-28", "2025-10-26", "quarter"),
        ("2024-09-29", "2025-01-04", "quarter"),
        ("2025-01-27", "2025-07-27", "half"),
        ("2025-01-27", "2025-10-26", "nine_months"),
        ("2021-12-26", "2022-12-31", "year"),
        ("2025-04-01", "2025-04-30", None),
    ],
)
def test_a_length_of_time_tells_quarters_from_years_to_date(start: str, end: str, span: str | None) -> None:
    """A 370-day year is a year, six months are no quarter, a single month is nothing a statement has."""
    assert span_of(date.fromisoformat(start), date.fromisoformat(end)) == span


def test_a_balance_has_no_length() -> None:
    """Without a start it is an instant."""
    assert span_of(None, date(2025, 12, 31)) == "instant"


def test_a_calendar_quarter_is_where_most_of_the_fiscal_quarter_lies() -> None:
    """The quarter ended 2025-04-27 is mostly the first of 2025; one ended 2025-12-27 the fourth."""
    assert calendar_quarter(date(2025, 4, 27)) == FiscalQuarter(2025, 1)
    assert calendar_quarter(date(2025, 12, 27)) == FiscalQuarter(2025, 4)
