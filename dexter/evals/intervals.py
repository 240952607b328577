"""How sure a score is: intervals at 95 %, and what chance would make of a difference."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import comb, sqrt

_Z = 1.959963984540054
_RESAMPLES = 2_000
_TAIL = 0.025


def wilson(right: int, asked: int) -> tuple[float, float]:
    """The interval of a share of right answers; (0, 1) where nothing was asked."""
    if not asked:
        return 0.0, 1.0
    share, square = right / asked, _Z * _Z
    centre = (share + square / (2 * asked)) / (1 + square / asked)
    half = _Z * sqrt(share * (1 - share) / asked + square / (4 * asked * asked)) / (1 + square / asked)
    # Rounding must not push the ends past the share itself.
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def bootstrap(values: Sequence[float], seed: int) -> tuple[float, float]:
    """The interval of a mean by drawing again with replacement; the same seed gives the same. (0, 1) of nothing."""
    if not values:
        return 0.0, 1.0
    draw = random.Random(seed)  # noqa: S311 - statistics, not secrets
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(_RESAMPLES))
    low, high = int(_RESAMPLES * _TAIL), int(_RESAMPLES * (1 - _TAIL)) - 1
    return means[low], means[high]


def sign_test(better: int, worse: int) -> float:
    """How likely chance alone splits so unevenly or more (two-sided, exact); 1 where nothing differs."""
    n = better + worse
    if not n:
        return 1.0
    cases = sum(comb(n, k) for k in range(min(better, worse) + 1))
    return min(1.0, cases / (1 << (n - 1)))
