"""Daily bars as a vendor's answer has them: checked, merged, and brought to the spacing asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Literal

from dexter.data.provider import PricePoint, Quote, StockSplit

_LARGEST = 15  # digits before the point: more than any price has
_DIFFERENT = Decimal("0.02")  # corrections are smaller, splits larger


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
