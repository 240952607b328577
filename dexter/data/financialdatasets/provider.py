"""Statements from Financial Datasets (financialdatasets.ai), a vendor that wants a key."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dexter.data.company import Company
from dexter.data.concepts import CONCEPTS
from dexter.data.financialdatasets.cells import row_cells
from dexter.data.financialdatasets.fields import TABLES, Table, fields_of
from dexter.data.http import HttpClient
from dexter.data.provider import Capability, Statement, StatementQuery, Statements
from dexter.data.response import DEFAULT_LIMITS, Limits
from dexter.errors import ProviderError
from dexter.results import Cell, Source

if TYPE_CHECKING:
    import httpx

    from dexter.data.cache import DiskCache

NAME = "financialdatasets"
BASE_URL = "https://api.financialdatasets.ai"

_KEY = "FINANCIAL_DATASETS_API_KEY"
_REMEDIES = {
    "auth": f"Check the key in {_KEY}.",
    "billing": "Add credit at financialdatasets.ai, or let `sec` answer, which is free.",
    "not_found": "The vendor does not have this company; another provider may.",
}


def financial_datasets_client(
    key: str | None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    cache: DiskCache | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> HttpClient:
    """A client that sends the key as the vendor wants it.

    Raises (at the first request, not here):
        ProviderError: of kind `not_configured` where there is no key.
    """

    def gate() -> None:
        if not key:
            raise ProviderError(
                NAME, "financialdatasets needs a key.", kind="not_configured", remedy=f"Set {_KEY} to use it."
            )

    return HttpClient(
        NAME,
        headers={"X-API-KEY": key} if key else {},
        limits=limits,
        cache=cache,
        gate=gate,
        remedies=_REMEDIES,
        transport=transport,
    )


class FinancialDatasets:
    """Statements as the vendor has prepared them; how it did so it does not tell, so every figure says `vendor`."""

    name = NAME
    capabilities: frozenset[Capability] = frozenset({"statements"})

    def __init__(self, client: HttpClient, base_url: str = BASE_URL) -> None:
        self._client = client
        self._base_url = base_url.rstrip("/")

    async def statements(self, query: StatementQuery) -> Statements:
        """The cells asked for.

        Raises:
            ProviderError: no answer; no such company; or a question about a day, which the vendor's data can't answer
                because they do not tell when a figure was filed.
        """
        if query.as_of or query.vintage == "first":
            raise _not_covered("does not tell when its figures were filed, so it can't answer as of a day")
        wanted = [statement for statement in TABLES if fields_of(statement, query)]
        if not wanted:
            raise _not_covered("has none of these lines")
        for ticker in spellings(query.company.ticker):
            cells = [cell for statement in wanted for cell in await self._cells(statement, query, ticker)]
            if cells:
                return Statements(query.company, _ordered(cells), (_source(query.company),))
        raise _not_covered(f"has no {query.period} figures of {query.company.ticker}")

    async def _cells(self, statement: Statement, query: StatementQuery, ticker: str) -> list[Cell]:
        table, fields = TABLES[statement], fields_of(statement, query)
        try:
            rows = [row async for row in self._rows(table, query, ticker)]
        except ProviderError as error:
            if error.kind == "not_found":
                return []
            raise
        return [cell for row in rows[: query.limit] for cell in row_cells(row, fields, query)]

    async def _rows(self, table: Table, query: StatementQuery, ticker: str) -> AsyncIterator[Mapping[str, Any]]:
        """The vendor's rows, newest first; further pages are followed while they are at the same address."""
        params: Mapping[str, Any] | None = {"ticker": ticker, "period": table.period(query), "limit": query.limit}
        url, given = self._base_url + table.path, 0
        while url and given < query.limit:
            answer = await self._client.get_json(url, params=params, kind="statements")
            rows = answer.get(table.key) if isinstance(answer, dict) else None
            if not isinstance(rows, list):
                raise ProviderError(
                    NAME,
                    "financialdatasets sent data of an unknown shape.",
                    kind="bad_data",
                    remedy="Check `financialdatasets.base_url`; the next source is asked meanwhile.",
                )
            for row in rows:
                if isinstance(row, dict):
                    yield row
            given += len(rows)
            url, params = self._next_page(answer, len(rows)), None

    def _next_page(self, answer: Mapping[str, Any], rows: int) -> str:
        """The next page's address; '' at the end, and where it is elsewhere, to which the key must not go."""
        following = str(answer.get("next_page_url") or "")
        same = urlsplit(following)[:2] == urlsplit(self._base_url)[:2]
        return following if same and rows else ""


def spellings(ticker: str) -> Sequence[str]:
    """A class of shares after a dash or a point: the vendor's spelling is not documented."""
    return tuple(dict.fromkeys((ticker, ticker.replace("-", "."))))


def _ordered(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """By line in statement order, newest period first within a line."""
    order = {concept.name: place for place, concept in enumerate(CONCEPTS)}
    newest_first = sorted(cells, key=lambda cell: cell.period_end, reverse=True)
    return tuple(sorted(newest_first, key=lambda cell: order[cell.concept]))


def _source(company: Company) -> Source:
    return Source("dataset", f"Financial Datasets: {company.ticker}", url="https://financialdatasets.ai", dataset=NAME)


def _not_covered(what: str) -> ProviderError:
    return ProviderError(
        NAME, f"financialdatasets {what}.", kind="not_covered", remedy="`sec` has every filed figure with its date."
    )
