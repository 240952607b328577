"""A number as a text gives it: what it is worth, how exactly it was given, and in which unit."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

# `plain` says nothing of a unit: a bare number of a table. `points` are percentage or basis points.
Unit = Literal["money", "per_share", "shares", "percent", "points", "times", "plain"]
# What the words before a number make of it: "about", "more than", "nearly".
Hedge = Literal["", "about", "over", "under"]


@dataclass(frozen=True)
class Number:
    """A number at `text[start:end]` of its text.

    `value` is in plain units: 26,044 million is 26044000000, 12.5 % is 0.125, 31 bps are 0.0031. `step` is one unit of
    the last digit that was given, in the same units: 26.0 billion has a step of 100 million. `scaled` and `signed`: a
    scale word or a sign is written; without a scale word the head of a table may give one. `currency` is an ISO code,
    or empty where none is written.
    """

    start: int
    end: int
    text: str
    value: Decimal
    step: Decimal
    unit: Unit = "plain"
    currency: str = ""
    scaled: bool = False
    signed: bool = False
    hedge: Hedge = ""

    @property
    def is_rate(self) -> bool:
        """Whether it is written as a share or a change of a share."""
        return self.unit in ("percent", "points")
