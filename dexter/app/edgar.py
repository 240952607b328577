"""EDGAR and the vendors over the network, as they are configured. Imported only where a socket may be opened."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass

from dexter.app.outside import Setup
from dexter.data.cache import DiskCache
from dexter.data.filings.archive import FilingArchive
from dexter.data.financialdatasets.provider import financial_datasets_client
from dexter.data.http import HttpClient
from dexter.data.rate_limit import FileRateLimiter
from dexter.data.sec.client import EdgarUrls, sec_client
from dexter.data.sec.provider import SecProvider


@dataclass(frozen=True)
class Edgar:
    """EDGAR as one client asks it: statements, filings, and where its parts are."""

    client: HttpClient
    urls: EdgarUrls
    statements: SecProvider
    archive: FilingArchive


def open_edgar(setup: Setup, stack: AsyncExitStack) -> Edgar:
    """EDGAR with the user's contact, a cache, and the limit that all of this user's processes share."""
    sec, cache = setup.settings.sec, setup.config.places.cache
    client = sec_client(
        sec.contact,
        cache=DiskCache(cache / "sec"),
        limiter=FileRateLimiter(cache / "sec-requests", rate=int(sec.requests_per_second)),
    )
    stack.push_async_callback(client.aclose)
    urls = EdgarUrls(sec.www_url, sec.data_url, sec.search_url)
    provider = SecProvider(client, urls)
    return Edgar(client, urls, provider, FilingArchive(client, provider, urls))


def open_financial_datasets(setup: Setup, stack: AsyncExitStack) -> HttpClient:
    """The vendor's client with the user's key; without one it says at its first request what is missing."""
    client = financial_datasets_client(
        setup.config.keys.get("financialdatasets"),
        cache=DiskCache(setup.config.places.cache / "financialdatasets"),
    )
    stack.push_async_callback(client.aclose)
    return client
