"""The sample's raw rows, read from its CSV files, and the arithmetic on them."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path

SAMPLE = Path(__file__).parents[2] / "data" / "sample"
_QUARTERS = ("Q1", "Q2", "Q3", "Q4")


@dataclass(frozen=True)
class Row:
    """One filed figure."""

    ticker: str
    concept: str
    year: int
    period: str
    end: str
    value: Decimal
    unit: str
    derivation: str
    accession: str
    filed: str

    @property
    def label(self) -> str:
        """`FY2025`, `Q3 FY2025`."""
        return f"FY{self.year}" if self.period == "FY" else f"{self.period} FY{self.year}"


@dataclass(frozen=True)
class Rows:
    """All of them, found by company, figure and period."""

    by_key: dict[tuple[str, str, int, str], Row] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path = SAMPLE) -> Rows:
        """From the sample's folder."""
        filed = {row["accession"]: row["filed"] for row in _csv(folder / "filings.csv")}
        found = cls()
        for raw in _csv(folder / "figures.csv"):
            row = Row(
                raw["ticker"],
                raw["concept"],
                int(raw["fiscal_year"]),
                raw["fiscal_period"],
                raw["period_end"],
                Decimal(raw["value"]),
                raw["unit"],
                raw["derivation"],
                raw["accession"],
                filed[raw["accession"]],
            )
            found.by_key[row.ticker, row.concept, row.year, row.period] = row
        return found

    def get(self, ticker: str, concept: str, year: int, period: str = "FY") -> Row | None:
        """The figure of that period, None where the sample has none."""
        return self.by_key.get((ticker, concept, year, period))

    def years(self, concept: str) -> list[Row]:
        """Every figure of fiscal years, in the order of the files."""
        return [row for row in self.by_key.values() if row.concept == concept and row.period == "FY"]

    def quarters(self, concept: str) -> list[Row]:
        """Every figure of quarters, in the order of the files."""
        return [row for row in self.by_key.values() if row.concept == concept and row.period != "FY"]

    def newest(self, ticker: str, concept: str, *, annual: bool) -> Row | None:
        """The figure of the newest fiscal year, or of the newest quarter."""
        rows = self.years(concept) if annual else self.quarters(concept)
        return max((row for row in rows if row.ticker == ticker), key=lambda row: row.end, default=None)

    def four_quarters(self, ticker: str, concept: str) -> list[Row] | None:
        """The newest four quarters, which follow each other; None where one is missing."""
        last = self.newest(ticker, concept, annual=False)
        if last is None:
            return None
        at = last.year * 4 + _QUARTERS.index(last.period)
        found = [self.get(ticker, concept, n // 4, _QUARTERS[n % 4]) for n in range(at - 3, at + 1)]
        return [row for row in found if row is not None] if all(found) else None


def _csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def accessions(rows: Iterable[Row]) -> list[str]:
    """The filings that some figures stand in, each once."""
    return list(dict.fromkeys(row.accession for row in rows))


def words_of_day(day: str) -> str:
    """`January 26, 2025`."""
    found = date.fromisoformat(day)
    return f"{found:%B} {found.day}, {found.year}"


def total(rows: Sequence[Row]) -> Decimal:
    """The sum of some figures."""
    return sum((row.value for row in rows), Decimal(0))
