"""Quotes, price history and multiples of one to ten companies: the work behind the tool `get_market_data`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dexter.data.chain import ask_in_order
from dexter.data.company import Company
from dexter.data.lookup import check_day, look_up, not_applicable
from dexter.data.metrics import metric_named, name_for_people
from dexter.data.numbers import EXACT, MILLION, price, written
from dexter.data.provider import (
    CompanyDirectory,
    PriceProvider,
    PriceQuery,
    Prices,
    StatementProvider,
    StatementQuery,
)
from dexter.data.report import collected
from dexter.data.tables import headline, markdown, sources_text
from dexter.data.unavailable import Unavailable
from dexter.data.valuation import Valuation, close_cells, value
from dexter.errors import ToolError
from dexter.results import Attempt, Cell, Source, ToolResult

Part = Literal["quote", "history", "multiples"]

MOST_TICKERS = 10
# Enough quarters back to find the newest share count of a company that states it once a year.
_QUARTERS_BACK = 8


@dataclass(frozen=True)
class MarketRequest:
    """What is asked. `start`, `end`, `interval` shape the history; `as_of` (ISO): no later price or filing."""

    tickers: tuple[str, ...]
    parts: tuple[Part, ...] = ("quote", "multiples")
    start: str = ""
    end: str = ""
    interval: Literal["day", "week", "month"] = "month"
    as_of: str = ""


@dataclass(frozen=True)
class MarketReport:
    """What one company gave, or an error. `text` is its part of the result."""

    asked: str
    company: Company | None = None
    text: str = ""
    cells: tuple[Cell, ...] = ()
    unavailable: tuple[Unavailable, ...] = ()
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    tried: tuple[Attempt, ...] = ()
    error: str = ""


async def get_market_data(
    request: MarketRequest,
    prices: Sequence[PriceProvider],
    statements: Sequence[StatementProvider],
    directory: CompanyDirectory,
) -> ToolResult:
    """The last close with its day, multiples with the days they rest on, the history; each company on its own.

    Raises:
        ToolError: the request itself is wrong.
    """
    _check(request)
    asked = dict.fromkeys(ticker.strip() for ticker in request.tickers)
    return _result(await asyncio.gather(*(_report(name, request, prices, statements, directory) for name in asked)))


def _check(request: MarketRequest) -> None:
    if not 1 <= len(request.tickers) <= MOST_TICKERS:
        raise ToolError(f"{len(request.tickers)} tickers were asked for.", remedy=f"Ask for 1 to {MOST_TICKERS}.")
    if not request.parts:
        raise ToolError("Nothing was asked for.", remedy="Ask for quote, history or multiples.")
    for argument, day in (("start", request.start), ("end", request.end), ("as_of", request.as_of)):
        check_day(argument, day)
    if request.start and request.end and request.start > request.end:
        raise ToolError(f"start {request.start} is after end {request.end}.", remedy="Turn them round.")


async def _report(
    asked: str,
    request: MarketRequest,
    price_providers: Sequence[PriceProvider],
    statement_providers: Sequence[StatementProvider],
    directory: CompanyDirectory,
) -> MarketReport:
    company = look_up(asked, directory)
    if isinstance(company, str):
        return MarketReport(asked, error=company)
    query = _price_query(company, request)
    outcome = await ask_in_order(price_providers, "prices", lambda provider: provider.prices(query))
    if outcome.answer is None:
        return MarketReport(asked, company, error=outcome.reason, tried=outcome.tried)
    report = _price_report(asked, request, outcome.answer, outcome.tried)
    if "multiples" not in request.parts:
        return report
    return await _with_multiples(report, outcome.answer, request, statement_providers)


def _price_query(company: Company, request: MarketRequest) -> PriceQuery:
    """A quote alone is asked for by days: the last bar of a month would carry the wrong day."""
    if "history" in request.parts:
        return PriceQuery(company, request.start, request.end, request.interval, request.as_of)
    return PriceQuery(company, end=request.end, as_of=request.as_of)


def _price_report(asked: str, request: MarketRequest, prices: Prices, tried: tuple[Attempt, ...]) -> MarketReport:
    closes = close_cells(prices)
    history = "history" in request.parts
    adjusted = f", adjusted for {prices.adjusted}" if prices.adjusted else ""
    quote = f"Last close {price(closes[-1].number)} {prices.currency} on {closes[-1].period_end}{adjusted}"
    table = markdown([["date", f"close ({prices.currency})"], *_history_rows(closes)]) if history else ""
    return MarketReport(
        asked=asked,
        company=prices.company,
        text="\n".join(filter(None, (headline(prices.company), quote, table))),
        cells=tuple(reversed(closes)) if history else closes[-1:],
        sources=prices.sources,
        notes=prices.notes if history else (),
        tried=tried,
    )


def _history_rows(closes: Sequence[Cell]) -> list[list[str]]:
    return [[cell.period_end, price(cell.number)] for cell in reversed(closes)]


async def _with_multiples(
    report: MarketReport, prices: Prices, request: MarketRequest, providers: Sequence[StatementProvider]
) -> MarketReport:
    reason = not_applicable(prices.company)
    if reason:
        return replace(report, notes=(*report.notes, f"No multiples: {reason}"))
    query = StatementQuery(
        prices.company, ("income", "balance", "cash_flow"), "ttm", limit=_QUARTERS_BACK, as_of=request.as_of
    )
    outcome = await ask_in_order(providers, "statements", lambda provider: provider.statements(query))
    tried = (*report.tried, *outcome.tried)
    if outcome.answer is None:
        return replace(report, notes=(*report.notes, f"No multiples. {outcome.reason}"), tried=tried)
    valuation = value(prices.company, close_cells(prices)[-1], outcome.answer.cells)
    multiples = [figure for figure in valuation.multiples if isinstance(figure, Cell)]
    return replace(
        report,
        text=f"{report.text}\n{_multiples_text(valuation)}",
        cells=(*report.cells, *multiples),
        unavailable=tuple(figure for figure in valuation.multiples if isinstance(figure, Unavailable)),
        sources=(*report.sources, *_sources_of(valuation, outcome.answer.sources)),
        notes=(*report.notes, *valuation.notes, *(outcome.answer.notes if request.as_of else ())),
        tried=tried,
    )


def _sources_of(valuation: Valuation, sources: Sequence[Source]) -> tuple[Source, ...]:
    """Filings the multiples can rest on: those of the periods that had ended."""
    return tuple(source for source in sources if source.accession in valuation.accessions)


def _multiples_text(valuation: Valuation) -> str:
    """Both days once, then what there is; what there is not, by reason."""
    head = f"At the close of {valuation.close.period_end}, on the twelve months to {valuation.twelve_months_to}:"
    there = [figure for figure in valuation.multiples if isinstance(figure, Cell)]
    rows = [
        [metric.label, _shown(cell), metric.formula.text] for cell in there if (metric := metric_named(cell.concept))
    ]
    table = [markdown([["multiple", "value", "how"], *rows])] if rows else []
    return "\n".join((head, *table, *_missing_multiples(valuation.multiples)))


def _missing_multiples(multiples: Sequence[Cell | Unavailable]) -> list[str]:
    labels: dict[tuple[str, str], list[str]] = {}
    for figure in multiples:
        if isinstance(figure, Unavailable):
            labels.setdefault((figure.mark, figure.reason), []).append(name_for_people(figure.concept))
    return [f"{mark} {'; '.join(names)}: {reason}" for (mark, reason), names in labels.items()]


def _shown(cell: Cell) -> str:
    return written(cell, EXACT) if cell.unit == "pure" else f"{written(cell, MILLION)} {cell.unit} million"


def _result(reports: Sequence[MarketReport]) -> ToolResult:
    good = [report for report in reports if not report.error]
    notes = tuple(dict.fromkeys(note for report in good for note in report.notes))
    texts = [report.text or f"Error ({report.asked}): {report.error}" for report in reports]
    sources = sources_text((report.company, report.sources) for report in good if report.company)
    return collected(reports, "\n\n".join(texts) + "\n\n" + "\n".join(filter(None, (*notes, sources))), notes)
