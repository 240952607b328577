"""A company's fiscal years and quarters, read from the periods of its own reports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from dexter.data.periods import FiscalQuarter, fiscal_quarter, fiscal_year
from dexter.data.sec.concepts import CALENDAR_TAGS
from dexter.data.sec.dates import day_number, days_between, iso_day
from dexter.data.sec.facts import ANNUAL_FORMS, Fact, FactStore
from dexter.data.sec.recipe import qualified

YEAR = range(350, 381)
QUARTER = range(75, 121)  # 11 weeks to 4 months: some years have a first or last quarter of 16 weeks
SAME_DAY = 10  # ends or starts this near to each other are spellings of one
_DAYS_PER_YEAR = 365.25
_QUARTER_DAYS = 91


class FiscalYear(NamedTuple):
    """A fiscal year by its number, first and last day."""

    number: int
    start: str
    end: str


@dataclass(frozen=True)
class Quarter:
    """A quarter by label, first and last day, and the first day of the year it is in."""

    label: FiscalQuarter
    start: str
    end: str
    year_start: str


class TwelveMonths(NamedTuple):
    """The four quarters up to and with one."""

    last: Quarter


Period = FiscalYear | Quarter | TwelveMonths


def last_day(period: Period) -> str:
    """The day a period ends on."""
    return period.last.end if isinstance(period, TwelveMonths) else period.end


@dataclass(frozen=True)
class FiscalCalendar:
    """All fiscal years and quarters that a company has reported on, oldest first.

    `report_ends` has the last day of the period that a filing, by its accession number, reports on.
    """

    years: tuple[FiscalYear, ...]
    quarters: tuple[Quarter, ...]
    report_ends: Mapping[str, str]

    def closed_by(self, quarter: Quarter) -> FiscalYear | None:
        """The year whose last quarter it is; None for any other quarter."""
        return next((year for year in reversed(self.years) if year.end == quarter.end), None)

    def closing_quarter(self, quarter: Quarter) -> Quarter | None:
        """The last quarter of the full year that a quarter is in; None while that year is not over."""
        year = next((year for year in reversed(self.years) if year.start < quarter.end <= year.end), None)
        return next((other for other in reversed(self.quarters) if year and other.end == year.end), None)

    def back(self, quarter: Quarter, quarters: int) -> Quarter | None:
        """The quarter so many quarters earlier; None where it was not reported on.

        When a company changes its year end, labels jump: a quarter that is one by its label alone is none.
        """
        label = quarter.label.before(quarters)
        found = next((other for other in reversed(self.quarters) if other.label == label), None)
        off = abs(days_between(found.end, quarter.end) - quarters * _QUARTER_DAYS) if found else 0
        return found if off <= _QUARTER_DAYS // 2 else None

    def year_end(self) -> str:
        """The newest fiscal year end as MM-DD; '' where there is no year."""
        return self.years[-1].end[5:] if self.years else ""


def fiscal_calendar(store: FactStore, year_end: str = "") -> FiscalCalendar:
    """The calendar of the store's company; `year_end` (MM-DD) labels quarters of one that has no full year yet."""
    facts = list(_period_facts(store))
    report_ends = _report_ends(facts)
    years = _years(facts, report_ends)
    return FiscalCalendar(years, tuple(_quarters(facts, years, year_end)), report_ends)


def _period_facts(store: FactStore) -> Iterator[Fact]:
    for tag in CALENDAR_TAGS:
        for (start, _), facts in store.series(qualified(tag), "money").items():
            if start:
                yield from facts


def _report_ends(facts: Iterable[Fact]) -> dict[str, str]:
    ends: dict[str, str] = {}
    for fact in facts:
        ends[fact.accession] = max(fact.end, ends.get(fact.accession, ""))
    return ends


