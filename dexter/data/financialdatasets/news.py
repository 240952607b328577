"""News on a company from Financial Datasets: headlines with their time and address."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any
from urllib.parse import urlsplit

from dexter.data.financialdatasets.provider import BASE_URL, NAME, spellings
from dexter.data.http import HttpClient
from dexter.data.prices.bars import moment_text
from dexter.data.provider import Capability, News, NewsItem, NewsQuery
from dexter.errors import ProviderError
from dexter.results import Source

_MOST = 10
_TITLE, _NAME, _URL = 240, 60, 2000  # characters; more is no headline


class FinancialDatasetsNews:
    """Headlines as the vendor has gathered them. One without a date or an address is left out, and that is said."""

    name = NAME
    capabilities: frozenset[Capability] = frozenset({"news"})

    def __init__(self, client: HttpClient, base_url: str = BASE_URL) -> None:
        self._client = client
        self._base_url = base_url.rstrip("/")

    async def news(self, query: NewsQuery) -> News:
        """The newest items.

        Raises:
            ProviderError: no answer, or no news on the company (by that day).
        """
        for ticker in spellings(query.company.ticker):
            rows = await self._rows(ticker, min(query.limit, _MOST))
            items = sorted(_items(rows), key=lambda item: item.published, reverse=True)
            known = [item for item in items if not query.as_of or item.published[:10] <= query.as_of]
            if known:
                return News(query.company, tuple(known), _sources(known), _left_out(len(rows) - len(items)))
        by = f" by {query.as_of} among its newest" if query.as_of else ""
        raise ProviderError(
            NAME,
            f"financialdatasets has no news on {query.company.ticker}{by}.",
            kind="not_covered",
            remedy="Try a web search, or the company's 8-K filings.",
        )

    async def _rows(self, ticker: str, limit: int) -> Sequence[Any]:
        try:
            answer = await self._client.get_json(
                f"{self._base_url}/news", params={"ticker": ticker, "limit": limit}, kind="news"
            )
        except ProviderError as error:
            if error.kind == "not_found":
                return ()
            raise
        rows = answer.get("news") if isinstance(answer, dict) else None
        if not isinstance(rows, list):
            raise ProviderError(
                NAME,
                "financialdatasets sent news of an unknown shape.",
                kind="bad_data",
                remedy="Check `financialdatasets.base_url`.",
            )
        return rows


def _items(rows: Sequence[Any]) -> Iterator[NewsItem]:
    for row in rows:
        if not isinstance(row, dict):
            continue
        title, url, published = _line(row.get("title"), _TITLE), _address(row.get("url")), _published(row.get("date"))
        if title and url and published:
            yield NewsItem(title, url, published, _line(row.get("source"), _NAME))


def _line(value: object, most: int) -> str:
    """A stranger's text as one printable line."""
    text = " ".join(str(value or "").split())
    return "".join(letter for letter in text if letter.isprintable())[:most]


def _address(value: object) -> str:
    text = str(value or "").strip()
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    fine = parts.scheme in ("http", "https") and parts.netloc and text.isprintable() and " " not in text
    return text if fine and len(text) <= _URL else ""


def _published(value: object) -> str:
    """An ISO time in UTC; the day alone where no zone is given; '' where it is no date."""
    moment = moment_text(value) if isinstance(value, str) else ""
    if moment:
        return moment
    try:
        return date.fromisoformat(str(value or "")[:10]).isoformat()
    except ValueError:
        return ""


def _sources(items: Sequence[NewsItem]) -> tuple[Source, ...]:
    return tuple(Source("web", item.title, url=item.url, dataset=NAME, as_of=item.published[:10]) for item in items)


def _left_out(count: int) -> tuple[str, ...]:
    return (f"{count} items without a headline, date or address were left out.",) if count else ()
