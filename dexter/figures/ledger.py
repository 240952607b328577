"""The figures of results, and which of them a text already states: what a compaction must not lose."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from dexter.figures.bind import bind, reader_of
from dexter.figures.bound import Bound, Context, Reader
from dexter.figures.companies import tickers_asked
from dexter.figures.compare import says
from dexter.figures.match import is_of_concept, is_of_period
from dexter.figures.numbers import Number
from dexter.figures.periods import NO_PERIOD, Period, period_of
from dexter.figures.vocabulary import kind_of
from dexter.results import Cell, StoredResult

_UNIT_NAMES = {"percent": "pure", "points": "pure", "times": "pure", "shares": "shares", "plain": ""}
# A text may leave the scale of a bare number to its reader.
_SCALES = (Decimal(1), Decimal(10**3), Decimal(10**6), Decimal(10**9))
# How far, in share of itself, a rounded number may be from its value.
_ROUNDED_BY = 0.06


@dataclass(frozen=True)
class Figure:
    """One figure of a result.

    `value` is in plain `unit` (USD, USD/shares, shares, pure; '' is not known), never scaled. `period` is as people
    write it (`FY2026`, `Q3 FY2025`, a day), `concept` as in cells, '' where the label is no known one.
    """

    value: Decimal
    unit: str
    label: str
    company: str
    period: str
    result: int
    concept: str = ""
    when: Period = NO_PERIOD


def figures_of(result: StoredResult, reader: Reader | None = None) -> tuple[Figure, ...]:
    """The figures of a result: of its cells, or, where it has none, of its tables and passages.

    Args:
        result: The result.
        reader: What several results are read with (`reader_of`); made of this one if not given.
    """
    if result.cells:
        return tuple(_of_cell(cell, result.id) for cell in result.cells)
    return tuple(_of_bound(bound, result.id) for bound in bind_result(result, reader or reader_of([result])))


def bind_result(result: StoredResult, reader: Reader) -> Iterator[Bound]:
    """The figures of a result's text; the company that was asked for is the one meant where it names none."""
    asked = tickers_asked(result)
    known = asked if len(asked) == 1 else (reader.companies.only,) if reader.companies.only else ()
    return bind(result.text, reader, Context(companies=known))


def stated_in(text: str, reader: Reader) -> Callable[[Figure], bool]:
    """Whether a text states a figure: its value, at some rounding, of the same company, figure and period.

    Numbers without a unit count, too: a summary may say "USD million" once.
    """
    found = sorted(_readings(bind(text, reader, bare=True)), key=lambda reading: reading[0])
    sizes = [size for size, _ in found]

    def states(figure: Figure) -> bool:
        size = abs(float(figure.value))
        near = found[bisect_left(sizes, size * (1 - _ROUNDED_BY)) : bisect_right(sizes, size * (1 + _ROUNDED_BY))]
        return any(_is_that(bound, figure) for _, bound in near)

    return states


def _readings(bounds: Iterable[Bound]) -> Iterator[tuple[float, Bound]]:
    """Each number by its size; a bare one at every scale it may have."""
    for bound in bounds:
        number = bound.number
        for scale in _SCALES if _is_bare(number) else _SCALES[:1]:
            scaled = replace(number, value=number.value * scale, step=number.step * scale)
            yield abs(float(scaled.value)), replace(bound, number=scaled)


def _is_bare(number: Number) -> bool:
    return number.unit in ("plain", "money") and not number.scaled


def _is_that(bound: Bound, figure: Figure) -> bool:
    if bound.companies and figure.company and figure.company not in bound.companies:
        return False
    if not is_of_concept(bound, figure.concept, figure.label) or not _is_of_unit(bound.number, figure.unit):
        return False
    if bound.periods and not any(is_of_period(period, figure.when) for period in bound.periods):
        return False
    return says(bound.number, figure.value, kind_of(figure.concept))


def _is_of_unit(number: Number, unit: str) -> bool:
    """Whether a number's unit may be that of a figure."""
    if number.unit == "plain" or not unit:
        return True
    if unit == "pure":
        return number.unit in ("percent", "points", "times")
    if unit == "shares":
        return number.unit == "shares"
    return number.unit in ("money", "per_share")


def _of_cell(cell: Cell, result: int) -> Figure:
    when = period_of(cell)
    return Figure(
        cell.number, cell.unit, cell.label or cell.concept, cell.ticker, when.text, result, cell.concept, when
    )


def _of_bound(bound: Bound, result: int) -> Figure:
    number = bound.number
    when = bound.periods[0] if bound.periods else NO_PERIOD
    unit = _UNIT_NAMES.get(number.unit) or (number.currency or "USD") + "/shares" * (number.unit == "per_share")
    return Figure(
        number.value,
        "" if number.unit == "plain" else unit,
        bound.label,
        bound.companies[0] if bound.companies else "",
        when.text,
        result,
        bound.concepts[0] if bound.concepts else "",
        when,
    )


def distinct(figures: Iterable[Figure]) -> Sequence[Figure]:
    """Each figure once, from the newest result that has it."""
    newest = {(f.company, f.concept or f.label, f.period, f.value): f for f in sorted(figures, key=lambda f: f.result)}
    return tuple(newest.values())
