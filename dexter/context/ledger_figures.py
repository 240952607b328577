"""Where the ledger's figures come from, and whether a text holds them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from dexter.context.ledger import LedgerFigure
from dexter.results import Cell, StoredResult

_SCALES = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "trillion": 12}
_NUMBER = re.compile(
    r"(?<![\w.])(?P<digits>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>%|k\b|thousand|m\b|mn\b|million|b\b|bn\b|billion|trillion)?",
    re.IGNORECASE,
)


class FigureReader(Protocol):
    """Finds figures in results, and tells whether a text holds them."""

    def in_result(self, result: StoredResult) -> Iterable[LedgerFigure]:
        """The figures of a result."""
        ...

    def holds(self, text: str) -> Callable[[LedgerFigure], bool]:
        """Whether a figure stands in the text."""
        ...


@dataclass(frozen=True)
class CellFigures:
    """Figures of results that carry cells; a text holds one where it gives its value, in whatever scale."""

    def in_result(self, result: StoredResult) -> Iterator[LedgerFigure]:
        """One figure for each cell."""
        return (figure_of(cell, result.id) for cell in result.cells)

    def holds(self, text: str) -> Callable[[LedgerFigure], bool]:
        """Whether a number of the text, with or without a scale, is the figure's value."""
        values = set(numbers_in(text))
        return lambda figure: abs(figure.value) in values


def figure_of(cell: Cell, result: int) -> LedgerFigure:
    """A cell as a figure."""
    return LedgerFigure(
        value=cell.number,
        unit=cell.unit,
        label=cell.label or cell.concept,
        company=cell.ticker or cell.company,
        period=period_of(cell),
        result=result,
    )


def period_of(cell: Cell) -> str:
    """`FY2025`, `Q1 FY2025`, or the day the period ends."""
    if cell.fiscal_year is None or not cell.fiscal_period:
        return cell.period_end
    year = f"FY{cell.fiscal_year}"
    return year if cell.fiscal_period == "FY" else f"{cell.fiscal_period} {year}"


def numbers_in(text: str) -> Iterator[Decimal]:
    """Every number of a text as it stands, in its own scale, and in millions where it has none."""
    for match in _NUMBER.finditer(text):
        value = Decimal(match["digits"].replace(",", "").rstrip("."))
        scale = (match["scale"] or "").lower()
        if scale == "%":
            yield value / 100
        elif scale:
            yield value.scaleb(_SCALES[scale])
        else:
            yield from (value, value.scaleb(6), value.scaleb(3))
