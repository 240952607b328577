"""Units said once for many numbers: `USD million` in a table's corner, `(in thousands)`, `(%)`, `单位：亿元`."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from dexter.figures.notation import CURRENCIES, SCALES, alternatives
from dexter.figures.numbers import Number, Unit
from dexter.figures.vocabulary import Kind

_LETTERS = {"b": 9, "m": 6, "k": 3, "t": 12, "bn": 9, "mm": 6}
_SCALE = re.compile(
    rf"(?<![A-Za-z])(?P<scale>{alternatives(SCALES)})|(?:USD|[$€£¥])\s?(?P<letter>[BMKT])\b", re.IGNORECASE
)
_CURRENCY = re.compile(rf"(?<![A-Za-z])(?P<currency>{alternatives(CURRENCIES)})", re.IGNORECASE)
_EXCEPT = re.compile(r",?\s*(?:except|excluding|other than)\b[^)）|]*", re.IGNORECASE)
_SHARE = re.compile(r"/\s?shares?\b|per[\s-](?:diluted\s|basic\s)?share|每股", re.IGNORECASE)
_RATE = re.compile(r"[(（]\s*(?:in\s+)?(?:%|percent|pct)[^)）]*[)）]|^\s*%\s*$|,\s*%|百分比", re.IGNORECASE)
_POINTS = re.compile(r"\((?:bps|pp|basis points|percentage points)\)", re.IGNORECASE)
_TIMES = re.compile(r"[(（]\s*(?:x|×|times|倍)\s*[)）]", re.IGNORECASE)
_SHARES = re.compile(r"\bshares\b|股数|股本", re.IGNORECASE)


@dataclass(frozen=True)
class UnitNote:
    """What a heading says of numbers. `power`: of ten, by which they are scaled; None: it says no scale."""

    unit: Unit = "plain"
    power: int | None = None
    currency: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing."""
        return self == NO_NOTE


NO_NOTE = UnitNote()


def unit_note(text: str) -> UnitNote:
    """The unit that a heading, a row's label or a table's corner gives."""
    text = _EXCEPT.sub(" ", text)
    if _POINTS.search(text):
        basis = re.search(r"bps|basis", text, re.IGNORECASE)
        return UnitNote("points", -4 if basis else -2)
    if _RATE.search(text):
        return UnitNote("percent", -2)
    if _TIMES.search(text):
        return UnitNote("times", 0)
    currency = _CURRENCY.search(text)
    code = CURRENCIES[currency["currency"].lower()] if currency else ""
    if _SHARE.search(text):
        return UnitNote("per_share", 0 if currency else None, code)
    scale = _SCALE.search(text)
    power = (SCALES[scale["scale"].lower()] if scale["scale"] else _LETTERS[scale["letter"].lower()]) if scale else None
    if currency:
        return UnitNote("money", power, code)
    return UnitNote("shares" if _SHARES.search(text) else "plain", power)


def with_note(number: Number, notes: tuple[UnitNote, UnitNote, UnitNote], kind: Kind) -> Number:
    """A bare number with the unit its row, its column or the table's corner gives, in this order.

    The scale of a corner is that of amounts of money (and of what has no known kind): never of amounts a share, of
    rates or of multiples.
    """
    row, column, corner = notes
    if kind in ("per_share", "rate", "ratio") and corner.unit in ("money", "plain"):
        corner = NO_NOTE
    note = next((note for note in (row, column, corner) if not note.is_empty), NO_NOTE)
    if note.power is None and note.unit in ("money", "shares", "plain") and kind in ("money", "shares", ""):
        inherited = next((other for other in (column, corner) if other.power is not None), NO_NOTE)
        note = replace(note, power=inherited.power if note is row and inherited.unit in ("money", "plain") else None)
    return _applied(number, note)


def _applied(number: Number, note: UnitNote) -> Number:
    if number.unit not in ("plain", "money", "per_share") or (number.scaled and number.unit != "plain"):
        return number
    power = 0 if number.scaled or note.power is None else note.power
    unit = note.unit if number.unit == "plain" else number.unit
    if number.unit in ("money", "per_share") and note.unit in ("percent", "points", "times"):
        power = 0
    return replace(
        number,
        value=number.value.scaleb(power),
        step=number.step.scaleb(power),
        unit=unit,
        currency=number.currency or note.currency,
        scaled=number.scaled or power > 0,
    )
