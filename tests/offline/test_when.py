"""The periods that questions name, in English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.offline.read_when import read_when
from dexter.offline.when import NOT_SAID, Label, When


def when(text: str) -> When:
    return read_when(text.lower())[0]


@pytest.mark.parametrize(
    ("text", "year", "period"),
    [
        ("FY2025", 2025, "FY"),
        ("fiscal year 2025", 2025, "FY"),
        ("FY'25", 2025, "FY"),
        ("in 2025", 2025, "FY"),
        ("Q3 2025", 2025, "Q3"),
        ("Q3 FY2026", 2026, "Q3"),
        ("3Q25", 2025, "Q3"),
        ("Q3'25", 2025, "Q3"),
        ("third quarter of fiscal 2026", 2026, "Q3"),
        ("the fourth quarter of 2025", 2025, "Q4"),
        ("fiscal 2026 Q1", 2026, "Q1"),
        ("first half of 2025", 2025, "H1"),
        ("H2 FY25", 2025, "H2"),
        ("nine-month sales in 2025", 2025, "9M"),
        ("2025财年", 2025, "FY"),
        ("2025年第三季度", 2025, "Q3"),
        ("2025年Q3", 2025, "Q3"),
        ("2024年上半年", 2024, "H1"),
    ],
)
def test_a_period_is_read_however_it_is_written(text: str, year: int, period: str):
    """One label for every usual spelling."""
    assert when(text).labels == (Label(year, period),)


@pytest.mark.parametrize(
    "text", ["from FY2021 to FY2024", "2021–2024", "FY2021-FY2024", "between 2021 and 2024", "fy21-24", "2021到2024年"]
)
def test_a_range_has_two_ends(text: str):
    """Everything between the two is meant."""
    said = when(text)
    assert said.through
    assert said.labels == (Label(2021), Label(2024))


def test_quarters_without_a_year_take_their_neighbours():
    """Both quarters of "Q1 and Q2 of fiscal 2026" are of that year."""
    assert when("Q1 and Q2 of fiscal 2026").labels == (Label(2026, "Q1"), Label(2026, "Q2"))


@pytest.mark.parametrize(
    ("text", "basis", "newest"),
    [
        ("over the last eight quarters", "quarterly", 8),
        ("past three fiscal years", "annual", 3),
        ("5-year trend", "annual", 5),
        ("last quarter", "quarterly", 1),
        ("the most recent fiscal year", "annual", 1),
        ("quarterly revenue for the last two years", "quarterly", 8),
        ("过去五年", "annual", 5),
        ("最近八个季度", "quarterly", 8),
        ("上季度", "quarterly", 1),
        ("去年", "annual", 1),
    ],
)
def test_the_newest_few_are_counted(text: str, basis: str, newest: int):
    """A number of years or quarters, in digits or words."""
    assert (when(text).basis, when(text).newest) == (basis, newest)


@pytest.mark.parametrize("text", ["TTM", "LTM", "trailing twelve months", "last 12 months", "过去十二个月", "近12个月"])
def test_twelve_months_are_one_period(text: str):
    """Trailing twelve months are no twelve months one by one."""
    assert when(text).basis == "ttm"


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("quarter ended October 26, 2025", "2025-10-26"),
        ("as of 2025-12-31", "2025-12-31"),
        ("year ended January 2026", "2026-01"),
        ("FY ended 5/31/2024", "2024-05-31"),
        ("the March 2026 quarter", "2026-03"),
        ("截至2025年9月27日", "2025-09-27"),
    ],
)
def test_days_and_months_are_read(text: str, day: str):
    """A period may be named by the day or month in which it ends."""
    assert when(text).ends == (day,)


def test_a_day_after_as_of_may_be_a_cut_off():
    """Only "as of" makes a day one after which nothing is to be known."""
    assert when("as of 2025-09-01").as_of == "2025-09-01"
    assert when("the quarter ended 2025-09-01").as_of == ""


def test_what_is_read_is_taken_out():
    """No period word is left for others to read."""
    assert read_when("revenue in q3 fy2026")[1].replace("\x00", "").split() == ["revenue", "in"]


def test_nothing_said_is_nothing_meant():
    """A text without a period names none."""
    assert when("compare nvda vs amd").is_empty


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str):
    """Reading never fails, and never changes the length of the text."""
    assert len(read_when(text.lower())[1]) == len(text.lower())


@pytest.mark.parametrize(
    "text", ["over the last twelve months, that is its last four quarters", "ttm, the latest four quarters"]
)
def test_four_quarters_beside_twelve_months_say_the_same_again(text: str):
    """Twelve months are one figure, not four."""
    said = when(text)
    assert (said.basis, said.newest) == ("ttm", NOT_SAID.newest)
