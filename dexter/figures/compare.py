"""Whether two figures are one in different clothes: scale, rounding, sign and percent aware."""

from __future__ import annotations

from decimal import Decimal

from dexter.figures.numbers import Number
from dexter.figures.vocabulary import Kind

_HUNDRED = Decimal(100)
_TEN = Decimal(10)
# The share of itself by which a number with such words may miss its value at most.
_MOST = Decimal("0.1")


def says(number: Number, value: Decimal, kind: Kind = "") -> bool:
    """Whether the number, as it is written, is this exact value rounded to the digits given.

    Halves may have been rounded up or to even. After "about" the number's closing zeros may be round; after "more than"
    the value may be above it, after "nearly" below, by one unit of the last digit that is not zero, a tenth at most. A
    bare number may be a rate in percent or of one.
    """
    if _is_within(number, value, number.step):
        return True
    if number.unit == "plain" and not number.scaled and kind == "rate":
        return _is_within(number, value * _HUNDRED, number.step)
    return False


def same(one: Number, other: Number, *, rate: bool = False) -> bool:
    """Whether two numbers, as written, give one figure: the finer one, rounded to the coarser one's digits, is it.

    A percentage and a bare number are one only where the bare one is labelled a rate; different currencies never are.
    """
    if not _comparable(one, other, rate=rate):
        return False
    fine, coarse = sorted((one, other), key=lambda number: number.step)
    kind: Kind = "rate" if rate else ""
    return says(coarse, fine.value, kind) or (rate and fine.unit == "plain" and says(coarse, fine.value / _HUNDRED))


def _is_within(number: Number, value: Decimal, step: Decimal) -> bool:
    difference = value - number.value
    room = max(number.step, min(_loose_step(number), abs(number.value) * _MOST))
    outward = difference if number.value >= 0 else -difference
    match number.hedge:
        case "over":
            return 0 <= outward <= room
        case "under":
            return -room <= outward <= 0
        case "about":
            step = max(step, room)
    return abs(difference) * 2 <= step


def _loose_step(number: Number) -> Decimal:
    """One unit of the last digit that is no closing zero: 100 billion for "about 200 billion"."""
    if not number.value:
        return number.step
    digits = number.value.normalize()
    exponent = digits.as_tuple().exponent
    return max(number.step, _TEN**exponent) if isinstance(exponent, int) else number.step


def _comparable(one: Number, other: Number, *, rate: bool) -> bool:
    if one.currency and other.currency and one.currency != other.currency:
        return False
    units = {one.unit, other.unit}
    if len(units) == 1 or units == {"money", "per_share"}:
        return True
    if "plain" not in units:
        return False
    return rate if units & {"percent", "points"} else True
