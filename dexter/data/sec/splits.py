"""Stock splits, found in the facts: the same figure filed before and after one differs by its ratio."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from dexter.data.sec.concepts import RECIPES
from dexter.data.sec.facts import Fact, FactStore, Measure
from dexter.data.sec.recipe import qualified

_SHARES = ("WeightedSharesDiluted", "WeightedSharesBasic")
_PER_SHARE = ("EPSDiluted", "EPSBasic")
_CENT = Decimal("0.01")
_SLACK = 0.003  # restated counts are rounded anew
_NO_CHANGE = (0.91, 1.1)  # corrections and dividends in shares of a few percent lie within
_LARGEST_RATIO = 500  # beyond lies the slip of writing thousands
_LARGEST_PART = 6  # one side of a ratio is small: 3:2, 5:4, 20:1, 1:25
_WITNESSES = 2  # one figure alone may be a correction


@dataclass(frozen=True)
class Split:
    """`ratio` new shares for an old one: filings before the day `since` count old shares, later ones new shares."""

    ratio: Fraction
    since: str


@dataclass(frozen=True)
class _Witness:
    """One figure in two filings in a row: the days they were filed, and within what bounds its shares grew."""

    before: str
    after: str
    low: float
    high: float

    def apart_from(self, splits: Sequence[Split]) -> _Witness:
        """What is left to explain when `splits` are known."""
        factor = float(math.prod(split.ratio for split in splits if self.before < split.since <= self.after))
        return _Witness(self.before, self.after, self.low / factor, self.high / factor)

    @property
    def tells_of_change(self) -> bool:
        low, high = _NO_CHANGE
        return self.low > high or self.high < low


def find_splits(store: FactStore) -> tuple[Split, ...]:
    """The splits of the store's company, oldest first, as far as its filings show them.

    A split is believed where at least two figures tell of it, and twice as many as deny it.
    """
    witnesses = _witnesses(store)
    found: list[Split] = []
    for day in sorted({witness.after for witness in witnesses if witness.tells_of_change}):
        across = [witness.apart_from(found) for witness in witnesses if witness.before < day <= witness.after]
        ratio = _agreed_ratio(across)
        if ratio:
            found.append(Split(ratio, day))
    return tuple(found)


def factor_between(splits: Sequence[Split], filed: str, later: str = "9999") -> Fraction:
    """By what a count of shares filed on one day is multiplied to be in the shares of a later day (default: today)."""
    return math.prod((split.ratio for split in splits if filed < split.since <= later), start=Fraction(1))


def _agreed_ratio(witnesses: Sequence[_Witness]) -> Fraction | None:
    changes = [witness for witness in witnesses if witness.tells_of_change]
    # The narrowest bounds name the ratio: counts of shares do so better than cents of earnings.
    for change in sorted(changes, key=lambda each: each.high / each.low):
        ratio = _simplest_between(change.low, change.high)
        if ratio is None:
            continue
        agreeing = sum(1 for witness in changes if witness.low <= ratio <= witness.high)
        if agreeing >= max(_WITNESSES, 2 * (len(witnesses) - agreeing)):
            return ratio
    return None


def _simplest_between(low: float, high: float) -> Fraction | None:
    """The ratio of the smallest whole numbers within the bounds, where one of them is small."""
    if high < 1:
        inverse = _simplest_between(1 / high, 1 / low)
        return 1 / inverse if inverse else None
    for part in range(1, _LARGEST_PART + 1):
        whole = math.ceil(low * part)
        if whole <= high * part and whole <= _LARGEST_RATIO * part:
            return Fraction(whole, part)
    return None


def _witnesses(store: FactStore) -> list[_Witness]:
    """What counts of shares tell; what earnings per share tell, which is rougher, only where there are no counts."""
    shares = [_witness(older, newer) for name in _SHARES for older, newer in _refiled(store, name, "shares")]
    if shares:
        return shares
    # Earnings per share fall as shares grow.
    return [_witness(newer, older) for name in _PER_SHARE for older, newer in _refiled(store, name, "per_share")]


def _refiled(store: FactStore, concept: str, measure: Measure) -> Iterator[tuple[Fact, Fact]]:
    tags = [way for way in RECIPES[concept].ways if isinstance(way, str)]
    for tag in tags:
        for facts in store.series(qualified(tag), measure).values():
            for older, newer in itertools.pairwise(facts):
                if older.filed < newer.filed and older.value * newer.value > 0:
                    yield older, newer


def _witness(few: Fact, many: Fact) -> _Witness:
    before, after = sorted((few.filed, many.filed))
    if few.value == many.value:
        return _Witness(before, after, 1.0, 1.0)
    (few_low, few_high), (many_low, many_high) = _bounds(few), _bounds(many)
    return _Witness(before, after, many_low / few_high * (1 - _SLACK), many_high / few_low * (1 + _SLACK))


def _bounds(fact: Fact) -> tuple[float, float]:
    """Between what the unrounded value lies, judged by the last digit that was written."""
    value = abs(fact.value)
    exponent = value.normalize().as_tuple().exponent
    last_digit = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    half = min(last_digit, _CENT if "/" in fact.unit else value / 100, value) / 2
    return float(value - half), float(value + half)
