"""Prices, multiples, news and insider trades of one to ten companies: the work behind the tool `get_market_data`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal

from dexter.data.chain import AnswerT, Asked, ask_in_order
from dexter.data.company import Company
from dexter.data.lookup import check_day, each_once, look_up, not_applicable
from dexter.data.market_report import (
    MarketReport,
    market_result,
    multiples_text,
    news_text,
    price_text,
    quote_cell,
)
from dexter.data.provider import (
    CompanyDirectory,
    NewsProvider,
    NewsQuery,
    PriceProvider,
    PriceQuery,
    Prices,
    StatementProvider,
    StatementQuery,
)
from dexter.data.share_splits import in_shares_of_the_close
from dexter.data.unavailable import Unavailable
from dexter.data.valuation import Valuation, close_cells, value
from dexter.errors import ProviderError, ToolError
from dexter.results import Attempt, Cell, Source, ToolResult

Part = Literal["quote", "history", "multiples", "news", "insider_trades"]
#: Gives a company's insider trades; the day is the last on which a report may be filed ('' = none).
Insiders = Callable[[Company, str], Awaitable[ToolResult]]

MOST_TICKERS = 10
# Enough quarters back to find the newest share count of a company that states it once a year.
_QUARTERS_BACK = 8
_PRICED: frozenset[Part] = frozenset({"quote", "history", "multiples"})


@dataclass(frozen=True)
class MarketRequest:
    """What is asked. `start`, `end`, `interval` shape the history; `as_of` (ISO): nothing known later is used."""

    tickers: tuple[str, ...]
    parts: tuple[Part, ...] = ("quote", "multiples")
    start: str = ""
    end: str = ""
    interval: Literal["day", "week", "month"] = "month"
    as_of: str = ""


@dataclass(frozen=True)
class MarketSources:
    """Who is asked, each kind in its order. `insiders` is None where EDGAR can't be asked."""

    prices: Sequence[PriceProvider]
    statements: Sequence[StatementProvider]
    directory: CompanyDirectory
    news: Sequence[NewsProvider] = ()
    insiders: Insiders | None = None


async def get_market_data(request: MarketRequest, sources: MarketSources) -> ToolResult:
    """The parts asked for, each with its time; every company and every part on its own.

    Raises:
        ToolError: the request itself is wrong.
    """
    _check(request)
    asked = each_once(request.tickers, sources.directory)
    return market_result(await asyncio.gather(*(_report(name, request, sources) for name in asked)))


def _check(request: MarketRequest) -> None:
    if not 1 <= len(request.tickers) <= MOST_TICKERS:
        raise ToolError(f"{len(request.tickers)} tickers were asked for.", remedy=f"Ask for 1 to {MOST_TICKERS}.")
    if not request.parts:
        raise ToolError("Nothing was asked for.", remedy="Ask for quote, history, multiples, news or insider_trades.")
    for argument, day in (("start", request.start), ("end", request.end), ("as_of", request.as_of)):
        check_day(argument, day)
    if request.start and request.end and request.start > request.end:
        raise ToolError(f"start {request.start} is after end {request.end}.", remedy="Turn them round.")


async def _report(asked: str, request: MarketRequest, sources: MarketSources) -> MarketReport:
    company = look_up(asked, sources.directory)
    if isinstance(company, str):
        return MarketReport(asked, error=company)
    parts = await asyncio.gather(*_parts(asked, company, request, sources))
    return reduce(MarketReport.joined, parts)


def _parts(
    asked: str, company: Company, request: MarketRequest, sources: MarketSources
) -> Iterator[Awaitable[MarketReport]]:
    if not _PRICED.isdisjoint(request.parts):
        yield _priced(asked, company, request, sources)
    if "news" in request.parts:
        yield _news(asked, company, request, sources)
    if "insider_trades" in request.parts:
        yield _insider_trades(asked, company, request, sources)


async def _priced(asked: str, company: Company, request: MarketRequest, sources: MarketSources) -> MarketReport:
    query = _price_query(company, request)
    outcome = await ask_in_order(sources.prices, "prices", lambda provider: provider.prices(query))
    if outcome.answer is None:
        return _failed(asked, company, "prices", outcome.reason, outcome.tried)
    report = _price_report(asked, request, outcome.answer, outcome.tried)
    if "multiples" in request.parts:
        report = await _with_multiples(report, outcome.answer, request, sources.statements)
    return replace(report, notes=(*report.notes, *_failover_note("Prices", outcome)))


def _price_query(company: Company, request: MarketRequest) -> PriceQuery:
    if "history" in request.parts:
        return PriceQuery(company, request.start, request.end, request.interval, request.as_of)
    return PriceQuery(company, end=request.end, as_of=request.as_of, latest=True)


