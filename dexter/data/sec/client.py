"""The HTTP client for EDGAR and its mirrors, and where things are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dexter.data.http import HttpClient, Limiter
from dexter.data.response import DEFAULT_LIMITS, Limits
from dexter.errors import ProviderError

if TYPE_CHECKING:
    import httpx

    from dexter.data.cache import DiskCache

NAME = "sec"

_CONTACT_REMEDY = (
    "Set `sec.contact` in config.toml, or DEXTER_SEC__CONTACT in the environment, to your name and e-mail address: "
    "the SEC refuses requests that do not say whom to write to."
)
_REMEDIES = {
    "auth": "The SEC refuses a contact it can't write to, and who asked too often: check `sec.contact` "
    "(DEXTER_SEC__CONTACT, a name and an e-mail address), and wait ten minutes.",
    "rate_limit": "Wait ten minutes; other programs on this machine may be asking the SEC as well.",
    "network": "Check the network and `sec.www_url`, `sec.data_url`, `sec.search_url`.",
    "bad_data": "Try again later; if it stays so, check `sec.www_url`, `sec.data_url` and `sec.search_url`.",
}


@dataclass(frozen=True)
class EdgarUrls:
    """Where EDGAR's parts are. A mirror has the same paths under other base URLs."""

    www: str = "https://www.sec.gov"
    data: str = "https://data.sec.gov"
    search: str = "https://efts.sec.gov"

    def tickers(self) -> str:
        """The list of tickers and company numbers."""
        return f"{self.www.rstrip('/')}/files/company_tickers.json"

    def submissions(self, cik: int) -> str:
        """A company's identity and newest filings."""
        return self.submissions_page(f"CIK{cik:010d}.json")

    def submissions_page(self, name: str) -> str:
        """An older part of a company's list of filings, by the name the newest part gives."""
        return f"{self.data.rstrip('/')}/submissions/{name}"

    def facts(self, cik: int) -> str:
        """All undimensioned XBRL facts of a company."""
        return f"{self.data.rstrip('/')}/api/xbrl/companyfacts/CIK{cik:010d}.json"

    def document(self, cik: int, accession: str, name: str = "") -> str:
        """A document of a filing; without a name the folder of the filing."""
        return f"{self.www.rstrip('/')}/Archives/edgar/data/{cik}/{accession.replace('-', '')}/{name}"

    def filing_index(self, cik: int, accession: str) -> str:
        """The page that lists a filing's documents."""
        return self.document(cik, accession, f"{accession}-index.html")

    def full_text_search(self) -> str:
        """The full-text search, 2001 onward."""
        return f"{self.search.rstrip('/')}/LATEST/search-index"


#: EDGAR itself.
EDGAR = EdgarUrls()


def sec_client(
    contact: str,
    *,
    limits: Limits = DEFAULT_LIMITS,
    cache: DiskCache | None = None,
    limiter: Limiter | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
) -> HttpClient:
    """A client that tells the SEC whom to write to.

    Raises (at the first request, not here):
        ProviderError: of kind `not_configured` where `contact` has no e-mail address.
    """

    def gate() -> None:
        if "@" not in contact or not contact.isprintable() or not contact.isascii():
            raise ProviderError(
                NAME, "sec needs a contact before it can be asked.", kind="not_configured", remedy=_CONTACT_REMEDY
            )

    return HttpClient(
        NAME,
        headers={"User-Agent": f"dexter {contact.strip()}"} if contact.isascii() else {},
        limits=limits,
        cache=cache,
        limiter=limiter,
        gate=gate,
        remedies=_REMEDIES,
        transport=transport,
    )
