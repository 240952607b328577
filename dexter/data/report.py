"""What one company gave, and how the reports of several read together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Protocol

from dexter.data.company import Company
from dexter.data.concepts import label_of
from dexter.data.derive import Column
from dexter.data.tables import Footnotes, Line, headline, sources_text, statement_table
from dexter.data.unavailable import Unavailable
from dexter.results import Attempt, Cell, Source, ToolResult


@dataclass(frozen=True)
class CompanyReport:
    """What one company gave: lines over columns, or an error."""

    asked: str
    company: Company | None = None
    headings: Mapping[Column, str] = field(default_factory=dict)
    lines: tuple[Line, ...] = ()
    empty: tuple[Unavailable, ...] = ()
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    tried: tuple[Attempt, ...] = ()
    error: str = ""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every figure shown, by line, newest first."""
        return tuple(cell for line in self.lines for cell in line.cells)

    @property
    def unavailable(self) -> tuple[Unavailable, ...]:
        """Every figure that should stand in the table and does not."""
        figures = (figure for line in self.lines for figure in line.figures.values())
        return tuple(figure for figure in figures if isinstance(figure, Unavailable))

    def joined(self, segments: CompanyReport) -> CompanyReport:
        """This report with segments below it; that there are none is a note and no failure of the rest."""
        missing = (f"{segments.asked}: {segments.error}",) if segments.error else ()
        return replace(
            self,
            headings={**segments.headings, **self.headings},
            lines=(*self.lines, *segments.lines),
            sources=tuple(dict.fromkeys((*self.sources, *segments.sources))),
            notes=(*self.notes, *segments.notes, *missing),
            tried=(*self.tried, *segments.tried),
        )


class Report(Protocol):
    """What reports of statements and of markets have in common."""

    @property
    def asked(self) -> str: ...
    @property
    def company(self) -> Company | None: ...
    @property
    def cells(self) -> tuple[Cell, ...]: ...
    @property
    def unavailable(self) -> tuple[Unavailable, ...]: ...
    @property
    def sources(self) -> tuple[Source, ...]: ...
    @property
    def tried(self) -> tuple[Attempt, ...]: ...
    @property
    def error(self) -> str: ...


def collected(reports: Sequence[Report], text: str, notes: Sequence[str]) -> ToolResult:
    """The reports as one result: an error where all failed, partial where some did."""
    good = [report for report in reports if not report.error]
    return ToolResult(
        text=text,
        status="error" if not good else "partial" if len(good) < len(reports) else "ok",
        cells=tuple(cell for report in good for cell in report.cells),
        data={
            "companies": [asdict(report.company) for report in good if report.company],
            "errors": [{"asked": report.asked, "error": report.error} for report in reports if report.error],
            "unavailable": [missing.to_json() for report in good for missing in report.unavailable],
        },
        sources=tuple(source for report in good for source in report.sources),
        notes=notes,
        tried=tuple(attempt for report in reports for attempt in report.tried),
    )


def report_text(reports: Sequence[CompanyReport], notes: Sequence[str], *, exact: bool, named: bool) -> str:
    """What the model sees: a table a company, then once what explains them all, the notes, the sources.

    `named`: the lines were asked for by name, so that those without a figure stand in the table already.
    """
    footnotes = Footnotes()
    parts = [_company_text(report, footnotes, exact=exact) for report in reports]
    sources = [(report.company, report.sources) for report in reports if report.company and report.sources]
    below = (footnotes.text(), "" if named else _empty_lines(reports), *notes, sources_text(sources))
    return "\n\n".join(parts) + "\n\n" + "\n".join(filter(None, below))


def _company_text(report: CompanyReport, footnotes: Footnotes, *, exact: bool) -> str:
    if report.error or report.company is None:
        return f"Error ({report.asked}): {report.error}"
    return f"{headline(report.company)}\n{statement_table(report.lines, report.headings, footnotes, exact=exact)}"


def _empty_lines(reports: Iterable[CompanyReport]) -> str:
    """Lines of the statements without any figure, companies with the same ones together."""
    tickers: dict[str, list[str]] = {}
    for report in reports:
        if report.company and report.empty:
            tickers.setdefault(_why_empty(report.empty), []).append(report.company.ticker)
    return "\n".join(f"{', '.join(who)}: {why}" for why, who in tickers.items())


def _why_empty(empty: Sequence[Unavailable]) -> str:
    words = {"missing": "no figures here for", "not_applicable": "not applicable:"}
    return "; ".join(
        f"{said} {', '.join(labels)}"
        for why, said in words.items()
        if (labels := [label_of(missing.concept) for missing in empty if missing.why == why])
    )
