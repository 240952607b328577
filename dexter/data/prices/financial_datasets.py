"""Prices of stocks and coins from Financial Datasets: a history by days, and the newest price."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from dexter.data.company import Company
from dexter.data.financialdatasets.provider import NAME, spellings
from dexter.data.prices.bars import Bars, ShapeError, Window, in_order, moment_text, plain_ticker, price_text
from dexter.data.prices.vendor import Request, Vendor
from dexter.data.provider import PricePoint, Quote

# The exchanges in the United States close at 20:00 or 21:00 UTC; a coin's day ends with the day.
_OVER_AFTER = {"stock": timedelta(hours=21, minutes=15), "crypto": timedelta(days=1)}


def _root(company: Company) -> str:
    return "/crypto/prices" if company.kind == "crypto" else "/prices"


def _ask(ticker: str, company: Company, window: Window) -> Request:
    days = {"start_date": window.first.isoformat(), "end_date": window.last.isoformat()}
    return Request(f"{_root(company)}/", {"ticker": ticker, "interval": "day", "interval_multiplier": 1, **days})


def _read(answer: Any, company: Company, now: datetime) -> Bars:
    rows = answer.get("prices") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise ShapeError("no `prices`")
    _check_ticker(answer, company)
    kind = "crypto" if company.kind == "crypto" else "stock"
    over = (now - _OVER_AFTER[kind]).date().isoformat()
    points = tuple(point for point in in_order(_points(rows)) if point.date <= over)
    return Bars(currency=_currency(company), points=points)


def _check_ticker(record: Mapping[str, Any], company: Company) -> None:
    """What the vendor says it is of, where it does, must be what was asked for."""
    told = str(record.get("ticker") or "")
    if told and plain_ticker(told) != plain_ticker(company.ticker):
        raise ShapeError(f"it is of {told[:20]!r}")


def _currency(company: Company) -> str:
    """A coin's from its pair. The vendor names none: its stocks are those listed in the United States."""
    return company.ticker.rpartition("-")[2] if company.kind == "crypto" else "USD"


def _points(rows: Sequence[Any]) -> Iterator[PricePoint]:
    for row in rows:
        moment = moment_text(row.get("time")) if isinstance(row, dict) else ""
        if not moment:
            continue
        bar = {name: price_text(row.get(name)) for name in ("close", "open", "high", "low")}
        if bar["close"]:
            volume = row.get("volume")
            yield PricePoint(moment[:10], **bar, volume=str(volume) if isinstance(volume, int) else "")


def _ask_quote(ticker: str, company: Company) -> Request:
    return Request(f"{_root(company)}/snapshot/", {"ticker": ticker})


def _read_quote(answer: Any, company: Company) -> Quote | None:
    snapshot = answer.get("snapshot") if isinstance(answer, dict) else None
    if not isinstance(snapshot, dict):
        return None
    _check_ticker(snapshot, company)
    price, moment = price_text(snapshot.get("price")), moment_text(snapshot.get("time"))
    return Quote(price, moment) if price and moment else None


FINANCIAL_DATASETS = Vendor(
    name=NAME,
    title="Financial Datasets, daily prices",
    url="https://financialdatasets.ai",
    ask=_ask,
    read=_read,
    spellings=lambda company: spellings(company.ticker),
    ask_quote=_ask_quote,
    read_quote=_read_quote,
    next_page=lambda answer: str(answer.get("next_page_url") or ""),
    remarks=("Financial Datasets does not say whether its prices are adjusted for splits.",),
)
