"""What a question asks for, as the planner and the writer need it. It holds names, never the question's text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from dexter.offline.when import NOT_SAID, When

Language = Literal["en", "zh"]
# Questions that want more than figures: what is to come, what to think, what if, why.
Stance = Literal["forecast", "opinion", "scenario", "cause"]
Operation = Literal[
    "cagr",
    "year",
    "quarter",
    "change",
    "trend",
    "total",
    "average",
    "extreme",
    "most",
    "least",
    "difference",
    "compare",
    "dcf",
]


@dataclass(frozen=True)
class Relation:
    """One figure as a share or multiple of another, where no metric is defined as that."""

    left: str
    right: str


@dataclass(frozen=True)
class Intent:
    """A question understood.

    `companies` are tickers, `unclear` names with those they may mean, `notes` what is to be said of the companies
    (renames, assumptions); `everyone`: all companies there are, or those of the question before. `metrics` are names of
    lines and metrics; `overview` says that none was named and the usual ones are meant. `topics` are what no statement
    line has, `unread` the words that were not understood, `lost` those of them without which an answer would be one to
    another question. `assumptions` are rates it gives for a valuation (fractions of one). `by_quarter`: it speaks of
    quarters; `adds`: it only adds to the question before it.
    """

    language: Language = "en"
    companies: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    everyone: bool = False
    notes: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    relations: tuple[Relation, ...] = ()
    overview: bool = False
    when: When = NOT_SAID
    operations: frozenset[Operation] = frozenset()
    stance: Stance | None = None
    topics: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    assumptions: tuple[tuple[str, Decimal], ...] = ()
    by_quarter: bool = False
    adds: bool = False

    @property
    def asks_figures(self) -> bool:
        """Whether figures are named or the usual ones meant."""
        return bool(self.metrics or self.relations or self.overview)

    @property
    def is_comparison(self) -> bool:
        """Whether several companies are meant."""
        return self.everyone or len(self.companies) > 1

    @property
    def ranks_growth(self) -> bool:
        """Whether the one that grew most is asked for, not the largest."""
        return self.does("most", "least") and self.does("change", "year") and self.is_comparison

    @property
    def ascending(self) -> bool:
        """Whether the smallest is asked for first."""
        return "least" in self.operations and "most" not in self.operations

    def does(self, *operations: Operation) -> bool:
        """Whether any of these is asked for."""
        return not self.operations.isdisjoint(operations)

    def after(self, before: Intent | None) -> Intent:
        """This question read as a follow-up: what it leaves unsaid is taken from the one before."""
        if before is None:
            return self
        merged = replace(
            self,
            companies=self._companies_after(before),
            everyone=self._everyone_after(before),
            when=before.when if self.when.is_empty and not self.overview else self.when,
        )
        if self.topics or (self.stance and self.companies):
            return merged
        if not self.asks_figures and self.stance in (None, "cause"):
            merged = replace(
                merged,
                metrics=before.metrics,
                relations=before.relations,
                overview=before.overview,
                stance=self.stance or before.stance,
                operations=self.operations | before.operations,
            )
        return merged

    def _companies_after(self, before: Intent) -> tuple[str, ...]:
        """Those named; with those before where one is only added, or where several were being compared."""
        joins = self.adds or (len(before.companies) > 1 and not self.asks_figures)
        if self.companies and joins:
            return tuple(dict.fromkeys((*before.companies, *self.companies)))
        return self.companies or before.companies

    def _everyone_after(self, before: Intent) -> bool:
        """Say "which of them": it means those before, if there were any."""
        return (self.everyone and not before.companies) or (not self.companies and before.everyone)
