"""Statements and ratios of one to ten companies: the work behind the tool `get_financials`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from dexter.data.chain import ask_in_order
from dexter.data.company import Company
from dexter.data.concepts import Concept, concepts_of, find_concept
from dexter.data.derive import Column, CompanyFigures
from dexter.data.lookup import check_day, each_once, look_up, not_applicable
from dexter.data.metrics import METRICS, Metric, find_metric, metric_named
from dexter.data.provider import (
    CompanyDirectory,
    Period,
    Statement,
    StatementProvider,
    StatementQuery,
    Statements,
    Vintage,
)
from dexter.data.report import CompanyReport, collected, report_text
from dexter.data.sources import accessions_of
from dexter.data.tables import Line
from dexter.data.unavailable import Unavailable
from dexter.errors import ToolError
from dexter.results import Attempt, Source, ToolResult

MOST_TICKERS = 10
MOST_PERIODS = 40
# Growth needs the same period a year before.
_PERIODS_BACK: dict[Period, int] = {"annual": 1, "quarterly": 4, "ttm": 4}


@dataclass(frozen=True)
class FinancialsRequest:
    """What is asked. `concepts` (names, labels or usual words of lines and ratios) narrow the statements.

    `as_of` (ISO): nothing filed later is used. `vintage`: the latest filed values or those first filed. `exact`: whole
    values instead of scaled ones.
    """

    tickers: tuple[str, ...]
    statements: tuple[Statement, ...] = ("income",)
    concepts: tuple[str, ...] = ()
    period: Period = "annual"
    limit: int = 4
    as_of: str = ""
    vintage: Vintage = "latest"
    exact: bool = False


@dataclass(frozen=True)
class _Lines:
    """Names of the concepts and metrics to show, and what is said of words that name none of them."""

    names: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Those of the names that are computed."""
        return tuple(metric for name in self.names if (metric := metric_named(name)))


async def get_financials(
    request: FinancialsRequest, providers: Sequence[StatementProvider], directory: CompanyDirectory
) -> ToolResult:
    """A table a company with units, period ends and sources; a company that fails has its reason instead.

    Raises:
        ToolError: the request itself is wrong.
    """
    _check(request)
    lines = _lines(request)
    asked = each_once(request.tickers, directory)
    reports = await asyncio.gather(*(_report(name, request, lines, providers, directory) for name in asked))
    return _result(request, reports, lines.notes)


def _check(request: FinancialsRequest) -> None:
    if not 1 <= len(request.tickers) <= MOST_TICKERS:
        raise ToolError(f"{len(request.tickers)} tickers were asked for.", remedy=f"Ask for 1 to {MOST_TICKERS}.")
    if not 1 <= request.limit <= MOST_PERIODS:
        raise ToolError(f"limit is {request.limit}.", remedy=f"Ask for 1 to {MOST_PERIODS} periods.")
    check_day("as_of", request.as_of)


def _lines(request: FinancialsRequest) -> _Lines:
    if not request.concepts:
        metrics = [metric for metric in METRICS if "ratios" in request.statements and request.period in metric.periods]
        concepts = [concept.name for concept in concepts_of(request.statements)]
        return _Lines((*concepts, *(metric.name for metric in metrics)))
    found = {word: find_concept(word) or find_metric(word) for word in request.concepts}
    reasons = {word: _why_not(word, line, request.period) for word, line in found.items()}
    names = tuple(dict.fromkeys(line.name for word, line in found.items() if line and not reasons[word]))
    notes = tuple(filter(None, reasons.values()))
    if not names:
        raise ToolError(" ".join(notes), remedy="Leave out `concepts` to see what there is.")
    return _Lines(names, notes)


def _why_not(word: str, line: Concept | Metric | None, period: Period) -> str:
    """Why a word asked for is no line of these statements; '' where it is one."""
    if line is None:
        return f"No line or ratio is called {word!r}."
    if isinstance(line, Metric) and line.group == "multiple":
        return f"{line.label} needs a price: get_market_data gives it."
    if isinstance(line, Metric) and period not in line.periods:
        return f"{line.label} is given for {' and '.join(sorted(line.periods))} periods only."
    return ""


