"""Periods: fiscal years and quarters, months to a day, days, and those told from another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from dexter.results import Cell

# How a period stands to the one that the text is about.
Relation = Literal["", "year_before", "quarter_before", "year_after", "quarter_after"]

# Months by the name of a period; what ends on a day without a length has none.
_MONTHS: Mapping[str, int] = {
    **dict.fromkeys(("FY", "TTM"), 12),
    **dict.fromkeys(("Q1", "Q2", "Q3", "Q4"), 3),
    **dict.fromkeys(("H1", "H2", "6M"), 6),
    "9M": 9,
}
_DAYS_IN_MONTH = 30.4


@dataclass(frozen=True)
class Period:
    """A period by what is said of it; what is empty was not said.

    `name`: FY, Q1 to Q4, H1, H2, 6M, 9M, TTM, or `Q` for a quarter that only its end tells. `year` is the fiscal year.
    `end` is an ISO day or month, or a month of whatever year (`--09`). `months`: its length; 0 for a day. `relation`:
    it stands before or after another by that much, or by so many `steps` of it.
    """

    name: str = ""
    year: int | None = None
    end: str = ""
    relation: Relation = ""
    steps: int = 1

    @property
    def months(self) -> int:
        """Its length in months; 0 where it has none or none is said."""
        return 3 if self.name == "Q" else _MONTHS.get(self.name, 0)

    @property
    def text(self) -> str:
        """As people write it: `FY2026`, `Q3 FY2026`, `twelve months to 2026-04-26`, `2026-03-20`."""
        if self.name == "TTM":
            return f"twelve months to {self.end}" if self.end else "twelve months"
        if self.year is None:
            return " ".join(filter(None, (self.name, self.end)))
        return f"FY{self.year}" if self.name in ("FY", "") else f"{self.name} FY{self.year}"


NO_PERIOD = Period()


def period_of(cell: Cell) -> Period:
    """The period of a cell."""
    return Period(cell.fiscal_period, cell.fiscal_year, cell.period_end)


def months_of(cell: Cell) -> int:
    """The length of a cell's period in months; 0 for a balance or a price."""
    if not cell.period_start or not cell.period_end:
        return 0
    try:
        days = (date.fromisoformat(cell.period_end) - date.fromisoformat(cell.period_start)) / timedelta(days=1)
    except ValueError:
        return 0
    return round(days / _DAYS_IN_MONTH)
