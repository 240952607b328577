"""What follows from figures for the year to date: quarters, and twelve months up to any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dexter.data.sec.dates import day_number, days_between, iso_day
from dexter.data.sec.facts import Fact, Measure, Vintages
from dexter.data.sec.figure import Figure, others
from dexter.data.sec.filed import FiledFigures
from dexter.data.sec.fiscal import SAME_DAY, FiscalCalendar, Quarter
from dexter.data.sec.recipe import qualified
from dexter.data.sec.vintages import choose, on_one_basis

QUARTERS_PER_YEAR = 4
_DIFFERENCE = "YTD-prior YTD"
_TWELVE_MONTHS = "FY+YTD-prior YTD"


def growth(
    filed: FiledFigures, calendar: FiscalCalendar, tags: Sequence[str], measure: Measure, quarter: Quarter
) -> Figure | None:
    """What the year to date grew by in a quarter, cited from the filing that has its end."""
    before = calendar.back(quarter, 1)
    if not before or before.year_start != quarter.year_start:
        return None
    return _rest(filed, tags, measure, quarter, before)


def twelve_months(
    filed: FiledFigures, calendar: FiscalCalendar, tags: Sequence[str], measure: Measure, last: Quarter
) -> Figure | None:
    """The year to date, and of the full year before what followed the same part of it; cited from the newest filing."""
    before = calendar.back(last, QUARTERS_PER_YEAR)
    closing = before and calendar.closing_quarter(before)
    if not before or not closing:
        return None
    now = choose(_to_date(filed, tags, measure, last), filed.vintage)
    rest = _rest(filed, tags, measure, closing, before)
    if not now or not rest or rest.unit != now.unit or not _agree(filed, rest.tag, now.tag, measure):
        return None
    current = filed.of(now)
    rest = filed.on_the_basis_of(current, rest)
    return replace(
        current,
        value=rest.value + current.value,
        start=rest.start,
        derived=_TWELVE_MONTHS,
        also=others(now, (rest,)),
    )


def _rest(filed: FiledFigures, tags: Sequence[str], measure: Measure, whole: Quarter, part: Quarter) -> Figure | None:
    """The year up to the end of one quarter less the year up to the end of an earlier one."""
    wholes, parts = _to_date(filed, tags, measure, whole), _to_date(filed, tags, measure, part)
    pair = on_one_basis(wholes, parts, filed.vintage)
    if not pair or not _subtractable(filed, *pair, measure):
        return None
    larger = filed.of(pair[0])
    smaller = filed.on_the_basis_of(larger, filed.of(pair[1]))
    return replace(
        larger,
        value=larger.value - smaller.value,
        start=iso_day(day_number(smaller.end) + 1),
        derived=_DIFFERENCE + _restated_since(pair[0], wholes),
        also=others(pair[0], (smaller,)),
    )


def _to_date(filed: FiledFigures, tags: Sequence[str], measure: Measure, quarter: Quarter) -> Vintages:
    return next((facts for tag in tags if (facts := filed.to_date(tag, measure, quarter))), ())


def _subtractable(filed: FiledFigures, whole: Fact, part: Fact, measure: Measure) -> bool:
    together = abs(days_between(whole.start, part.start)) <= SAME_DAY
    return together and whole.unit == part.unit and _agree(filed, whole.tag, part.tag, measure)


def _agree(filed: FiledFigures, one: str, other: str, measure: Measure) -> bool:
    """Whether two tags have meant the same: wherever both have a figure, it is one figure."""
    if one == other:
        return True
    first, second = filed.store.series(qualified(one), measure), filed.store.series(qualified(other), measure)
    return all(first[span][-1].value == second[span][-1].value for span in first.keys() & second.keys())


def _restated_since(used: Fact, vintages: Vintages) -> str:
    newest = vintages[-1]
    return "" if newest.value == used.value or newest.filed < used.filed else f", as filed {used.filed}, restated since"
