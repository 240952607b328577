"""Earnings per share and average shares, which do not add up over quarters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal

from dexter.data.sec.figure import Figure, combined, others, places
from dexter.data.sec.fiscal import FiscalYear, Period, Quarter, TwelveMonths
from dexter.data.sec.lines import Lines
from dexter.data.sec.to_date import QUARTERS_PER_YEAR

_SHARES = {"EPSBasic": "WeightedSharesBasic", "EPSDiluted": "WeightedSharesDiluted"}
_EARNINGS = {"EPSBasic": "IncomeToCommonBasic", "EPSDiluted": "IncomeToCommonDiluted"}
_ADJECTIVE = {"EPSBasic": "basic", "EPSDiluted": "diluted"}
_CENTS = 2
_PLAUSIBLE = (Decimal("0.5"), Decimal(2))  # a quarter's average shares against its year's


def weighted_shares(lines: Lines, name: str, period: Period) -> Figure | None:
    """Average shares as filed; of a fourth quarter what makes up the year's average with the three others."""
    filed = lines.figure(name, period)
    if filed or not isinstance(period, Quarter):
        return filed
    year, quarters = _year_and_other_quarters(lines, name, period)
    if not year or len(quarters) < QUARTERS_PER_YEAR - 1:
        return None
    quarters = [lines.filed.on_the_basis_of(year, quarter) for quarter in quarters]
    value = QUARTERS_PER_YEAR * year.value - sum(quarter.value for quarter in quarters)
    low, high = _PLAUSIBLE
    if not low < value / year.value < high:
        return None
    also = others(year.fact, quarters)
    return replace(year, value=value, start=period.start, derived="4*FY-sum(Q1..Q3)", also=also)


def earnings_per_share(lines: Lines, name: str, period: Period) -> Figure | None:
    """As filed, else income over average shares; of twelve months the sum of the quarters, as the convention is."""
    filed = lines.figure(name, period)
    if filed:
        return filed
    if isinstance(period, TwelveMonths):
        return sum_of_quarters(lines, period, lambda quarter: earnings_per_share(lines, name, quarter))
    income = lines.figure(_EARNINGS[name], period) or lines.figure("NetIncome", period)
    shares = weighted_shares(lines, _SHARES[name], period)
    if not income or not shares or shares.value <= 0:
        return None
    digits = Decimal(1).scaleb(-_places_used(lines, name, period))
    value = (income.value / shares.value).quantize(digits, ROUND_HALF_EVEN)
    also = others(income.fact, (income, shares))
    return replace(income, value=value, unit=f"{income.unit}/shares", derived=_how(name, shares), tag="", also=also)


def sum_of_quarters(lines: Lines, period: TwelveMonths, read: Callable[[Quarter], Figure | None]) -> Figure | None:
    """Four quarters in a row added up; None where one is missing."""
    quarters = [lines.calendar.back(period.last, back) for back in range(QUARTERS_PER_YEAR)]
    figures = [figure for quarter in quarters if quarter and (figure := read(quarter))]
    if len(figures) < QUARTERS_PER_YEAR or len({figure.unit for figure in figures}) > 1:
        return None
    newest = max(figures, key=lambda figure: figure.fact.filed)
    figures = [lines.filed.on_the_basis_of(newest, figure) for figure in figures]
    last = period.last.label
    first = last.before(QUARTERS_PER_YEAR - 1)
    total = combined([(figure, 1) for figure in figures], f"sum of the quarters {first.label} to {last.label}")
    return replace(total, start=figures[-1].start, end=period.last.end)


def _year_and_other_quarters(lines: Lines, name: str, quarter: Quarter) -> tuple[Figure | None, list[Figure]]:
    closed = lines.calendar.closed_by(quarter)
    earlier = [lines.calendar.back(quarter, back) for back in range(1, QUARTERS_PER_YEAR)]
    within = [other for other in earlier if other and other.year_start == quarter.year_start]
    figures = [figure for other in within if (figure := lines.figure(name, other))]
    return (lines.figure(name, closed) if closed else None), figures


def _how(name: str, shares: Figure) -> str:
    if shares.derived and shares.derived.startswith("4*FY"):
        return f"Q4 net income/({shares.derived} {_ADJECTIVE[name]} shares)"
    return f"net income/{_ADJECTIVE[name]} weighted shares"


def _places_used(lines: Lines, name: str, period: FiscalYear | Quarter) -> int:
    """Digits after the point as the company itself gives them around the period, cents at least."""
    quarter = period if isinstance(period, Quarter) else None
    earlier = [lines.calendar.back(quarter, back) for back in range(1, QUARTERS_PER_YEAR)] if quarter else []
    near = [figure for other in earlier if other and (figure := lines.figure(name, other))]
    return max([_CENTS, *(places(figure.fact.value) for figure in near)])
