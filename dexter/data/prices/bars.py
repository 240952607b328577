"""Daily bars as a vendor's answer has them: checked, merged, and brought to the spacing asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Literal

from dexter.data.provider import PricePoint, Quote, StockSplit

_LARGEST = 15  # digits before the point: more than any price has
_DIFFERENT = Decimal("0.02")  # corrections are smaller, splits larger
_CURRENCY = re.compile(r"[A-Z]{3}")  # ISO 4217
# Currencies of which prices are quoted in hundredths, as vendors spell them: "GBp" in capitals is another currency.
_HUNDREDTHS: Mapping[str, str] = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS", "ILa": "ILS"}
_NAMED = {"US Dollar": "USD", "Euro": "EUR", "British Pound": "GBP", "Japanese Yen": "JPY"}
_A_DAY = timedelta(days=1)


class ShapeError(ValueError):
    """An answer has another shape than its vendor's; the message says which part."""


@dataclass(frozen=True)
class Window:
    """Days asked for, both included."""

    first: date
    last: date


@dataclass(frozen=True)
class Bars:
    """What one answer holds, oldest first; only days whose trading is over are `points`.

    `splits`: those since the first day, or None where the vendor does not tell.
    """

    currency: str
    points: tuple[PricePoint, ...]
    quote: Quote | None = None
    splits: tuple[StockSplit, ...] | None = None
    exchange: str = ""


def price_text(value: object) -> str:
    """A price as a decimal string; '' for what is none: no number, not finite, zero or less."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal | str):
        return ""
    try:
        number = Decimal(value)
    except (InvalidOperation, ValueError):
        return ""
    sensible = number.is_finite() and number > 0 and abs(number.adjusted()) < _LARGEST
    return format(number, "f") if sensible else ""


def plain_ticker(ticker: str) -> str:
    """A ticker's letters and digits: vendors write the marks between them in their own ways."""
    return "".join(letter for letter in ticker.upper() if letter.isalnum())


def currency_of(said: object) -> tuple[str, int]:
    """The currency a vendor names, and how many of the units its prices are in make one; '' where it names none."""
    text = str(said or "").strip()
    if text in _HUNDREDTHS:
        return _HUNDREDTHS[text], 100
    text = _NAMED.get(text, text)
    return (text, 1) if _CURRENCY.fullmatch(text) else ("", 1)


def in_units(value: object, unit: int) -> str:
    """A price in whole units of its currency; '' for what is no price."""
    text = price_text(value)
    return format((Decimal(text) / unit).normalize(), "f") if text and unit != 1 else text


def moment_text(value: object) -> str:
    """A vendor's time (ISO with zone, or seconds since 1970) as ISO in UTC; '' where it is no point in time."""
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            moment = datetime.fromisoformat(str(value).strip())
    except (ValueError, OverflowError, OSError):
        return ""
    if moment.tzinfo is None:
        return ""
    return moment.astimezone(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def without_future(bars: Bars, now: datetime) -> Bars:
    """Without prices of times that have not come: a clock or a unit of time is wrong there.

    The last day of a place where it is tomorrow already is no future.
    """
    last = (now + _A_DAY).astimezone(UTC)
    points = tuple(point for point in bars.points if point.date <= last.date().isoformat())
    ahead = bars.quote is not None and datetime.fromisoformat(bars.quote.time) > last
    return replace(bars, points=points, quote=None if ahead else bars.quote)


def newest_price(bars: Bars) -> Quote | None:
    """The quote, unless a close of a later day is there: then it is no newest price."""
    last = max((point.date for point in bars.points), default="")
    return bars.quote if bars.quote and bars.quote.time[:10] >= last else None


def in_order(points: Iterable[PricePoint]) -> tuple[PricePoint, ...]:
    """One point a day, oldest first; of two for a day the later in the answer."""
    by_day = {point.date: point for point in points}
    return tuple(by_day[day] for day in sorted(by_day))


def disagree(one: Sequence[PricePoint], other: Sequence[PricePoint]) -> bool:
    """Whether a day both have closed at different prices: one of them knows of a split the other does not."""
    closes = {point.date: Decimal(point.close) for point in one}
    pairs = ((closes[point.date], Decimal(point.close)) for point in other if point.date in closes)
    return any(abs(left - right) > _DIFFERENT * min(left, right) for left, right in pairs)


def spaced(points: Sequence[PricePoint], interval: Literal["day", "week", "month"]) -> tuple[PricePoint, ...]:
    """The last close of each week or month, with its own day: a bar of a month would carry the month's first."""
    if interval == "day":
        return tuple(points)
    last = {_bucket(point.date, interval): point for point in points}
    return tuple(last.values())


def unsplit(points: Sequence[PricePoint], splits: Sequence[StockSplit]) -> tuple[PricePoint, ...]:
    """The prices as they were traded before the `splits`, for which they are adjusted."""
    ratio = Decimal(1)
    for split in splits:
        ratio *= Decimal(split.ratio.numerator) / Decimal(split.ratio.denominator)
    return tuple(_multiplied(point, ratio) for point in points) if splits else tuple(points)


def _multiplied(point: PricePoint, ratio: Decimal) -> PricePoint:
    def times(value: str) -> str:
        return format((Decimal(value) * ratio).normalize(), "f") if value else ""

    return replace(
        point,
        close=times(point.close),
        open=times(point.open),
        high=times(point.high),
        low=times(point.low),
        volume="",  # of the split's other side
    )


def _bucket(day: str, interval: str) -> str:
    if interval == "month":
        return day[:7]
    parsed = date.fromisoformat(day)
    return (parsed - timedelta(days=parsed.weekday())).isoformat()