async def _report(
    asked: str,
    request: FinancialsRequest,
    lines: _Lines,
    providers: Sequence[StatementProvider],
    directory: CompanyDirectory,
) -> CompanyReport:
    found = look_up(asked, directory)
    if isinstance(found, str):
        return CompanyReport(asked, error=found)
    reason = not_applicable(found)
    if reason:
        return CompanyReport(asked, found, error=reason)
    report = await _statements_of(found, asked, request, lines, providers) if lines.names else None
    if "segments" not in request.statements:
        return report or CompanyReport(asked, found, error="No statement was asked for.")
    segments = await _segments_of(found, asked, request, providers)
    return report.joined(segments) if report else segments


async def _statements_of(
    company: Company, asked: str, request: FinancialsRequest, lines: _Lines, providers: Sequence[StatementProvider]
) -> CompanyReport:
    query = _query(company, request, lines)
    outcome = await ask_in_order(providers, "statements", lambda provider: provider.statements(query))
    if outcome.answer is None:
        return CompanyReport(asked, company, error=outcome.reason, tried=outcome.tried)
    return _statement_report(asked, request, lines, outcome.answer, outcome.tried)


async def _segments_of(
    company: Company, asked: str, request: FinancialsRequest, providers: Sequence[StatementProvider]
) -> CompanyReport:
    """Segments are lines of the company's own, from whichever provider has them."""
    query = StatementQuery(company, ("segments",), request.period, request.limit, as_of=request.as_of)
    outcome = await ask_in_order(providers, "segments", lambda provider: provider.statements(query))
    if outcome.answer is None:
        return CompanyReport(asked, company, error=f"No segments. {outcome.reason}", tried=outcome.tried)
    names = tuple(dict.fromkeys(cell.concept for cell in outcome.answer.cells))
    return _statement_report(asked, request, _Lines(names), outcome.answer, outcome.tried)


def _query(company: Company, request: FinancialsRequest, lines: _Lines) -> StatementQuery:
    """Everything the lines rest on, and as many periods more as growth looks back."""
    needs = [need for name in lines.names for need in _needs(name)]
    back = _PERIODS_BACK[request.period] if any(metric.group == "growth" for metric in lines.metrics) else 0
    stated = tuple(statement for statement in request.statements if statement != "segments")
    statements: tuple[Statement, ...] = ("income", "balance", "cash_flow") if lines.metrics else stated
    return StatementQuery(
        company=company,
        statements=statements,
        period=request.period,
        limit=request.limit + back,
        concepts=tuple(dict.fromkeys(needs)) if request.concepts else (),
        as_of=request.as_of,
        vintage=request.vintage,
    )


def _needs(name: str) -> tuple[str, ...]:
    metric = metric_named(name)
    return metric.needs if metric else (name,)


def _statement_report(
    asked: str, request: FinancialsRequest, lines: _Lines, statements: Statements, tried: tuple[Attempt, ...]
) -> CompanyReport:
    figures = CompanyFigures(statements.company, statements.cells)
    columns = tuple(figures.columns(request.period)[: request.limit])
    if not columns:
        return CompanyReport(asked, statements.company, error=f"No {request.period} figures were given.", tried=tried)
    every_line = [Line(name, {column: figures.figure(name, column) for column in columns}) for name in lines.names]
    return CompanyReport(
        asked=asked,
        company=statements.company,
        headings={column: figures.heading(column) for column in columns},
        # A line asked for by name is shown even where nothing is there, for its reasons.
        lines=tuple(line for line in every_line if line.cells or request.concepts),
        empty=tuple(_first_reason(line) for line in every_line if not line.cells and not metric_named(line.name)),
        sources=_sources_of(columns, statements),
        notes=statements.notes,
        tried=tried,
    )


def _first_reason(line: Line) -> Unavailable:
    return next(figure for figure in line.figures.values() if isinstance(figure, Unavailable))


def _sources_of(columns: Sequence[Column], statements: Statements) -> tuple[Source, ...]:
    """Those of the columns shown; the periods fetched for growth alone need none."""
    ends = {column.end for column in columns}
    used = accessions_of(cell for cell in statements.cells if cell.period_end in ends)
    return tuple(source for source in statements.sources if not source.accession or source.accession in used)


def _result(request: FinancialsRequest, reports: Sequence[CompanyReport], notes: Sequence[str]) -> ToolResult:
    told = (note for report in reports if not report.error for note in report.notes)
    all_notes = tuple(dict.fromkeys((*notes, *_as_of_note(request), *told)))
    text = report_text(reports, all_notes, exact=request.exact, named=bool(request.concepts))
    return collected(reports, text, all_notes)


def _as_of_note(request: FinancialsRequest) -> tuple[str, ...]:
    return (f"As of {request.as_of}: nothing filed later is used.",) if request.as_of else ()
