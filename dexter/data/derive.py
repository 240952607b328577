"""Computes metrics from a company's cells: exact, in one currency, and never from a figure that is not there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Context, Decimal
from typing import Literal, NamedTuple

from dexter.data.company import Company
from dexter.data.concepts import concept_named
from dexter.data.metrics import Formula, Metric, metric_named, name_for_people
from dexter.data.periods import span_of
from dexter.data.provider import Period
from dexter.data.unavailable import Unavailable, Why
from dexter.results import Cell

# Sums, differences and products of filed figures stay exact; a quotient is cut after 28 digits.
_EXACT = Context(prec=60)
_QUOTIENT = Context(prec=28)


class Column(NamedTuple):
    """One period of a table: which kind, and the day it ends (ISO)."""

    period: Period
    end: str


class CompanyFigures:
    """A company's cells by line and column; metrics are computed when they are asked for.

    `fixed` are cells that hold in every column, whatever day they are of: a close, a share count.
    """

    def __init__(self, company: Company, cells: Iterable[Cell], *, fixed: Mapping[str, Cell] | None = None) -> None:
        self.company = company
        self._fixed = dict(fixed or {})
        self._flows: dict[tuple[str, Column], Cell] = {}
        self._balances: dict[tuple[str, str], Cell] = {}
        self._periods: dict[Column, tuple[int | None, str]] = {}
        for cell in cells:
            self._periods[column_of(cell)] = (cell.fiscal_year, cell.fiscal_period)
            if _is_balance(cell):
                self._balances[cell.concept, cell.period_end] = cell
            else:
                self._flows[cell.concept, column_of(cell)] = cell

    def columns(self, period: Period) -> list[Column]:
        """The columns there are figures for, newest first."""
        ends = {column.end for _, column in self._flows if column.period == period}
        ends = ends or {end for _, end in self._balances}
        return [Column(period, end) for end in sorted(ends, reverse=True)]

    def heading(self, column: Column) -> str:
        """What a column is called: `FY2026`, `Q3 FY2026`, `TTM`."""
        year, period = self._periods.get(column, (None, ""))
        if column.period == "ttm":
            return "TTM"
        return f"FY{year}" if column.period == "annual" else f"{period} FY{year}"

    def figure(self, name: str, column: Column) -> Cell | Unavailable:
        """The cell of a concept or metric in that column, or why there is none."""
        metric = metric_named(name)
        if metric:
            return self._derive(metric, column)
        return (
            self._fixed.get(name)
            or self._flows.get((name, column))
            or self._balances.get((name, column.end))
            or self._missing(name, column)
        )

    def _derive(self, metric: Metric, column: Column) -> Cell | Unavailable:
        left = self.figure(metric.formula.left, column)
        right = self._right_operand(metric.formula, column)
        if isinstance(left, Unavailable):
            return self._unavailable(metric.name, column, left.why, left.reason)
        if isinstance(right, Unavailable):
            return self._unavailable(metric.name, column, right.why, right.reason)
        problem = _problem(metric.formula, left, right)
        if problem:
            return self._unavailable(metric.name, column, *problem)
        return _result(metric, left, right)

    def _right_operand(self, formula: Formula, column: Column) -> Cell | Unavailable:
        if formula.operation != "growth":
            return self.figure(formula.right, column)
        before = self._column_before(column, "year" if formula.right == "year" else "quarter")
        if before is None:
            name = name_for_people(formula.left)
            reason = f"{name} of the {formula.right} before {column.end} is not there"
            return self._unavailable(formula.left, column, "missing", reason)
        return self.figure(formula.left, before)

    def _column_before(self, column: Column, span: Literal["year", "quarter"]) -> Column | None:
        end = date.fromisoformat(column.end)
        earlier = (other for other in self.columns(column.period) if other.end < column.end)
        return next((other for other in earlier if span_of(date.fromisoformat(other.end), end) == span), None)

    def _missing(self, name: str, column: Column) -> Unavailable:
        concept = concept_named(name)
        if concept and self.company.kind in concept.not_for:
            reason = f"a {self.company.kind} has no {concept.label.lower()}"
            return self._unavailable(name, column, "not_applicable", reason)
        when = f"on {column.end}" if concept and concept.nature == "balance" else _of(column)
        return self._unavailable(name, column, "missing", f"{name_for_people(name)} {when} is not there")

    def _unavailable(self, name: str, column: Column, why: Why, reason: str) -> Unavailable:
        year, period = self._periods.get(column, (None, ""))
        return Unavailable(self.company.ticker, name, why, reason, year, period, column.end)


def column_of(cell: Cell) -> Column:
    """The column a cell stands in."""
    if cell.fiscal_period in ("FY", "TTM"):
        return Column("annual" if cell.fiscal_period == "FY" else "ttm", cell.period_end)
    return Column("quarterly", cell.period_end)


def _is_balance(cell: Cell) -> bool:
    concept = concept_named(cell.concept)
    return concept is not None and concept.nature == "balance"


def _of(column: Column) -> str:
    words = {"annual": "of the year to", "quarterly": "of the quarter to", "ttm": "of the twelve months to"}
    return f"{words[column.period]} {column.end}"


def _problem(formula: Formula, left: Cell, right: Cell) -> tuple[Why, str] | None:
    """Why the operation would give a misleading number, if it would."""
    if left.currency and right.currency and left.currency != right.currency:
        return "currencies", f"{left.concept} is in {left.currency}, {right.concept} in {right.currency}"
    if formula.operation in ("ratio", "growth") and right.number <= 0:
        state = "zero" if right.number == 0 else "negative"
        of = f" of the {formula.right} before" if formula.operation == "growth" else ""
        return "not_meaningful", f"{name_for_people(right.concept)}{of} is {state}"
    return None


def _result(metric: Metric, left: Cell, right: Cell) -> Cell:
    cells = (left, right)
    accessions = {cell.accession for cell in cells}
    # A flow says which months the result covers; a multiple is of the day of the price.
    anchor = max(cells, key=lambda cell: cell.period_end) if metric.group == "multiple" else _flow(left, right)
    return replace(
        anchor,
        concept=metric.name,
        label=metric.label,
        value=f"{_value(metric.formula, left.number, right.number):f}",
        unit=_unit(metric.formula, left, right),
        currency=_currency(metric.formula, left, right),
        derived=_how(metric, left, right),
        accession=accessions.pop() if len(accessions) == 1 else "",
        form=left.form if left.form == right.form else "",
        filed=max(cell.filed for cell in cells),
        source="",
        provenance="derived",
    )


def _flow(left: Cell, right: Cell) -> Cell:
    return left if left.period_start or not right.period_start else right


def _value(formula: Formula, left: Decimal, right: Decimal) -> Decimal:
    match formula.operation:
        case "ratio":
            return _QUOTIENT.divide(left, right)
        case "growth":
            return _QUOTIENT.divide(_EXACT.subtract(left, right), right)
        case "difference":
            return _EXACT.subtract(left, right)
        case "sum":
            return _EXACT.add(left, right)
        case "product":
            return _EXACT.multiply(left, right)


def _unit(formula: Formula, left: Cell, right: Cell) -> str:
    if _is_per_share(formula, right):
        return f"{left.unit}/{right.unit}"
    if formula.operation in ("ratio", "growth"):
        return "pure"
    return (left.currency or right.currency) if formula.operation == "product" else left.unit


def _currency(formula: Formula, left: Cell, right: Cell) -> str:
    pure = formula.operation in ("ratio", "growth") and not _is_per_share(formula, right)
    return "" if pure else left.currency or right.currency


def _is_per_share(formula: Formula, right: Cell) -> bool:
    return formula.operation == "ratio" and right.unit == "shares"


def _how(metric: Metric, left: Cell, right: Cell) -> str:
    """The formula; with the periods where the two are of different ones."""
    if metric.formula.operation == "growth":
        return f"{left.concept} / {right.concept} of {_period_name(right)} − 1"
    if metric.group != "multiple":
        return metric.formula.text
    return f"{_dated(left)} {metric.formula.sign} {_dated(right)}"


def _period_name(cell: Cell) -> str:
    if cell.fiscal_period == "TTM":
        return f"twelve months to {cell.period_end}"
    return f"FY{cell.fiscal_year}" if cell.fiscal_period == "FY" else f"{cell.fiscal_period} FY{cell.fiscal_year}"


def _dated(cell: Cell) -> str:
    if cell.period_start and cell.fiscal_period == "TTM":
        return f"{cell.concept} of the {_period_name(cell)}"
    return f"{cell.concept} of {cell.period_end}"
