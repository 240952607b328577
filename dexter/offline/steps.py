"""What an answer derives beyond the tools' own figures, as steps of `calculate`, each input with where it is from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from dexter.offline.evidence import Evidence, Span
from dexter.offline.items import Item
from dexter.results import Cell

StepKind = Literal["item", "growth", "change", "cagr", "total", "average", "ratio", "difference"]

_UNFIT = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True)
class Step:
    """One computation: its name in `calculate`, the expression over `inputs`, and what it says.

    `ticker` is the company it is of; for `ratio` and `difference` the larger one, `other` the smaller. `spans` are the
    periods it covers, the first and the last.
    """

    name: str
    kind: StepKind
    expression: str
    inputs: tuple[tuple[str, Cell], ...]
    item: Item
    ticker: str
    spans: tuple[Span, ...]
    other: str = ""


def step_name(*parts: str) -> str:
    """A name that `calculate` takes."""
    return "_".join(_UNFIT.sub("_", part).strip("_") for part in parts if part)[:64]


def span_key(span: Span) -> str:
    """A period in a step's name."""
    return span.label.replace(" ", "") if span.basis != "ttm" else f"TTM_{span.end}"


def input_name(cell: Cell) -> str:
    """A cell's name in `calculate`."""
    if not cell.fiscal_period:
        return step_name(cell.ticker, cell.concept, cell.period_end)
    period = f"TTM_{cell.period_end}" if cell.fiscal_period == "TTM" else f"{cell.fiscal_period}_{cell.fiscal_year}"
    return step_name(cell.ticker, cell.concept, period)


def make_step(
    kind: StepKind,
    form: str,
    cells: Sequence[Cell],
    *,
    item: Item,
    ticker: str,
    spans: Sequence[Span],
    other: str = "",
) -> Step:
    """A step over cells; `form` has a `{}` for each, or `{all}` for all of them."""
    names = [input_name(cell) for cell in cells]
    expression = form.format(*names, all=", ".join(names))
    ends = [span_key(span) for span in dict.fromkeys((spans[0], spans[-1]))]
    name = step_name(ticker, other, item.key, kind if kind != "item" else "", *ends)
    inputs = tuple(dict(zip(names, cells, strict=True)).items())
    return Step(name, kind, expression, inputs, item, ticker, tuple(spans), other)


def item_step(item: Item, ticker: str, span: Span, evidence: Evidence) -> Step | None:
    """The step that gives a computed item in one period; None where a figure is missing or the base not positive."""
    cell = evidence.figure(ticker, item.name, span)
    if cell is None or item.kind == "figure":
        return None
    if item.kind == "relation":
        other = evidence.figure(ticker, item.other, span)
        if other is None or other.number <= 0 or other.currency != cell.currency:
            return None
        return make_step("item", "{} / {}", (cell, other), item=item, ticker=ticker, spans=(span,))
    before = span_before(span, evidence.spans(ticker, span.basis), "year" if item.kind == "growth_year" else "quarter")
    base = evidence.figure(ticker, item.name, before) if before else None
    if base is None or base.number <= 0:
        return None
    return make_step("item", "growth({}, {})", (cell, base), item=item, ticker=ticker, spans=(span,))


def span_before(span: Span, spans: Iterable[Span], before: Literal["year", "quarter"]) -> Span | None:
    """The period a year or a quarter before, if it is there."""
    if span.basis == "annual":
        return next((other for other in spans if other.year == span.year - 1), None)
    if before == "year":
        return next((other for other in spans if _quarters(span) - _quarters(other) == 4), None)  # noqa: PLR2004
    return next((other for other in spans if _quarters(span) - _quarters(other) == 1), None)


def _quarters(span: Span) -> int:
    """Quarters since year 0, by the day the period ends."""
    year, month, day = (int(part) for part in span.end.split("-"))
    months = year * 12 + month - (1 if day <= 7 else 0)  # noqa: PLR2004 - the first week belongs to the month before
    return round(months / 3)


def series_steps(item: Item, ticker: str, spans: Sequence[Span], evidence: Evidence) -> Iterator[Step]:
    """First to last: growth, change and yearly rate of an amount, the change of a percentage."""
    there = [(span, cell) for span in spans if (cell := evidence.figure(ticker, item.name, span))]
    if len(there) < 2 or item.kind != "figure":  # noqa: PLR2004 - a change has two ends
        return
    ends, cells = (there[0][0], there[-1][0]), (there[0][1], there[-1][1])
    first, last = (cell.number for cell in cells)
    yield make_step("change", "{1} - {0}", cells, item=item, ticker=ticker, spans=ends)
    if item.shape == "amount" and first > 0:
        yield make_step("growth", "growth({1}, {0})", cells, item=item, ticker=ticker, spans=ends)
        years = ends[1].year - ends[0].year
        if ends[0].basis != "quarterly" and years > 1 and last > 0:
            yield make_step("cagr", f"cagr({{0}}, {{1}}, {years})", cells, item=item, ticker=ticker, spans=ends)


def gather_steps(
    kind: Literal["total", "average"], item: Item, ticker: str, spans: Sequence[Span], evidence: Evidence
) -> Iterator[Step]:
    """The sum or the mean over the periods, where every one of them has its figure."""
    cells = [cell for span in spans if (cell := evidence.figure(ticker, item.name, span))]
    form = "sum({all})" if kind == "total" else "mean({all})"
    if len(cells) == len(spans) > 1 and item.kind == "figure":
        yield make_step(kind, form, cells, item=item, ticker=ticker, spans=spans)


def pair_steps(item: Item, larger: tuple[str, Span, Cell], smaller: tuple[str, Span, Cell]) -> Iterator[Step]:
    """How far apart two companies are: the difference, and for amounts the multiple."""
    cells = (larger[2], smaller[2])
    if cells[0].currency != cells[1].currency:
        return
    ends = (larger[1], smaller[1])
    yield make_step("difference", "{} - {}", cells, item=item, ticker=larger[0], spans=ends, other=smaller[0])
    if item.shape == "amount" and cells[1].number > 0:
        yield make_step("ratio", "{} / {}", cells, item=item, ticker=larger[0], spans=ends, other=smaller[0])


def close_step(item: Item, ticker: str, first: Cell, last: Cell) -> Step:
    """How far a price moved from one day to another."""
    names = input_name(first), input_name(last)
    name = step_name(ticker, item.key, "growth", first.period_end, last.period_end)
    inputs = ((names[0], first), (names[1], last))
    return Step(name, "growth", f"growth({names[1]}, {names[0]})", inputs, item, ticker, ())


def calculate_arguments(steps: Sequence[Step], source_of: Callable[[Cell], int]) -> dict[str, Any]:
    """The arguments of one `calculate` call: every input once, every step once."""
    inputs = {name: cell for step in steps for name, cell in step.inputs}
    return {
        "values": [
            {
                "name": name,
                "value": cell.value,
                "source": f"#{source_of(cell)} {cell.ticker} {cell.concept} {cell.period_end}",
            }
            for name, cell in inputs.items()
        ],
        "expressions": [{"name": step.name, "expression": step.expression} for step in steps],
    }
