"""The value of each item of an answer: a cell, an outcome of `calculate`, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from dexter.data.company import Company
from dexter.data.derive import Column, CompanyFigures
from dexter.data.metrics import metric_named
from dexter.data.unavailable import Unavailable
from dexter.offline.amounts import Amount, amount_of
from dexter.offline.analysis import Analysis
from dexter.offline.evidence import Span
from dexter.offline.items import Item, shape_of
from dexter.offline.steps import Step
from dexter.results import Cell

CompanyOf = Callable[[str], Company]


@dataclass(frozen=True)
class Value:
    """An amount and the cells it rests on."""

    amount: Amount
    cells: tuple[Cell, ...]


class Values:
    """Looks values up for one analysis."""

    def __init__(self, analysis: Analysis, company_of: CompanyOf) -> None:
        self._analysis = analysis
        self._company_of = company_of
        self._figures = cache(self._company_figures)

    def at(self, item: Item, ticker: str, span: Span) -> Value | Unavailable:
        """An item of a company in a period."""
        cell = self._analysis.evidence.figure(ticker, item.name, span)
        if item.kind == "figure":
            return Value(amount_of(cell, item.shape), (cell,)) if cell else self._reason(item.name, ticker, span)
        step = self._analysis.value_step(item, ticker, span)
        value = self.of_step(step) if step else None
        return value or self._reason_not_computed(item, ticker, span)

    def of_step(self, step: Step | None) -> Value | None:
        """The outcome of a step, or None where it was not computed."""
        number = self._analysis.evidence.calculated.get(step.name) if step else None
        if step is None or number is None:
            return None
        cells = tuple(cell for _, cell in step.inputs)
        return Value(replace(_unit(step, cells), number=number), cells)

    def multiple(self, name: str, ticker: str) -> Value | None:
        """A figure that needs a price, as of the newest day there is one of."""
        cell = self._analysis.evidence.multiple(ticker, name)
        return Value(amount_of(cell, shape_of(name)), (cell,)) if cell else None

    def company(self, ticker: str) -> Company:
        """Who that is."""
        return self._company_of(ticker)

    def _reason(self, name: str, ticker: str, span: Span) -> Unavailable:
        figure = self._figures(ticker).figure(name, Column(span.basis, span.end))
        if isinstance(figure, Unavailable):
            return replace(figure, concept=name)
        return Unavailable(ticker, name, "missing", "not looked up", period_end=span.end)

    def _reason_not_computed(self, item: Item, ticker: str, span: Span) -> Unavailable:
        for name in item.needs:
            if self._analysis.evidence.figure(ticker, name, span) is None:
                return self._reason(name, ticker, span)
        why = "not_meaningful" if self._has_base(item, ticker, span) else "missing"
        return Unavailable(ticker, item.name, why, "", period_end=span.end)  # type: ignore[arg-type]

    def _has_base(self, item: Item, ticker: str, span: Span) -> bool:
        if item.kind == "relation":
            return True
        evidence = self._analysis.evidence
        earlier = [other for other in evidence.spans(ticker, span.basis) if other.end < span.end]
        return any(cell.number <= 0 for other in earlier if (cell := evidence.figure(ticker, item.name, other)))

    def _company_figures(self, ticker: str) -> CompanyFigures:
        cells = (cell for cell in self._analysis.evidence.cells if cell.ticker == ticker and cell.fiscal_period)
        lines = [cell for cell in cells if metric_named(cell.concept) is None]
        return CompanyFigures(self._company_of(ticker), lines)


def _unit(step: Step, cells: tuple[Cell, ...]) -> Amount:
    """What a step's outcome counts: a share of one, points, a multiple, or what its inputs count."""
    first = amount_of(cells[0], step.item.shape)
    if step.kind in ("growth", "cagr", "item"):
        return replace(first, unit="percent", currency="")
    if step.kind == "ratio":
        return replace(first, unit="times", currency="")
    if step.kind in ("change", "difference") and first.unit == "percent":
        return replace(first, unit="points")
    return first
