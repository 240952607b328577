"""Daily prices of Twelve Data (twelvedata.com), a vendor that wants a key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from dexter.data.company import Company
from dexter.data.failures import status_failure
from dexter.data.prices.bars import Bars, ShapeError, Window, currency_of, in_order, in_units, plain_ticker
from dexter.data.prices.vendor import Request, Vendor
from dexter.data.provider import PricePoint

NAME = "twelvedata"
BASE_URL = "https://api.twelvedata.com"
KEY = "TWELVE_DATA_API_KEY"

_MOST_ROWS = 5000
#: What to do about a refusal, by kind of error.
REMEDIES = {
    "auth": f"Check the key in {KEY}, and whether its plan has this market.",
    "rate_limit": "The plan's requests of this minute or day are used up: wait, or let another source answer.",
}


def _ask(ticker: str, _company: Company, window: Window) -> Request:
    # The vendor's last day is not included.
    last = window.last + timedelta(days=1)
    params = {"symbol": ticker, "interval": "1day", "order": "ASC", "outputsize": _MOST_ROWS}
    return Request("/time_series", {**params, "start_date": window.first.isoformat(), "end_date": last.isoformat()})


def _read(answer: Any, company: Company, now: datetime) -> Bars:
    if not isinstance(answer, dict):
        raise ShapeError("no object")
    if answer.get("status") == "error":
        raise status_failure(NAME, _status(answer), remedies=REMEDIES)
    meta, rows = answer.get("meta"), answer.get("values")
    if not isinstance(meta, dict) or not isinstance(rows, list):
        raise ShapeError("no `meta` and `values`")
    if len(rows) >= _MOST_ROWS:
        raise ShapeError(f"more than {_MOST_ROWS} days, which come cut off; ask for a shorter history")
    if plain_ticker(str(meta.get("symbol"))) != plain_ticker(company.ticker):
        raise ShapeError(f"it is of {str(meta.get('symbol'))[:20]!r}")
    currency, unit = currency_of(meta.get("currency") or _quoted_in(company) or meta.get("currency_quote"))
    today = now.date().isoformat()
    return Bars(
        currency=currency,
        # Whether the newest day's trading is over the answer does not say.
        points=tuple(point for point in in_order(_points(rows, unit)) if point.date < today),
        exchange=str(meta.get("exchange") or ""),
    )


def _quoted_in(company: Company) -> str:
    """The second currency of a coin's pair; the vendor spells it out as people do."""
    return company.ticker.rpartition("-")[2] if company.kind == "crypto" else ""


def _status(answer: Mapping[str, Any]) -> int:
    code = answer.get("code")
    return code if isinstance(code, int) and 400 <= code < 600 else 500  # noqa: PLR2004 - HTTP's range of failures


def _points(rows: Sequence[Any], unit: int) -> Iterator[PricePoint]:
    for row in rows:
        if not isinstance(row, dict):
            continue
        try:
            day = date.fromisoformat(str(row.get("datetime"))[:10]).isoformat()
        except ValueError:
            continue
        bar = {name: in_units(row.get(name), unit) for name in ("close", "open", "high", "low")}
        if bar["close"]:
            yield PricePoint(day, **bar, volume=str(row.get("volume") or ""))


def _spellings(company: Company) -> Sequence[str]:
    if company.kind == "crypto":
        return (company.ticker.replace("-", "/"),)
    return (company.ticker.replace("-", "."),)


TWELVE_DATA = Vendor(
    name=NAME,
    title="Twelve Data, daily prices",
    url="https://twelvedata.com",
    ask=_ask,
    read=_read,
    spellings=_spellings,
    adjusted="splits",
)
