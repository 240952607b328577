"""Screens the companies of Financial Datasets, by the vendor's own fields."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from dexter.data.company import Company
from dexter.data.concepts import concept_named
from dexter.data.financialdatasets.fields import TABLES
from dexter.data.financialdatasets.provider import BASE_URL, NAME
from dexter.data.http import HttpClient
from dexter.data.metrics import metric_named, name_for_people
from dexter.data.prices.bars import price_text
from dexter.data.provider import Capability, Criterion, Screened, ScreenQuery
from dexter.data.screening.judging import Figure, judge
from dexter.data.unavailable import Unavailable
from dexter.errors import ProviderError
from dexter.results import Cell, Source

_PATH = "/financials/search/screener/"
_TICKER = re.compile(r"[A-Z0-9][A-Z0-9.\-]{0,9}")
_MOST = 100

# The vendor's field of each metric; ratios are decimals there as here.
_METRICS: Mapping[str, str] = {
    "GrossMargin": "gross_margin",
    "OperatingMargin": "operating_margin",
    "NetMargin": "net_margin",
    "ReturnOnEquity": "return_on_equity",
    "ReturnOnAssets": "return_on_assets",
    "AssetTurnover": "asset_turnover",
    "CurrentRatio": "current_ratio",
    "InterestCoverage": "interest_coverage",
    "DebtToEquity": "debt_to_equity",
    "DebtToAssets": "debt_to_assets",
    "RevenueGrowth": "revenue_growth",
    "PayoutRatio": "payout_ratio",
    "MarketCap": "market_cap",
    "EnterpriseValue": "enterprise_value",
    "PriceToEarnings": "price_to_earnings_ratio",
    "PriceToSales": "price_to_sales_ratio",
    "PriceToBook": "price_to_book_ratio",
    "EVToEBITDA": "enterprise_value_to_ebitda_ratio",
    "EVToSales": "enterprise_value_to_revenue_ratio",
    "FreeCashFlowYield": "free_cash_flow_yield",
}
_LINES: Mapping[str, str] = {name: field for table in TABLES.values() for name, field in table.fields.items()}
_FIELDS: Mapping[str, str] = {**_LINES, **_METRICS}


class FinancialDatasetsScreener:
    """Asks the vendor, and looks at every row again: one that lacks a figure asked for is not believed."""

    name = NAME
    capabilities: frozenset[Capability] = frozenset({"screen"})

    def __init__(self, client: HttpClient, base_url: str = BASE_URL) -> None:
        self._client = client
        self._base_url = base_url.rstrip("/")

    async def screen(self, query: ScreenQuery) -> Screened:
        """The companies the vendor names, as far as its rows bear the criteria out.

        Raises:
            ProviderError: a metric, sector, year or day the vendor can't screen by, or no usable answer.
        """
        _check(query)
        limit = min(query.limit, _MOST)
        payload = {"filters": [_filter(criterion) for criterion in query.criteria], "currency": "USD", "limit": limit}
        rows = list(_rows(await self._client.post_json(self._base_url + _PATH, payload)))
        found = judge(((_company(row), _Row(row)) for row in _first_of_each(rows)), query)
        ends = sorted({str(row.get("report_period")) for row in rows if row.get("report_period")})
        when = f"of periods ending {ends[0]} to {ends[-1]}" if ends else "as of when it does not say"
        full = len(rows) >= limit
        notes = (f"The vendor gave as many as were asked for ({limit}): there may be more.",) if full else ()
        return Screened(
            universe=f"the companies that Financial Datasets covers, figures {when}, by its own definitions",
            matches=found.matches,
            total=len(found.matches),
            judged=found.judged,
            unjudged=found.unjudged,
            sources=(
                Source("dataset", "Financial Datasets: screener", url="https://financialdatasets.ai", dataset=NAME),
            ),
            notes=notes,
        )


def _check(query: ScreenQuery) -> None:
    if query.as_of or query.year:
        raise _not_covered("screens by its newest figures only")
    if query.sector:
        raise _not_covered("does not document a filter by sector")
    unknown = [name_for_people(criterion.metric) for criterion in query.criteria if criterion.metric not in _FIELDS]
    if unknown:
        raise _not_covered(f"has no field for {', '.join(unknown)}")


def _filter(criterion: Criterion) -> dict[str, Any]:
    value = criterion.value
    number = int(value) if value == value.to_integral_value() else float(value)
    return {"field": _FIELDS[criterion.metric], "operator": criterion.op, "value": number}


def _rows(answer: Any) -> Iterator[Mapping[str, Any]]:
    """The rows with a ticker in the one list of the answer, whatever the vendor calls it."""
    lists = [value for value in answer.values() if isinstance(value, list)] if isinstance(answer, dict) else []
    if len(lists) != 1:
        raise ProviderError(
            NAME,
            "financialdatasets sent a screen of an unknown shape.",
            kind="bad_data",
            remedy="Check `financialdatasets.base_url`; the next source is asked meanwhile.",
        )
    for row in lists[0]:
        if isinstance(row, dict) and _TICKER.fullmatch(str(row.get("ticker") or "").upper()):
            yield row


def _first_of_each(rows: Iterable[Mapping[str, Any]]) -> Iterable[Mapping[str, Any]]:
    """A company that is named twice is one."""
    first: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        first.setdefault(_company(row).ticker, row)
    return first.values()


def _company(row: Mapping[str, Any]) -> Company:
    return Company(str(row["ticker"]).upper().replace(".", "-"), "")


class _Row:
    """A row's figures by our names."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self._row = row

    def __call__(self, name: str) -> Figure:
        company, field = _company(self._row), _FIELDS[name]
        number = _number(self._row.get(field))
        if number is None:
            return Unavailable(company.ticker, name, "missing", f"the vendor's row has no {field}")
        unit, currency = _unit(name, str(self._row.get("currency") or "USD"))
        return Cell(
            ticker=company.ticker,
            concept=name,
            label=name_for_people(name),
            value=format(number, "f"),
            unit=unit,
            currency=currency,
            period_end=str(self._row.get("report_period") or ""),
            source=f"financialdatasets: {field}",
            provenance="vendor",
        )


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    number = Decimal(value)
    return number if number == 0 or price_text(abs(number)) else None


def _unit(name: str, currency: str) -> tuple[str, str]:
    metric, concept = metric_named(name), concept_named(name)
    if metric and name not in ("MarketCap", "EnterpriseValue"):
        return "pure", ""
    if concept and concept.nature == "per_share":
        return f"{currency}/shares", currency
    shares = concept is not None and (concept.nature == "average" or name == "SharesOutstanding")
    return ("shares", "") if shares else (currency, currency)


def _not_covered(what: str) -> ProviderError:
    return ProviderError(
        NAME, f"financialdatasets {what}.", kind="not_covered", remedy="`sec` screens all companies by their filings."
    )
