"""How an answer writes numbers: exact in tables, short in sentences, in either language."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Literal

from dexter.data.numbers import significant
from dexter.offline.intent import Language
from dexter.offline.items import Shape
from dexter.results import Cell

Unit = Literal["money", "per_share", "shares", "percent", "points", "times"]

_MILLION, _BILLION, _TRILLION = Decimal(10**6), Decimal(10**9), Decimal(10**12)
_WAN, _YI = Decimal(10**4), Decimal(10**8)
_ROUNDING = Context(prec=400, rounding=ROUND_HALF_UP)
# Billions to the million: as exact as filings are.
_SENTENCE_DECIMALS = 3
# So many decimals from that percentage on.
_PERCENT_DECIMALS = ((10, 1), (1, 2))
_MOST_PERCENT_DECIMALS = 3
_CENTS = 2
# A price has so many decimals at most; what has more is a quotient.
_MOST_OF_A_PRICE = 4
_BASIS_POINTS = 10_000


@dataclass(frozen=True)
class Amount:
    """A number and what it counts. `number` is never rounded; percentages and points are fractions of one."""

    number: Decimal
    unit: Unit
    currency: str = ""


def amount_of(cell: Cell, shape: Shape) -> Amount:
    """A cell's value with its unit."""
    return Amount(cell.number, unit_of(cell, shape), cell.currency)


def unit_of(cell: Cell, shape: Shape) -> Unit:
    """What a cell counts."""
    if cell.unit == "pure":
        return "percent" if shape == "percent" else "times"
    if cell.unit == "shares":
        return "shares"
    return "per_share" if "/" in cell.unit else "money"


def in_table(amount: Amount) -> str:
    """Money and shares in millions with every digit there is; the rest with its sign."""
    if amount.unit in ("money", "shares"):
        return significant(amount.number / _MILLION)
    if amount.unit == "per_share":
        own = -int(amount.number.normalize().as_tuple().exponent)
        return _decimals(amount.number, max(_CENTS, own if own <= _MOST_OF_A_PRICE else 0))
    return _ratio(amount)


def in_sentence(amount: Amount, language: Language, *, signed: bool = False) -> str:
    """With its unit, at four significant digits or more; `signed` writes a plus where it is one."""
    sign = "-" if amount.number < 0 else "+" if signed and amount.number > 0 else ""
    size = Amount(abs(amount.number), amount.unit, amount.currency)
    if amount.unit == "money":
        return sign + _money(size, language)
    if amount.unit == "shares":
        return sign + (_chinese(size.number, "股") if language == "zh" else f"{_english(size.number)} shares")
    if amount.unit == "per_share":
        return sign + (
            f"{in_table(size)}美元"
            if language == "zh" and size.currency == "USD"
            else _with_currency(in_table(size), size.currency)
        )
    if amount.unit == "points":
        return sign + _points(size.number, language)
    return sign + (
        f"{significant(size.number, at_least=_CENTS)}倍"
        if amount.unit == "times" and language == "zh"
        else _ratio(size)
    )


def _money(amount: Amount, language: Language) -> str:
    if language == "zh":
        return _chinese(amount.number, "美元" if amount.currency == "USD" else amount.currency)
    return _with_currency(_english(amount.number), amount.currency)


def _with_currency(text: str, currency: str) -> str:
    return f"${text}" if currency in ("USD", "") else f"{currency} {text}"


def _english(number: Decimal) -> str:
    for size, word in ((_TRILLION, "trillion"), (_BILLION, "billion"), (_MILLION, "million")):
        if number >= size:
            return f"{_stripped(number / size, _SENTENCE_DECIMALS)} {word}"
    return significant(number)


def _chinese(number: Decimal, unit: str) -> str:
    for size, word in ((_YI, "亿"), (_WAN, "万")):
        if number >= size:
            return f"{_decimals(number / size, 2)}{word}{unit}"
    return f"{significant(number)}{unit}"


def _ratio(amount: Amount) -> str:
    """71.1 %, 3.42 %, 0.505 %, 19.43×: three digits at least."""
    if amount.unit == "times":
        return significant(amount.number, at_least=_CENTS) + "×"
    percent = amount.number * 100
    decimals = next((count for least, count in _PERCENT_DECIMALS if abs(percent) >= least), _MOST_PERCENT_DECIMALS)
    return _decimals(percent, decimals) + "%"


def _points(number: Decimal, language: Language) -> str:
    points, basis_points = _decimals(number * 100, 2), _decimals(number * _BASIS_POINTS, 0)
    return (
        f"{points}个百分点（{basis_points}个基点）"
        if language == "zh"
        else f"{points} percentage points ({basis_points} bps)"
    )


def _stripped(number: Decimal, decimals: int) -> str:
    """So many decimals at most."""
    text = _decimals(number, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _decimals(number: Decimal, decimals: int) -> str:
    return f"{number.quantize(Decimal(1).scaleb(-decimals), context=_ROUNDING):,.{decimals}f}"
