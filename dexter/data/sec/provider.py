"""Statements from the company facts of the SEC, free and for every company that files with it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from dexter.data.body import check_json_shape
from dexter.data.company import Company
from dexter.data.http import HttpClient
from dexter.data.provider import Capability, StatementQuery, Statements
from dexter.data.response import Response
from dexter.data.sec.client import EDGAR, NAME, EdgarUrls
from dexter.data.sec.facts import Fact, FactStore, fact_store
from dexter.data.sec.notes import notes_on
from dexter.data.sec.statements import Entry, cell, statement_entries, statement_lines, wanted
from dexter.data.sec.submissions import Submissions, parse_submissions
from dexter.data.sources import filing_url
from dexter.errors import ProviderError
from dexter.results import Source

_STORES_KEPT = 3  # parsed facts of a company take tens of megabytes


class SecProvider:
    """Asks EDGAR, or a mirror with the same paths, for facts and makes statements of them."""

    name = NAME
    capabilities: frozenset[Capability] = frozenset({"statements"})

    def __init__(self, client: HttpClient, urls: EdgarUrls = EDGAR) -> None:
        self._client = client
        self._urls = urls
        self._stores: OrderedDict[tuple[int, str], FactStore] = OrderedDict()

    async def statements(self, query: StatementQuery) -> Statements:
        """The cells asked for, of the company as the SEC knows it.

        Raises:
            ProviderError: the company files no such facts, had filed none by that day, or EDGAR did not answer.
        """
        if not wanted(query):
            raise self._not_covered(f"has no {' or '.join(query.statements)} in its company facts")
        company = await self.company(query.company)
        store, response = await self._facts(company)
        company = await self._described(company)
        query = replace(query, company=company)
        lines = statement_lines(store, query)
        entries = list(statement_entries(lines, query))
        if not entries:
            raise self._not_covered(_nothing(query))
        company = _completed(company, store, lines.calendar.year_end())
        cells = tuple(cell(entry, company) for entry in entries)
        notes = (*_stale_note(response), *notes_on(entries, lines))
        return Statements(company, cells, _sources(entries, company, response), notes)

    async def company(self, company: Company) -> Company:
        """The company with its number at the SEC, looked up by its ticker where it has none.

        Raises:
            ProviderError: the SEC lists no such ticker, or EDGAR did not answer.
        """
        if company.cik is not None:
            return company
        listed = await self._client.get_json(self._urls.tickers(), kind="tickers")
        for entry in listed.values() if isinstance(listed, dict) else ():
            cik = _number_of(entry, company.ticker)
            if cik is not None:
                return replace(company, cik=cik, name=company.name or str(entry.get("title", "")))
        raise self._not_covered(f"lists no company with the ticker {company.ticker}")

    async def submissions(self, company: Company) -> Submissions:
        """Who the company is and what it has filed.

        Raises:
            ProviderError: as `company`.
        """
        company = await self.company(company)
        data = await self._client.get_json(self._urls.submissions(company.cik or 0), kind="submissions")
        try:
            return parse_submissions(data, company.ticker)
        except ValueError as error:
            raise self._bad_data() from error

    async def _described(self, company: Company) -> Company:
        """The company with exchange, year end and kind; as it is where EDGAR does not tell, which is no hindrance."""
        if company.exchange and company.fiscal_year_end:
            return company
        try:
            found = (await self.submissions(company)).company
        except ProviderError:
            return company
        return replace(
            company,
            name=company.name or found.name,
            exchange=company.exchange or found.exchange,
            fiscal_year_end=company.fiscal_year_end or found.fiscal_year_end,
            kind=found.kind if company.kind == "operating" else company.kind,
        )

    async def _facts(self, company: Company) -> tuple[FactStore, Response]:
        cik = company.cik or 0
        try:
            response = await self._client.get(self._urls.facts(cik), kind="facts", check=check_json_shape)
        except ProviderError as error:
            if error.kind == "not_found":
                raise self._not_covered(f"has no company facts of {company.ticker} (CIK {cik})", 404) from error
            raise
        key = (cik, response.retrieved_at)
        if key not in self._stores:
            self._stores[key] = self._store(self._client.read_json(response))
        self._stores.move_to_end(key)
        while len(self._stores) > _STORES_KEPT:
            self._stores.popitem(last=False)
        return self._stores[key], response

    def _store(self, data: Any) -> FactStore:
        try:
            return fact_store(data)
        except ValueError as error:
            raise self._bad_data() from error

    def _bad_data(self) -> ProviderError:
        return ProviderError(
            NAME,
            "sec sent data of an unknown shape.",
            kind="bad_data",
            remedy="Check `sec.www_url` and `sec.data_url`; the next source is asked meanwhile.",
        )

    def _not_covered(self, what: str, status: int | None = None) -> ProviderError:
        return ProviderError(
            NAME,
            f"sec {what}.",
            status=status,
            kind="not_covered",
            remedy="Only companies that file with the SEC in XBRL are there, since 2009 at the earliest.",
        )


def _number_of(entry: Any, ticker: str) -> int | None:
    """The CIK in an entry of EDGAR's list of tickers; None where it is another's, or no entry at all."""
    if not isinstance(entry, dict) or _plain_ticker(str(entry.get("ticker", ""))) != _plain_ticker(ticker):
        return None
    number = str(entry.get("cik_str", ""))
    return int(number) if number.isdecimal() else None


def _plain_ticker(ticker: str) -> str:
    """`BRK.B`, `BRK-B` and `BRK/B` are one."""
    return "".join(letter for letter in ticker.upper() if letter.isalnum())


def _completed(company: Company, store: FactStore, year_end: str) -> Company:
    """The company with what its facts know better: currency and the day its newest year ended."""
    return replace(
        company,
        name=company.name or store.name,
        currency=store.currency,
        fiscal_year_end=year_end or company.fiscal_year_end,
    )


def _nothing(query: StatementQuery) -> str:
    by = f" that were filed by {query.as_of}" if query.as_of else ""
    return f"has no {query.period} figures of {query.company.ticker}{by} for these lines"


def _stale_note(response: Response) -> Sequence[str]:
    if not response.stale:
        return ()
    return (f"EDGAR could not be reached: these are its company facts as of {response.retrieved_at}.",)


def _sources(entries: Iterable[Entry], company: Company, response: Response) -> tuple[Source, ...]:
    """Every filing the figures rest on, newest first."""
    filings = {fact.accession: fact for entry in entries for fact in (entry.figure.fact, *entry.figure.also)}
    newest_first = sorted(filings.values(), key=lambda fact: (fact.filed, fact.accession), reverse=True)
    return tuple(_source(fact, company, response) for fact in newest_first)


def _source(fact: Fact, company: Company, response: Response) -> Source:
    return Source(
        kind="filing",
        title=f"{company.name} {fact.form}",
        url=filing_url(company.cik, fact.accession),
        accession=fact.accession,
        dataset=NAME,
        as_of=fact.filed,
        retrieved_at=response.retrieved_at,
    )
