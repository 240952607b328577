"""Cells as compact tables for the model: units said once, a column a period, derived values marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from dexter.data.company import Company
from dexter.data.derive import Column
from dexter.data.metrics import Metric, metric_named, name_for_people
from dexter.data.numbers import EXACT, Scale, scale_for, written
from dexter.data.numbers import exact as every_digit
from dexter.data.unavailable import Unavailable
from dexter.results import Cell, Source

Figure = Cell | Unavailable

_MARKS = ("*", "†", "‡", "§", "¶")


@dataclass(frozen=True)
class Line:
    """One row: a concept or metric, and its figure in each column that has one."""

    name: str
    figures: Mapping[Column, Figure]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The figures that are there."""
        return tuple(figure for figure in self.figures.values() if isinstance(figure, Cell))


@dataclass
class Footnotes:
    """What several tables explain together, once: marks of derivations, definitions, reasons."""

    marks: dict[str, str] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, None] = field(default_factory=dict)
    holes: bool = False

    def mark(self, cell: Cell) -> str:
        """The mark of a derived value; a metric is defined instead, since every value of it is derived."""
        metric = metric_named(cell.concept)
        if metric and metric.group != "multiple":
            self.definitions |= _definition(metric)
            return ""
        if not cell.derived:
            return ""
        count = len(self.marks)
        return self.marks.setdefault(cell.derived, _MARKS[count] if count < len(_MARKS) else f"[{count + 1}]")

    def explain(self, missing: Unavailable | None) -> str:
        """The mark of a figure that is not there."""
        if missing is None or missing.why == "missing":
            self.holes = True
            return "–"
        self.reasons[f"{missing.mark} ({missing.ticker}): {missing.reason}"] = None
        return missing.mark

    def text(self) -> str:
        """The lines below the tables; '' where nothing needs explaining."""
        lines = [f"{mark} derived: {how}" for how, mark in self.marks.items()]
        if self.definitions:
            lines.append("Definitions: " + "; ".join(f"{label} = {text}" for label, text in self.definitions.items()))
        lines += self.reasons
        if self.holes:
            lines.append("–: not in the data, unknown rather than zero")
        return "\n".join(lines)


def headline(company: Company) -> str:
    """Who this is: every result opens with it."""
    year_end = f"fiscal year ends {company.fiscal_year_end}" if company.fiscal_year_end else "fiscal year end unknown"
    parts = (company.ticker, company.name, company.exchange or "exchange unknown", company.currency, year_end)
    notes = "".join(f" ({note})" for note in company.notes)
    return " · ".join(filter(None, parts)) + notes


def statement_table(lines: Sequence[Line], headings: Mapping[Column, str], footnotes: Footnotes, *, exact: bool) -> str:
    """One company's lines as a table, the columns in the order of `headings`. '' where there are no lines."""
    if not lines:
        return ""
    scale = EXACT if exact else scale_for(cell.number for line in lines for cell in line.cells if _is_money(cell))
    cells = [cell for line in lines for cell in line.cells]
    head = [_money_unit(cells, scale), *headings.values()]
    ends = ["period end", *(column.end for column in headings)]
    rows = [_row(line, headings, scale, footnotes, exact=exact) for line in lines]
    return markdown([head, ends, *rows])


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table; the first is its head."""
    head, *body = ("|" + "|".join(row) + "|" for row in rows)
    return "\n".join((head, "|" + "-|" * len(rows[0]), *body))


def sources_text(companies: Iterable[tuple[Company, Sequence[Source]]]) -> str:
    """Each source once: filings with form, accession number and day, data sets with their day."""
    lines = []
    for company, sources in companies:
        filings = [f"{_form(source)} {source.accession} ({source.as_of})" for source in sources if source.accession]
        others = [f"{source.title} ({source.as_of})" for source in sources if not source.accession]
        datasets = dict.fromkeys(source.dataset for source in sources if source.dataset)
        through = f" [{', '.join(datasets)}]" if datasets else ""
        lines.append(f"Sources {company.ticker}{through}: {'; '.join((*filings, *others))}")
    return "\n".join(lines)


def _definition(metric: Metric) -> dict[str, str]:
    """What a reader can't take from the label itself."""
    if metric.formula.operation == "growth":
        return {"Growth": "value / value of the year or quarter before − 1"}
    if metric.label.count("/") == 1 and not metric.note:
        return {}
    return {metric.label: metric.formula.text + (f" ({metric.note})" if metric.note else "")}


def _form(source: Source) -> str:
    return source.title.rpartition(" ")[2]


def _row(line: Line, columns: Iterable[Column], scale: Scale, footnotes: Footnotes, *, exact: bool) -> list[str]:
    share_scale = EXACT if exact else scale_for(cell.number for cell in line.cells)
    row_scale = share_scale if any(cell.unit == "shares" for cell in line.cells) else scale
    shown = (_shown(line.figures.get(column), row_scale, footnotes, exact=exact) for column in columns)
    return [_row_label(line, row_scale), *shown]


def _shown(figure: Figure | None, scale: Scale, footnotes: Footnotes, *, exact: bool) -> str:
    if not isinstance(figure, Cell):
        return footnotes.explain(figure)
    whole = exact and figure.unit != "pure"
    return (every_digit(figure.number) if whole else written(figure, scale)) + footnotes.mark(figure)


def _row_label(line: Line, scale: Scale) -> str:
    """The label; with the unit where it is not the table's."""
    units = {cell.unit for cell in line.cells}
    label = name_for_people(line.name)
    if label == line.name and line.cells:
        label = line.cells[0].label or label
    if "shares" in units:
        return f"{label} ({scale.name})" if scale.name else label
    per_share = next((unit for unit in units if "/" in unit), "")
    return f"{label} ({per_share})" if per_share else label


def _money_unit(cells: Iterable[Cell], scale: Scale) -> str:
    currencies = dict.fromkeys(cell.unit for cell in cells if _is_money(cell))
    return " ".join(filter(None, ("/".join(currencies), scale.name))) if currencies else ""


def _is_money(cell: Cell) -> bool:
    return cell.unit == cell.currency != ""
