from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from dexter.data.sec.facts import FactStore
from dexter.data.sec.fiscal import FiscalCalendar, fiscal_calendar
from tests.support.filer import Filer, calendar_year, days_after


def weekly(first_day: str, *years: tuple[int, ...], tag: str = "NetIncomeLoss") -> FactStore:
    """A company whose quarters are so many weeks long; each year files its quarters, years to date and whole."""
    filer = Filer()
    start = first_day
    for weeks in years:
        ends = [days_after(start, 7 * sum(weeks[: count + 1]) - 1) for count in range(len(weeks))]
        for count, end in enumerate(ends[:3]):
            begin = days_after(ends[count - 1], 1) if count else start
            filer.file("10-Q", days_after(end, 35), {(tag, begin, end): 1, (tag, start, end): count + 1})
        if len(weeks) == 4:
            filer.file("10-K", days_after(ends[3], 50), {(tag, start, ends[3]): 4})
            start = days_after(ends[3], 1)
    return filer.store()


def labels(calendar: FiscalCalendar) -> list[str]:
    return [quarter.label.label for quarter in calendar.quarters]


def test_a_53_week_year_is_a_year_and_its_quarter_a_quarter() -> None:
    """370 days, with a last quarter of 98."""
    calendar = fiscal_calendar(weekly("2022-12-25", (13, 13, 13, 13), (13, 13, 13, 14)))
    assert [(year.number, year.end) for year in calendar.years] == [(2023, "2023-12-23"), (2024, "2024-12-28")]
    assert labels(calendar)[-1] == "Q4 FY2024"
    assert len(calendar.quarters) == 8


def test_quarters_that_end_early_in_the_next_month_belong_to_the_one_before() -> None:
    """2 July and 1 October of a year that ends on 31 December."""
    calendar = fiscal_calendar(weekly("2023-01-02", (13, 13, 13, 13)))
    ends = {quarter.end: quarter.label.label for quarter in calendar.quarters}
    assert ends["2023-07-02"] == "Q2 FY2023"
    assert ends["2023-10-01"] == "Q3 FY2023"
    assert ends["2023-12-31"] == "Q4 FY2023"


def test_a_first_quarter_of_sixteen_weeks_is_the_first_quarter() -> None:
    """Grocers have 16, 12, 12 and 12 weeks; others 12, 12, 12 and 16."""
    for weeks in ((16, 12, 12, 12), (12, 12, 12, 16)):
        calendar = fiscal_calendar(weekly("2022-01-30", weeks, weeks, weeks))
        assert labels(calendar)[-4:] == ["Q1 FY2025", "Q2 FY2025", "Q3 FY2025", "Q4 FY2025"]
        assert all(quarter.year_start == calendar.years[-1].start for quarter in calendar.quarters[-4:])


def test_a_year_is_named_by_its_end() -> None:
    """A year that ends in January 2026 is FY2026; one that ends on 3 January 2026 is FY2025."""
    assert fiscal_calendar(weekly("2025-01-27", (13, 13, 13, 13))).years[-1].number == 2026
    assert fiscal_calendar(weekly("2024-12-29", (13, 13, 13, 14))).years[-1].number == 2025


def test_quarters_of_the_running_year_are_labelled_by_the_last() -> None:
    """Two quarters into a year that has no annual report yet."""
    calendar = fiscal_calendar(weekly("2024-01-29", (13, 13, 13, 13), (13, 13)))
    assert labels(calendar)[-2:] == ["Q1 FY2026", "Q2 FY2026"]
    assert calendar.quarters[-1].year_start == days_after(calendar.years[-1].end, 1)


def test_a_company_without_a_year_is_labelled_by_its_year_end() -> None:
    """A newcomer has filed two 10-Qs; EDGAR knows when its year ends."""
    store = weekly("2025-02-01", (13, 13))
    assert labels(fiscal_calendar(store, "01-31")) == ["Q1 FY2026", "Q2 FY2026"]
    assert labels(fiscal_calendar(store)) == []


def test_twelve_months_that_end_elsewhere_are_no_year() -> None:
    """A rolling year in a 10-Q, or of an acquired business in a 10-K."""
    filer = Filer()
    calendar_year(filer, 2023, "NetIncomeLoss", (1, 1, 1, 1))
    calendar_year(
        filer,
        2024,
        "NetIncomeLoss",
        (1, 1, 1, 1),
        q2={("NetIncomeLoss", "2023-07-01", "2024-06-30"): 4},
        fy={("Revenues", "2023-10-01", "2024-09-30"): 4},
    )
    assert [year.end for year in fiscal_calendar(filer.store()).years] == ["2023-12-31", "2024-12-31"]


def test_of_two_spellings_of_a_period_the_usual_one_counts() -> None:
    """One fact typed with the wrong start or end makes no year of its own."""
    filer = Filer()
    calendar_year(filer, 2023, "NetIncomeLoss", (1, 1, 1, 1))
    filer.file(
        "10-K",
        "2025-02-20",
        {("NetIncomeLoss", "2023-01-01", "2023-12-30"): 4, ("NetIncomeLoss", "2024-01-01", "2024-12-31"): 4},
    )
    filer.file("10-K/A", "2024-03-20", {("NetIncomeLoss", "2023-01-01", "2023-12-31"): 4})
    years = fiscal_calendar(filer.store()).years
    assert years[0][1:] == ("2023-01-01", "2023-12-31")
    assert len(years) == 2


@given(offset=st.integers(0, 364), years=st.integers(1, 4))
def test_any_year_of_52_weeks_has_four_labelled_quarters(offset: int, years: int) -> None:
    """Whenever the year begins, its quarters are the first to the fourth of the year it ends in."""
    calendar = fiscal_calendar(weekly(days_after("2015-01-01", offset), *[(13, 13, 13, 13)] * years))
    # Without the 53rd week that real calendars have, a year may drift from the second week of January into the first.
    assume(len({year.number for year in calendar.years}) == years)
    assert [quarter.label.quarter for quarter in calendar.quarters] == [1, 2, 3, 4] * years
    numbers = [quarter.label.year for quarter in calendar.quarters]
    assert numbers == [year.number for year in calendar.years for _ in range(4)]
