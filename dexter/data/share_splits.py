"""Share counts and values per share brought over a split that no filing knows of yet.

Statements restate what was filed before a split once a filing after it shows it; closes are adjusted the day it
happens. In between, one would be multiplied with the other and be wrong by the ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Context, Decimal
from fractions import Fraction

from dexter.data.provider import StockSplit
from dexter.results import Cell

_QUOTIENT = Context(prec=28)


def in_shares_of_the_close(
    cells: Sequence[Cell], splits: Sequence[StockSplit]
) -> tuple[tuple[Cell, ...], tuple[str, ...]]:
    """The cells in the shares that the closes count, and a note for each split that was applied."""
    newest = max((_known_on(cell) for cell in cells), default="")
    unseen = [split for split in splits if split.day > newest]
    if not cells or not unseen:
        return tuple(cells), ()
    ratio, notes = Fraction(1), []
    for split in unseen:
        ratio *= split.ratio
        notes.append(
            f"{cells[0].ticker}: the split of {split.day} ({_ratio_text(split.ratio)}) is in no filing yet: share"
            " counts and values per share filed before it are restated for it."
        )
    return tuple(_restated(cell, ratio, unseen[-1].day) for cell in cells), tuple(notes)


def _known_on(cell: Cell) -> str:
    """The day a value was last filed; the end of its period where the source does not tell."""
    return cell.filed or cell.period_end


def _restated(cell: Cell, ratio: Fraction, day: str) -> Cell:
    if cell.unit == "shares":
        return _changed(cell, ratio, day)
    return _changed(cell, 1 / ratio, day) if cell.unit.endswith("/shares") else cell


def _changed(cell: Cell, factor: Fraction, day: str) -> Cell:
    value = _QUOTIENT.divide(cell.number * factor.numerator, Decimal(factor.denominator))
    how = " ".join(filter(None, (cell.derived or "", f"restated for the split of {day}")))
    return replace(cell, value=format(value, "f"), derived=how, provenance="derived")


def _ratio_text(ratio: Fraction) -> str:
    return f"{ratio.numerator} for {ratio.denominator}"
