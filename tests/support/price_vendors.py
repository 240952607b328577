"""Answers in the shapes of the price vendors, and a provider that asks a loopback server for them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from pytest_httpserver import HTTPServer

from dexter.data.cache import DiskCache
from dexter.data.company import Company
from dexter.data.http import HttpClient
from dexter.data.prices.financial_datasets import FINANCIAL_DATASETS
from dexter.data.prices.provider import VendorPrices
from dexter.data.prices.twelve_data import TWELVE_DATA
from dexter.data.prices.vendor import Vendor
from dexter.data.prices.yahoo import YAHOO
from dexter.data.provider import PriceQuery, Prices
from dexter.data.response import Limits

#: A Monday, after the exchanges in New York have closed.
NOW = datetime(2026, 11, 30, 22, 0, tzinfo=UTC)
NVDA = Company("NVDA", "NVIDIA CORP", 1045810, "Nasdaq", fiscal_year_end="01-26")
COIN = Company("BTC-USD", "BTC-USD", kind="crypto")

Closes = Iterable[tuple[str, float]]
VENDORS: dict[str, Vendor] = {vendor.name: vendor for vendor in (FINANCIAL_DATASETS, TWELVE_DATA, YAHOO)}
PATHS = {"financialdatasets": "/prices/", "twelvedata": "/time_series", "yahoo": "/v8/finance/chart/NVDA"}


def provider(
    server: HTTPServer, vendor: str, *, now: datetime = NOW, cache: Path | None = None, attempts: int = 1
) -> VendorPrices:
    """The vendor's provider, asking the server; what it keeps is in the folder `cache`."""
    client = HttpClient(
        vendor,
        limits=Limits(attempts=attempts, first_wait=0.0),
        cache=DiskCache(cache, clock=now.timestamp) if cache else None,
        now=lambda: now,
    )
    return VendorPrices(VENDORS[vendor], client, server.url_for(""), now=lambda: now)


def ask(server: HTTPServer, vendor: str, company: Company = NVDA, *, now: datetime = NOW, **query: Any) -> Prices:
    return asyncio.run(provider(server, vendor, now=now).prices(PriceQuery(company, **query)))


def answer(vendor: str, closes: Closes, **more: Any) -> dict[str, Any]:
    """A whole answer of that vendor with these closes; `more` is the vendor's own."""
    return {"financialdatasets": _financial_datasets, "twelvedata": _twelve_data, "yahoo": yahoo}[vendor](
        closes, **more
    )


def serve(server: HTTPServer, vendor: str, closes: Closes, **more: Any) -> None:
    server.expect_request(PATHS[vendor]).respond_with_json(answer(vendor, closes, **more))
    if vendor == "financialdatasets":
        server.expect_request("/prices/snapshot/").respond_with_json(
            {"snapshot": {"ticker": "NVDA", "price": 187.25, "time": "2026-11-30T20:59:00Z", "market_cap": 1}}
        )


def _financial_datasets(closes: Closes) -> dict[str, Any]:
    rows = [{"close": close, "open": close, "volume": 10, "time": f"{day}T05:00:00Z"} for day, close in closes]
    return {"ticker": "NVDA", "prices": rows}


def _twelve_data(closes: Closes, *, currency: str | None = "USD", symbol: str = "NVDA") -> dict[str, Any]:
    rows = [{"datetime": day, "open": str(close), "close": str(close), "volume": "10"} for day, close in closes]
    meta = {"symbol": symbol, "interval": "1day", "currency": currency, "exchange": "NASDAQ"}
    return {"meta": meta, "values": rows, "status": "ok"}


def yahoo(
    closes: Closes,
    *,
    currency: str | None = "USD",
    symbol: str = "NVDA",
    splits: Iterable[tuple[str, int, int]] = (),
    price: float | None = 187.25,
    time: str = "2026-11-30T21:00:00",
    closes_at: str = "2026-11-30T21:00:00",
    kind: str = "EQUITY",
) -> dict[str, Any]:
    """A chart; bars begin at 14:30 UTC, the offset is New York's in winter."""
    closes = list(closes)
    meta = {
        "currency": currency,
        "symbol": symbol,
        "fullExchangeName": "NasdaqGS",
        "instrumentType": kind,
        "gmtoffset": -18000,
        "regularMarketPrice": price,
        "regularMarketTime": _seconds(time),
        "currentTradingPeriod": {"regular": {"start": _seconds("2026-11-30T14:30:00"), "end": _seconds(closes_at)}},
    }
    events = {
        str(_opening(day)): {"date": _opening(day), "numerator": new, "denominator": old, "splitRatio": f"{new}:{old}"}
        for day, new, old in splits
    }
    values = [close for _, close in closes]
    result = {
        "meta": meta,
        "timestamp": [_opening(day) for day, _ in closes],
        "events": {"splits": events},
        "indicators": {"quote": [{"close": values, "open": values, "volume": [1] * len(values)}]},
    }
    return {"chart": {"result": [result], "error": None}}


def _opening(day: str) -> int:
    moment = date.fromisoformat(day)
    return int(datetime(moment.year, moment.month, moment.day, 14, 30, tzinfo=UTC).timestamp())


def _seconds(time: str) -> int:
    return int(datetime.fromisoformat(time).replace(tzinfo=UTC).timestamp())
