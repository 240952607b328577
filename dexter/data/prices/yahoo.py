"""Yahoo's chart data: free and without a key, but unofficial; used only where the user has chosen it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any
from urllib.parse import quote as quoted

from dexter.data.company import Company
from dexter.data.prices.bars import Bars, ShapeError, Window, currency_of, in_order, in_units, moment_text, price_text
from dexter.data.prices.vendor import Request, Vendor
from dexter.data.provider import PricePoint, Quote, StockSplit
from dexter.errors import ProviderError

NAME = "yahoo"
BASE_URL = "https://query1.finance.yahoo.com"

_DAY_S = 86_400
_SINGLE_PRECISION = Context(prec=7)


def _ask(ticker: str, _company: Company, window: Window) -> Request:
    first = int(datetime(window.first.year, window.first.month, window.first.day, tzinfo=UTC).timestamp())
    last = int(datetime(window.last.year, window.last.month, window.last.day, tzinfo=UTC).timestamp()) + _DAY_S
    params = {"period1": first, "period2": last, "interval": "1d", "events": "split"}
    return Request(f"/v8/finance/chart/{quoted(ticker, safe='')}", params)


def _read(answer: Any, company: Company, now: datetime) -> Bars:
    chart = answer["chart"] if isinstance(answer, dict) and isinstance(answer.get("chart"), dict) else None
    if chart is None:
        raise ShapeError("no chart")
    results = chart.get("result")
    if not results:
        raise ProviderError(
            NAME,
            f"yahoo has no prices of {company.ticker}{_reason(chart.get('error'))}.",
            kind="not_found",
            remedy="Check the ticker; foreign shares need their exchange's ending, e.g. VOD.L.",
        )
    try:
        return _bars(results[0], company, now)
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, OSError) as error:
        raise ShapeError(f"{type(error).__name__} in the chart") from error


def _reason(error: Any) -> str:
    said = error.get("description") if isinstance(error, dict) else None
    return f" ({str(said)[:120]})" if said else ""


def _bars(result: Mapping[str, Any], company: Company, now: datetime) -> Bars:
    meta = result["meta"]
    if _plain(str(meta["symbol"])) != _plain(company.ticker):
        raise ShapeError(f"it is of {str(meta['symbol'])[:20]!r}")
    currency, unit = currency_of(meta.get("currency"))
    local = timezone(timedelta(seconds=int(meta.get("gmtoffset") or 0)))
    points = in_order(_points(result, local, unit))
    price, moment = _in_units(meta.get("regularMarketPrice"), unit), moment_text(meta.get("regularMarketTime"))
    running = _running_day(meta, local, now)
    return Bars(
        currency=currency,
        points=tuple(point for point in points if point.date != running),
        quote=Quote(price, moment) if price and moment else None,
        splits=tuple(_splits(result, local)),
        exchange=str(meta.get("fullExchangeName") or meta.get("exchangeName") or ""),
    )


def _points(result: Mapping[str, Any], local: timezone, unit: int) -> Iterator[PricePoint]:
    stamps: Sequence[Any] = result.get("timestamp") or ()
    columns: Mapping[str, Any] = result["indicators"]["quote"][0]
    for place, stamp in enumerate(stamps):
        bar = {name: _in_units(_at(columns, name, place), unit) for name in ("close", "open", "high", "low")}
        moment = moment_text(stamp)
        if bar["close"] and moment:
            volume = _at(columns, "volume", place)
            day = datetime.fromisoformat(moment).astimezone(local).date().isoformat()
            yield PricePoint(day, **bar, volume=str(volume) if isinstance(volume, int) else "")


def _at(columns: Mapping[str, Any], name: str, place: int) -> Any:
    column = columns.get(name) or ()
    return column[place] if place < len(column) else None


def _in_units(value: Any, unit: int) -> str:
    """A price in whole units of its currency, without the digits that single precision makes up."""
    text = in_units(value, unit)
    return format(_SINGLE_PRECISION.plus(Decimal(text)).normalize(), "f") if text else ""


def _running_day(meta: Mapping[str, Any], local: timezone, now: datetime) -> str:
    """The day whose trading is not over, of which the last bar is no close; '' where there is none."""
    regular = (meta.get("currentTradingPeriod") or {}).get("regular") or {}
    if meta.get("instrumentType") == "CRYPTOCURRENCY" or "end" not in regular:
        return now.astimezone(local).date().isoformat()
    end = datetime.fromtimestamp(int(regular["end"]), UTC)
    return end.astimezone(local).date().isoformat() if now < end else ""


def _splits(result: Mapping[str, Any], local: timezone) -> Iterator[StockSplit]:
    events = (result.get("events") or {}).get("splits") or {}
    for event in events.values():
        moment = moment_text(event.get("date"))
        new, old = price_text(event.get("numerator")), price_text(event.get("denominator"))
        if moment and new and old:
            ratio = Fraction(Decimal(new)) / Fraction(Decimal(old))
            yield StockSplit(ratio, datetime.fromisoformat(moment).astimezone(local).date().isoformat())


def _plain(ticker: str) -> str:
    return ticker.upper().replace(".", "-")


YAHOO = Vendor(
    name=NAME,
    title="Yahoo Finance chart data",
    url="https://finance.yahoo.com",
    ask=_ask,
    read=_read,
    spellings=lambda company: (company.ticker,),
    adjusted="splits",
    remarks=(
        "Prices are from Yahoo's chart data: free, unofficial, possibly delayed, without any promise of being right.",
    ),
)
