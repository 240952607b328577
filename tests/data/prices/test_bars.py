"""What must hold for any daily bars."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.prices.bars import disagree, in_order, moment_text, spaced, unsplit
from dexter.data.provider import PricePoint, StockSplit

DAYS = st.dates(date(1970, 1, 1), date(2100, 1, 1))
CLOSES = st.decimals("0.01", "99999", places=2)
POINTS = st.lists(st.tuples(DAYS, CLOSES), max_size=60).map(
    lambda rows: in_order(PricePoint(day.isoformat(), str(close)) for day, close in rows)
)


@given(POINTS, st.sampled_from(["week", "month"]))
def test_a_wider_spacing_keeps_the_last_close_of_each_span(points: tuple[PricePoint, ...], interval: str) -> None:
    """Points of the series, in order, one a span, none of them followed by another in its span; the last one stays."""
    chosen = spaced(points, interval)  # type: ignore[arg-type]
    assert set(chosen) <= set(points)
    assert [point.date for point in chosen] == sorted(point.date for point in chosen)
    assert chosen[-1:] == points[-1:]
    spans = [_span(point.date, interval) for point in chosen]
    assert len(set(spans)) == len(spans) == len({_span(point.date, interval) for point in points})


def _span(day: str, interval: str) -> tuple[int, int]:
    parsed = date.fromisoformat(day)
    return (parsed.year, parsed.month) if interval == "month" else parsed.isocalendar()[:2]


@given(POINTS, st.integers(2, 50))
def test_taking_a_split_out_multiplies_by_its_ratio(points: tuple[PricePoint, ...], ratio: int) -> None:
    """Ten for one taken out: ten times the price, on the same days; and no agreement with the series adjusted."""
    raw = unsplit(points, [StockSplit(Fraction(ratio), "2100-01-02")])
    assert [Decimal(point.close) for point in raw] == [Decimal(point.close) * ratio for point in points]
    assert [point.date for point in raw] == [point.date for point in points]
    assert disagree(points, raw) == bool(points)
    assert not disagree(points, points)


@given(POINTS)
def test_order_does_not_matter(points: tuple[PricePoint, ...]) -> None:
    """However a vendor sorts its days."""
    assert in_order(reversed(points)) == points


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2026-11-30T15:59:00-05:00", "2026-11-30T20:59:00Z"),
        ("2026-11-30T20:59:00Z", "2026-11-30T20:59:00Z"),
        (1796072400, "2026-11-30T21:00:00Z"),
        ("2026-11-30T20:59:00", ""),
        ("2026-11-30", ""),
        (True, ""),
        (None, ""),
        (10**20, ""),
    ],
)
def test_a_moment_has_a_zone_or_is_none(value: object, text: str) -> None:
    """A time without its zone is not a time."""
    assert moment_text(value) == text


def test_weeks_begin_on_monday() -> None:
    """A Sunday's close of a coin belongs to the week before Monday's."""
    monday = date(2026, 11, 30)
    points = [PricePoint((monday + timedelta(days=offset)).isoformat(), "1") for offset in (-1, 0)]
    assert len(spaced(points, "week")) == 2