def _price_report(asked: str, request: MarketRequest, prices: Prices, tried: tuple[Attempt, ...]) -> MarketReport:
    closes, quote = close_cells(prices), quote_cell(prices)
    history = "history" in request.parts
    shown = tuple(reversed(closes)) if history else closes[-1:]
    return MarketReport(
        asked=asked,
        company=prices.company,
        text=price_text(prices, closes, request.interval if history else ""),
        cells=(*([quote] if quote else []), *shown),
        sources=prices.sources,
        notes=prices.notes,
        tried=tried,
    )


async def _with_multiples(
    report: MarketReport, prices: Prices, request: MarketRequest, providers: Sequence[StatementProvider]
) -> MarketReport:
    reason = _no_multiples(prices, request)
    if reason:
        return replace(report, notes=(*report.notes, f"No multiples: {reason}"))
    query = StatementQuery(
        prices.company, ("income", "balance", "cash_flow"), "ttm", limit=_QUARTERS_BACK, as_of=request.as_of
    )
    outcome = await ask_in_order(providers, "statements", lambda provider: provider.statements(query))
    tried = (*report.tried, *outcome.tried)
    if outcome.answer is None:
        return replace(report, notes=(*report.notes, f"No multiples. {outcome.reason}"), tried=tried)
    cells, split_notes = in_shares_of_the_close(outcome.answer.cells, prices.splits or ())
    valuation = value(outcome.answer.company, close_cells(prices)[-1], cells)
    return replace(
        report,
        text=f"{report.text}\n{multiples_text(valuation)}",
        cells=(*report.cells, *(figure for figure in valuation.multiples if isinstance(figure, Cell))),
        unavailable=tuple(figure for figure in valuation.multiples if isinstance(figure, Unavailable)),
        sources=(*report.sources, *_sources_of(valuation, outcome.answer.sources)),
        notes=(
            *report.notes,
            *valuation.notes,
            *split_notes,
            *(outcome.answer.notes if request.as_of else ()),
            *_failover_note("Statements", outcome),
        ),
        tried=tried,
    )


def _no_multiples(prices: Prices, request: MarketRequest) -> str:
    """Why a close can't be set against the statements; '' where it can."""
    reason = not_applicable(prices.company)
    if reason:
        return reason
    if not prices.points:
        return f"{prices.company.ticker} has no close yet, only a price of a day that goes on."
    if prices.splits is None and (request.as_of or (request.end and not prices.adjusted)):
        told = "; ".join(source.title for source in prices.sources)
        return f"{told} does not tell for which splits a past close of {prices.company.ticker} is adjusted."
    return ""


def _sources_of(valuation: Valuation, sources: Sequence[Source]) -> tuple[Source, ...]:
    """Filings the multiples can rest on: those of the periods that had ended."""
    return tuple(source for source in sources if source.accession in valuation.accessions)


async def _news(asked: str, company: Company, request: MarketRequest, sources: MarketSources) -> MarketReport:
    query = NewsQuery(company, as_of=request.as_of)
    outcome = await ask_in_order(sources.news, "news", lambda provider: provider.news(query))
    if outcome.answer is None:
        return _failed(asked, company, "news", outcome.reason, outcome.tried)
    news = outcome.answer
    notes = (*news.notes, *_failover_note("News", outcome))
    return MarketReport(asked, company, news_text(news), sources=news.sources, notes=notes, tried=outcome.tried)


async def _insider_trades(asked: str, company: Company, request: MarketRequest, sources: MarketSources) -> MarketReport:
    if sources.insiders is None:
        return _failed(asked, company, "insider trades", "They come from EDGAR, which is not asked offline.", ())
    try:
        result = await sources.insiders(company, request.as_of)
    except (ProviderError, ToolError) as error:
        status = error.status if isinstance(error, ProviderError) else None
        reason = " ".join(filter(None, (error.message, error.remedy)))
        return _failed(asked, company, "insider trades", reason, (Attempt("sec", status, error.message),))
    return MarketReport(
        asked,
        company,
        f"Insider trades (Forms 3, 4, 5):\n{result.text}",
        cells=tuple(result.cells),
        sources=tuple(result.sources),
        notes=tuple(result.notes),
        tried=(Attempt("sec"),),
        missing=("insider trades",) if result.status == "partial" else (),
    )


def _failed(asked: str, company: Company, part: str, reason: str, tried: tuple[Attempt, ...]) -> MarketReport:
    return MarketReport(asked, company, error=f"No {part}. {reason}", tried=tried, missing=(part,))


def _failover_note(what: str, outcome: Asked[AnswerT]) -> tuple[str, ...]:
    """Who was asked in vain before the one that answered."""
    if not outcome.errors:
        return ()
    return (f"{what} are from {outcome.tried[-1].provider}. Asked before: {outcome.reason}",)
