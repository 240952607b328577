"""Search providers: a row of the table with a client, and the keyless one that is a library."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

from dexter.data.failures import failure
from dexter.data.http import HttpClient
from dexter.data.provider import Capability
from dexter.data.response import Limits
from dexter.data.web.search.hits import ShapeError, read_hits, within
from dexter.data.web.search.query import Hits, SearchQuery
from dexter.data.web.search.vendors import Vendor
from dexter.errors import ProviderError

# A search is one step of many: whoever does not answer soon is passed over for the next.
SEARCH_LIMITS = Limits(
    max_bytes=8_000_000, connect_timeout=5.0, read_timeout=12.0, total_timeout=15.0, attempts=2, max_wait=3.0
)
_DDGS_SECONDS = 20.0


class SearchProvider(Protocol):
    """Someone who searches the web."""

    @property
    def name(self) -> str: ...
    @property
    def capabilities(self) -> frozenset[Capability]: ...

    async def search(self, query: SearchQuery) -> Hits:
        """The hits within the query's limits, at least one.

        Raises:
            ProviderError: no answer, or nothing found (kind `not_found`).
        """
        ...


def vendor_client(vendor: Vendor, key: str | None, limits: Limits = SEARCH_LIMITS) -> HttpClient:
    """A client that sends the vendor its key."""
    headers = {vendor.key_header: f"{vendor.key_prefix}{key}"} if vendor.key_header and key else {}
    return HttpClient(vendor.name, headers=headers, limits=limits, remedies=vendor.remedies)


class VendorSearch:
    """A vendor of the table, asked over HTTP at `base_url`."""

    capabilities: frozenset[Capability] = frozenset({"search"})

    def __init__(self, vendor: Vendor, client: HttpClient, base_url: str) -> None:
        self.name = vendor.name
        self._vendor = vendor
        self._client = client
        self._url = base_url.rstrip("/") + vendor.path

    async def search(self, query: SearchQuery) -> Hits:
        sent = {name: value for name, value in self._vendor.request(query).items() if value not in (None, "", [])}
        if self._vendor.posts:
            answer = await self._client.post_json(self._url, sent)
        else:
            answer = await self._client.get_json(self._url, params=sent)
        try:
            hits = within(self._vendor.read(answer), query)
        except ShapeError as error:
            raise failure(self.name, "sent an answer without results", kind="bad_data") from error
        return _some(self.name, hits)


class DdgsSearch:
    """DuckDuckGo and others without a key, through the `ddgs` library.

    `ask` takes the words and keywords `max_results`, and gives the library's list; None imports it.
    """

    name = "ddgs"
    capabilities: frozenset[Capability] = frozenset({"search"})

    def __init__(self, ask: Callable[..., list[dict[str, Any]]] | None = None) -> None:
        self._ask = ask

    @staticmethod
    def is_installed() -> bool:
        """Whether the extra is there."""
        return find_spec("ddgs") is not None

    async def search(self, query: SearchQuery) -> Hits:
        try:
            async with asyncio.timeout(_DDGS_SECONDS):
                answer = await asyncio.to_thread(self._asked, query)
        except TimeoutError as error:
            raise failure(self.name, "took too long to answer", kind="timeout") from error
        except Exception as error:  # the library's errors have no common kind, and none may end the run
            said = str(error) or type(error).__name__
            kind = "not_found" if "no results" in said.lower() else "unavailable"
            raise failure(self.name, f"failed ({said[:200]})", kind=kind) from error
        try:
            hits = read_hits(
                {"results": answer}, ("results",), title="title", url="href", snippet=("body",), published=("date",)
            )
            return _some(self.name, within(hits, query))
        except ShapeError as error:
            raise failure(self.name, "sent an answer without results", kind="bad_data") from error

    def _asked(self, query: SearchQuery) -> list[dict[str, Any]]:
        ask = self._ask or import_module("ddgs").DDGS().text
        return ask(query.with_sites, max_results=query.limit)


def _some(name: str, found: Hits) -> Hits:
    if found.hits:
        return found
    outside = f" within the limits ({found.left_out} outside)" if found.left_out else ""
    raise ProviderError(name, f"{name} found nothing{outside}.", kind="not_found", remedy=_WIDER)


_WIDER = "Use fewer or other words, or wider limits of dates and domains."
# How to get a provider, by name, for someone who has none.
NEEDS: Mapping[str, str] = {
    "exa": "`dexter config set-key exa`",
    "tavily": "`dexter config set-key tavily`",
    "brave": "`dexter config set-key brave`",
    "perplexity": "`dexter config set-key perplexity`",
    "searxng": "search.searxng_url in the settings",
    "ddgs": "`pip install 'dexter[search]'`",
}
