"""A company's filings at EDGAR or a mirror: the list by form and date, their documents, their index pages."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from dexter.data.company import Company
from dexter.data.filings.exhibits import FilingIndex, read_index
from dexter.data.filings.forms import plain_form
from dexter.data.http import HttpClient
from dexter.data.sec.client import NAME, EdgarUrls
from dexter.data.sec.submissions import FilingEntry, Submissions, parse_filings
from dexter.errors import ProviderError
from dexter.results import Source

_EDGAR = EdgarUrls()


class CompanyFilings(Protocol):
    """Knows companies by their number at the SEC, and their newest filings: `dexter.data.sec.provider.SecProvider`."""

    async def submissions(self, company: Company) -> Submissions:
        """Who the company is and what it has filed."""
        ...


@dataclass(frozen=True, slots=True)
class FilingQuery:
    """Which filings: `forms` as people write them (empty: all), filed from `start` to `end` (ISO, '' = open)."""

    forms: tuple[str, ...] = ()
    start: str = ""
    end: str = ""
    amendments: bool = True

    def wants(self, entry: FilingEntry) -> bool:
        """Whether a filing is one of them."""
        if not self.start <= entry.filed <= (self.end or "9999"):
            return False
        amended = entry.form.upper().endswith("/A")
        if amended and not self.amendments and entry.form.upper() not in {form.upper() for form in self.forms}:
            return False
        return not self.forms or plain_form(entry.form) in {plain_form(form) for form in self.forms}


@dataclass(frozen=True, slots=True)
class Fetched:
    """A document as it came: its bytes, address, and when it was retrieved (ISO, UTC)."""

    content: bytes
    url: str
    retrieved_at: str


class FilingArchive:
    """Reads lists and documents through the client of `dexter.data.sec`, which caches, waits and explains failures."""

    name = NAME

    def __init__(self, client: HttpClient, companies: CompanyFilings, urls: EdgarUrls = _EDGAR) -> None:
        self.client = client
        self.urls = urls
        self._companies = companies

    async def identify(self, company: Company) -> Company:
        """The company as the SEC knows it, with its number."""
        return (await self._companies.submissions(company)).company

    async def filings(self, company: Company, query: FilingQuery, *, limit: int) -> tuple[FilingEntry, ...]:
        """The newest `limit` filings that are wanted, newest first; older pages are fetched only as far as needed.

        Raises:
            ProviderError: The company is not at the SEC, or EDGAR did not answer.
        """
        found: list[FilingEntry] = []
        async for entry in self._entries(company, query.start):
            if query.wants(entry):
                found.append(entry)
            if len(found) >= limit:
                break
        return tuple(found)

    async def filing(self, company: Company, accession: str) -> FilingEntry:
        """One filing of the company by its accession number, with or without dashes.

        Raises:
            ProviderError: of kind `not_found` where the company has no such filing.
        """
        async for entry in self._entries(company, ""):
            if entry.accession.replace("-", "") == accession.replace("-", ""):
                return entry
        raise ProviderError(
            NAME,
            f"{company.name or company.ticker} has no filing {accession}.",
            kind="not_found",
            remedy="List its filings for the accession numbers.",
        )

    async def document(self, company: Company, entry: FilingEntry, name: str = "") -> Fetched:
        """A document of a filing as filed; without a name the main one.

        The list names the SEC's rendering of XML forms (`xslF345X05/form4.xml`); the XML itself is fetched.
        """
        file = (name or entry.document).rpartition("/")[2] or f"{entry.accession}.txt"
        url = self.urls.document(company.cik or 0, entry.accession, file)
        response = await self.client.get(url, kind="filing")
        return Fetched(response.body, url, response.retrieved_at)

    async def index(self, company: Company, entry: FilingEntry) -> FilingIndex:
        """The index page of a filing: its documents and exhibits."""
        response = await self.client.get(self.urls.filing_index(company.cik or 0, entry.accession), kind="filing")
        return read_index(response.body)

    def source(self, company: Company, entry: FilingEntry, fetched: Fetched, *, what: str = "") -> Source:
        """What a result names as its source."""
        title = " ".join(filter(None, (company.name or company.ticker, entry.form, what, entry.report_date)))
        return Source(
            "filing", title, fetched.url, entry.accession, as_of=entry.filed, retrieved_at=fetched.retrieved_at
        )

    async def _entries(self, company: Company, start: str) -> AsyncIterator[FilingEntry]:
        submissions = await self._companies.submissions(company)
        for entry in submissions.filings:
            yield entry
        if start and submissions.filings and submissions.filings[-1].filed < start:
            return
        for page in submissions.older_pages:
            data = await self.client.get_json(self.urls.submissions_page(page), kind="submissions")
            for entry in _page(data):
                yield entry


def _page(data: Any) -> Sequence[FilingEntry]:
    try:
        return tuple(parse_filings(data))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ProviderError(
            NAME,
            "sec sent an older list of filings in an unknown shape.",
            kind="bad_data",
            remedy="Give a later start date.",
        ) from error
