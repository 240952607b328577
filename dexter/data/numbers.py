"""How figures are written in tables: scaled to a unit said once, four significant digits or more, or exact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

from dexter.data.metrics import metric_named
from dexter.results import Cell

_SIGNIFICANT = 4
_CENTS = 2
# Wide enough for any figure of any unit; halves go up, as readers expect.
_ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)


@dataclass(frozen=True)
class Scale:
    """A power of a thousand with its name."""

    factor: int
    name: str


EXACT = Scale(1, "")
THOUSAND = Scale(1_000, "thousand")
MILLION = Scale(1_000_000, "million")


def scale_for(values: Iterable[Decimal]) -> Scale:
    """The largest scale at which no value loses a digit; else one that leaves the largest at least four."""
    present = [abs(value) for value in values if value]
    for scale in (MILLION, THOUSAND):
        if present and all(value % scale.factor == 0 for value in present):
            return scale
    largest = max(present, default=Decimal(0))
    enough = 10 ** (_SIGNIFICANT - 1)
    return next((scale for scale in (MILLION, THOUSAND) if largest >= scale.factor * enough), EXACT)


def written(cell: Cell, scale: Scale) -> str:
    """The cell's number for a table. Percentages carry their sign, everything else its unit in the row or head."""
    metric = metric_named(cell.concept)
    if cell.unit == "pure":
        percent = metric is None or metric.style == "percent"
        return significant(cell.number * 100) + "%" if percent else significant(cell.number)
    if "/" in cell.unit:
        return significant(cell.number, at_least=_CENTS)
    return significant(cell.number / scale.factor)


def exact(value: Decimal) -> str:
    """Every digit, with thousands separators."""
    return f"{value:,f}"


def price(value: Decimal) -> str:
    """Every digit, and cents in any case."""
    missing_cents = -int(value.as_tuple().exponent) < _CENTS
    return exact(value.quantize(Decimal("0.01"), context=_ROUNDING) if missing_cents else value)


def significant(value: Decimal, *, at_least: int = 0) -> str:
    """With thousands separators; whole numbers whole, others to four significant digits or all they have."""
    if value == value.to_integral_value() and not at_least:
        return f"{value:,.0f}"
    own = max(0, -int(value.normalize().as_tuple().exponent))
    wanted = max(0, _SIGNIFICANT - 1 - value.adjusted())
    decimals = max(at_least, min(own, wanted))
    return f"{value.quantize(Decimal(1).scaleb(-decimals), context=_ROUNDING):,.{decimals}f}"