def _years(facts: Iterable[Fact], report_ends: Mapping[str, str]) -> tuple[FiscalYear, ...]:
    """The years of annual reports: about a year long and ending with the report, or whole years before it.

    A twelve-month period that ends elsewhere, as some filers give with every quarter, is no fiscal year.
    """
    spans = [
        fact
        for fact in facts
        if fact.form in ANNUAL_FORMS
        and days_between(fact.start, fact.end) in YEAR
        and _whole_years(fact.end, report_ends[fact.accession])
    ]
    best = _best_supported(fact.span for fact in spans)
    return tuple(FiscalYear(fiscal_year(date.fromisoformat(end)), start, end) for start, end in best)


def _whole_years(earlier: str, later: str) -> bool:
    days = days_between(earlier, later) % _DAYS_PER_YEAR
    return min(days, _DAYS_PER_YEAR - days) <= SAME_DAY


def _best_supported(spans: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """One span for each end, oldest first: of ends a few days apart, the one that most facts have."""
    support: dict[tuple[str, str], int] = {}
    for span in spans:
        support[span] = support.get(span, 0) + 1
    chosen: list[tuple[str, str]] = []
    for span in sorted(support, key=lambda each: (each[1], each[0])):
        if chosen and days_between(chosen[-1][1], span[1]) <= SAME_DAY:
            chosen[-1] = max(chosen[-1], span, key=lambda each: (support[each], each))
        else:
            chosen.append(span)
    return chosen


def _quarters(facts: Iterable[Fact], years: tuple[FiscalYear, ...], year_end: str) -> Iterator[Quarter]:
    ends = _quarter_ends(facts, years)
    labelled: dict[FiscalQuarter, tuple[int, str]] = {}
    for end, support in ends.items():
        label = _label(end, years, year_end)
        if label:
            labelled[label] = max(labelled.get(label, (0, "")), (support, end))
    chosen = {label: end for label, (_, end) in labelled.items()}
    for label in sorted(chosen):
        yield _quarter(label, chosen, years)


def _quarter_ends(facts: Iterable[Fact], years: tuple[FiscalYear, ...]) -> dict[str, int]:
    """Days on which a quarter ends, with the number of facts that say so."""
    first_days = {day_number(year.start) for year in years} | {day_number(year.end) + 1 for year in years}
    starts = {day + shift for day in first_days for shift in range(-SAME_DAY, SAME_DAY + 1)}
    ends: dict[str, int] = {}
    for fact in facts:
        length = days_between(fact.start, fact.end)
        if length in QUARTER or (length < YEAR.start and day_number(fact.start) in starts):
            ends[fact.end] = ends.get(fact.end, 0) + 1
    for year in years:
        ends[year.end] = 1_000_000
    return ends


def _label(end: str, years: tuple[FiscalYear, ...], year_end: str) -> FiscalQuarter | None:
    """The label of a quarter by the year that closes with or after it, else by the newest year end known."""
    closing = next((year for year in years if 0 <= days_between(end, year.end) < YEAR.stop), None)
    reference = closing or (years[-1] if years else None)
    month_day = reference.end[5:] if reference else year_end
    if not month_day:
        return None
    return fiscal_quarter(date.fromisoformat(end), month_day)


def _quarter(label: FiscalQuarter, ends: Mapping[FiscalQuarter, str], years: tuple[FiscalYear, ...]) -> Quarter:
    end = ends[label]
    before = ends.get(label.before())
    adjacent = before and days_between(before, end) in QUARTER
    start = iso_day(day_number(before) + 1) if before and adjacent else iso_day(day_number(end) - _QUARTER_DAYS + 1)
    return Quarter(label, start, end, _year_start(end, years) or start)


def _year_start(end: str, years: tuple[FiscalYear, ...]) -> str:
    """First day of the year the quarter is in: of a reported year, else the day after the newest one before."""
    within = next((year.start for year in years if year.start < end <= year.end), None)
    if within:
        return within
    earlier = [year.end for year in years if 0 < days_between(year.end, end) < YEAR.stop]
    return iso_day(day_number(earlier[-1]) + 1) if earlier else ""
