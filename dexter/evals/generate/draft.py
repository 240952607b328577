"""A question with its answer, and what templates draw from."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from itertools import pairwise
from typing import Any

from dexter.evals.generate.rows import Row, Rows, accessions
from dexter.evals.generate.words import names_of

_DIGITS = Context(prec=12)
INCOME = ("Revenues", "NetIncome", "OperatingIncome", "GrossProfit", "OperatingCashFlow", "CapitalExpenditures")


@dataclass(frozen=True)
class Draft:
    """A question with its answer, before it has an id."""

    question: str
    answer: Mapping[str, Any]
    accessions: Sequence[str] = ()
    as_of: str = ""


@dataclass(frozen=True)
class Source:
    """The rows, and chance."""

    rows: Rows
    chance: random.Random = field(default_factory=random.Random)

    def pick(self, choices: Sequence[str]) -> str:
        """One of some wordings."""
        return self.chance.choice(choices)

    def shuffled(self, found: Sequence[Row]) -> list[Row]:
        """The same in another order."""
        return self.chance.sample(found, len(found))

    def together(self, many: int) -> Iterator[list[Row]]:
        """Figures of so many companies in one fiscal year, no two of them near each other, without end."""
        choices = [(concept, year) for concept in (*INCOME, "TotalAssets") for year in range(2022, 2026)]
        while True:
            concept, year = self.chance.choice(choices)
            rows = [row for row in self.rows.years(concept) if row.year == year]
            if len(rows) < many:
                continue
            chosen = self.chance.sample(rows, many)
            ordered = sorted(row.value for row in chosen)
            if all(high > low * Decimal("1.02") > 0 for low, high in pairwise(ordered)):
                yield chosen


Template = Callable[[Source], Iterator[Draft]]


def figure(row: Row, value: Decimal | None = None, unit: str = "", **other: str) -> dict[str, Any]:
    """A number that a right answer states, of the row's company and period; what is made of a row has its own name."""
    stated = row.value if value is None else _DIGITS.plus(value)
    known = {"ticker": row.ticker, "period": row.label, "period_end": row.end}
    called = {"concept": row.concept} if value is None else {}
    return {"value": f"{stated:f}", "unit": unit or row.unit, **known, **called, **other}


def one_figure(question: str, rows: Sequence[Row], stated: Mapping[str, Any], as_of: str = "") -> Draft:
    """A question whose answer is one number."""
    return Draft(question, {"figures": [stated]}, accessions(rows), as_of)


def ranked(question: str, rows: Sequence[Row], figures: Sequence[Mapping[str, Any]]) -> Draft:
    """A question whose answer is an order, with a figure each; `rows` have the highest first."""
    order = tuple(row.ticker for row in rows)
    return Draft(question, {"order": list(order), "names": names_of(order), "figures": list(figures)}, accessions(rows))
