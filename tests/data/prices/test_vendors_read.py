"""Each vendor's reader before answers that are nearly right."""

from __future__ import annotations

import copy
import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dexter.data.body import parse_json
from dexter.data.prices.bars import ShapeError
from dexter.errors import ProviderError
from tests.support.price_vendors import NOW, NVDA, VENDORS, answer, yahoo

_CLOSES = [("2026-11-25", 180.5), ("2026-11-27", 182.0)]
_WRONG = st.sampled_from(
    [None, True, "x", "", "0.0", "1e999999", "NVDA", -1, 0, 5, 10**12, 10**400, Decimal("0.0"), Decimal("1e30"), [], {}]
)


def _whole(vendor: str) -> Any:
    """An answer as the client reads it, with exact numbers."""
    said = yahoo(_CLOSES, splits=[("2026-11-26", 2, 1)]) if vendor == "yahoo" else answer(vendor, _CLOSES)
    return parse_json(json.dumps(said).encode())


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in an answer."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in children for place in _places(child, (*path, key)))]


def _with(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(whole)
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return changed


@pytest.mark.parametrize("vendor", VENDORS)
@given(data=st.data())
@settings(max_examples=150)
def test_one_wrong_value_anywhere_is_read_or_refused(vendor: str, data: st.DataObject) -> None:
    """Whatever stands in any one place, the answer is read or is of another shape; it never ends the tool."""
    whole = _whole(vendor)
    changed = _with(whole, data.draw(st.sampled_from(_places(whole))), data.draw(_WRONG))
    try:
        bars = VENDORS[vendor].read(changed, NVDA, NOW)
    except (ShapeError, ProviderError):
        return
    assert all(Decimal(point.close) > 0 for point in bars.points)
    assert all(split.ratio > 0 for split in bars.splits or ())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("meta", "gmtoffset"), "x"),
        (("meta", "gmtoffset"), 10**9),
        (("meta", "gmtoffset"), Decimal("1e30")),
        (("meta", "currentTradingPeriod", "regular", "end"), 10**20),
    ],
)
def test_a_time_that_is_none_is_another_shape(path: tuple[Any, ...], value: Any) -> None:
    """Yahoo's offsets and hours are read as times, and are none here."""
    with pytest.raises(ShapeError):
        VENDORS["yahoo"].read(_with(_whole("yahoo"), ("chart", "result", 0, *path), value), NVDA, NOW)


@pytest.mark.parametrize("wrong", ["0.0", "x", -1, True, "1e999999", None])
def test_a_split_without_a_ratio_is_none(wrong: Any) -> None:
    """Nothing is divided by it; the closes stay."""
    whole = _whole("yahoo")
    events = whole["chart"]["result"][0]["events"]["splits"]
    next(iter(events.values()))["denominator"] = wrong
    bars = VENDORS["yahoo"].read(whole, NVDA, NOW)
    assert (bars.splits, len(bars.points)) == ((), 2)
