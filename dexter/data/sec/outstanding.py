"""Shares outstanding: the count on a report's cover, else the one in its balance sheet."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from dexter.data.sec.balance_recipes import BALANCE_SHEET_SHARES, COVER_SHARES
from dexter.data.sec.facts import Fact
from dexter.data.sec.figure import Figure, as_filed, plain
from dexter.data.sec.fiscal import Period, last_day
from dexter.data.sec.lines import Lines
from dexter.data.sec.vintages import unscaled


def shares_outstanding(lines: Lines, period: Period) -> Figure | None:
    """The count of a period's own report, in shares of today.

    The cover's is of a day some weeks after the period and is of all classes of shares only where the filer gives one
    figure for them; the facts have no counts by class, so the balance sheet's may be the only one, or there is none.
    """
    day = last_day(period)
    cover = _cover_count(lines, day)
    if cover:
        return cover
    found = lines.filed.instant(BALANCE_SHEET_SHARES, "shares", day)
    return replace(found, detail="reported (balance sheet)") if found and not found.derived else found


def _cover_count(lines: Lines, day: str) -> Figure | None:
    """The count on the cover of the first report on a period that ends on `day`."""
    series = lines.filed.store.series(COVER_SHARES, "shares")
    ends = lines.calendar.report_ends
    covers = [fact for facts in series.values() for fact in facts if ends.get(fact.accession) == day and fact.value > 0]
    if not covers:
        return None
    fact = min(covers, key=lambda each: (each.filed, each.accession, each.end))
    return lines.filed.in_shares_of_today(_count(fact, unscaled(fact, series), day))


def _count(fact: Fact, meant: Decimal | None, day: str) -> Figure:
    """The count as of the period it is reported for; `meant` corrects a slip of scale."""
    figure = replace(as_filed(fact), end=day, detail=f"cover page, as of {fact.end}")
    if meant is None:
        return figure
    how = f"reported {plain(fact.value)} on the cover page as of {fact.end}, a slip of scale"
    return replace(figure, value=meant, derived=how, detail="")
