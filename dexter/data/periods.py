"""Fiscal periods from start and end dates alone: what a filer calls `fy` and `fp` describes the filing, not the figure.

Two conventions hold everywhere: a fiscal year is named by the year in which it ends, and an end in the first week of
a month belongs to the month before (52/53-week years end on 3 January, quarters on 2 July or 1 October).
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Literal, NamedTuple

Span = Literal["instant", "quarter", "half", "nine_months", "year"]

_GRACE = timedelta(days=7)
_MONTHS_PER_YEAR = 12
_MONTHS_PER_QUARTER = 3
_QUARTERS_PER_YEAR = 4
# Days from start to end. Wide enough for 12- to 14-week quarters and 52- or 53-week years, and never overlapping.
_SPANS: tuple[tuple[Span, int, int], ...] = (
    ("quarter", 80, 100),
    ("half", 165, 200),
    ("nine_months", 250, 290),
    ("year", 350, 380),
)


class FiscalQuarter(NamedTuple):
    """A quarter of a fiscal year: `FiscalQuarter(2026, 3)` is Q3 FY2026. Sorts in time."""

    year: int
    quarter: int

    @property
    def label(self) -> str:
        """As people write it: `Q3 FY2026`."""
        return f"Q{self.quarter} FY{self.year}"

    def before(self, quarters: int = 1) -> FiscalQuarter:
        """The quarter so many quarters earlier (negative: later)."""
        ordinal = self.year * _QUARTERS_PER_YEAR + self.quarter - 1 - quarters
        return FiscalQuarter(ordinal // _QUARTERS_PER_YEAR, ordinal % _QUARTERS_PER_YEAR + 1)


def span_of(start: date | None, end: date) -> Span | None:
    """What length of time a figure covers: an instant without a start, None for a length no statement uses."""
    if start is None:
        return "instant"
    days = (end - start).days
    return next((span for span, shortest, longest in _SPANS if shortest <= days <= longest), None)


def fiscal_year(end: date) -> int:
    """The name of the fiscal year that ends on `end`: 2026-01-25 → 2026, but 2026-01-03 → 2025."""
    return end.year - 1 if end.month == 1 and end.day <= _GRACE.days else end.year


def fiscal_quarter(end: date, fiscal_year_end: str) -> FiscalQuarter:
    """The quarter that ends on `end` in a year that ends about `fiscal_year_end` (MM-DD).

    Quarters of unequal length (12 and 16 weeks) count by the nearest quarter of a year.
    """
    closing = _closing_month(end)
    last_month = _closing_month(date.fromisoformat(f"2001-{_without_leap_day(fiscal_year_end)}")).month
    months_left = (last_month - closing.month) % _MONTHS_PER_YEAR
    quarter = max(1, _QUARTERS_PER_YEAR - round(months_left / _MONTHS_PER_QUARTER))
    return FiscalQuarter(closing.year + (closing.month > last_month), quarter)


def calendar_quarter(end: date) -> FiscalQuarter:
    """The calendar quarter in which most of the quarter ending on `end` lies: 2025-04-27 → Q1 2025."""
    middle = end - timedelta(days=45)
    return FiscalQuarter(middle.year, (middle.month - 1) // _MONTHS_PER_QUARTER + 1)


def _closing_month(end: date) -> date:
    """A day in the month that a period ending on `end` closes."""
    return end - _GRACE if end.day <= _GRACE.days else end


def _without_leap_day(month_day: str) -> str:
    return "02-28" if month_day == "02-29" else month_day
