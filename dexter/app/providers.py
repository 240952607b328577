"""Where financial data comes from: the configured providers, in order, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from dexter.app.outside import Setup
from dexter.data.cache import DiskCache
from dexter.data.http import HttpClient
from dexter.data.identity.directory import Directory
from dexter.data.provider import CompanyDirectory, PriceProvider, StatementProvider
from dexter.data.rate_limit import FileRateLimiter
from dexter.data.sample.provider import SampleProvider
from dexter.data.sec.client import EdgarUrls, sec_client
from dexter.data.sec.provider import SecProvider


@dataclass(frozen=True)
class Providers:
    """Who is asked for what, in this order."""

    statements: Sequence[StatementProvider]
    prices: Sequence[PriceProvider]
    directory: CompanyDirectory


def open_providers(setup: Setup, stack: AsyncExitStack) -> Providers:
    """The configured providers; offline, the bundled sample alone. Connections are closed with `stack`."""
    sample = SampleProvider()
    known: dict[str, StatementProvider] = {"sample": sample}
    if not setup.settings.offline:
        known["sec"] = SecProvider(edgar_client(setup, stack), edgar_urls(setup))
    statements = [known[name] for name in setup.settings.data.providers if name in known]
    return Providers(statements, [sample], Directory(sample.companies))


def edgar_client(setup: Setup, stack: AsyncExitStack) -> HttpClient:
    """A client for EDGAR with the user's contact, cache, and the limit all of this user's processes share."""
    cache = setup.config.places.cache
    client = sec_client(
        setup.settings.sec.contact,
        cache=DiskCache(cache / "sec"),
        limiter=FileRateLimiter(cache / "sec-requests", rate=int(setup.settings.sec.requests_per_second)),
    )
    stack.push_async_callback(client.aclose)
    return client


def edgar_urls(setup: Setup) -> EdgarUrls:
    """EDGAR's addresses, or those of a mirror."""
    sec = setup.settings.sec
    return EdgarUrls(sec.www_url, sec.data_url, sec.search_url)
