"""Where financial data comes from: the configured providers, in order, and what they share."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

from dexter.app.outside import Setup
from dexter.data.cache import DiskCache
from dexter.data.financialdatasets.provider import FinancialDatasets, financial_datasets_client
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
        known["financialdatasets"] = FinancialDatasets(
            vendor_client(setup, stack), setup.settings.financialdatasets.base_url
        )
    statements = [known[name] for name in setup.settings.data.providers if name in known]
    return Providers(statements, [sample], Directory(sample.companies))


def edgar_client(setup: Setup, stack: AsyncExitStack) -> HttpClient:
    """A client for EDGAR with the user's contact, cache, and the limit all of this user's processes share."""
    cache = setup.config.places.cache
    client = sec_client(
        setup.settings.sec.contact,
        cache=DiskCache(cache / "sec"),
        limiter=_edgar_limiter(setup),
    )
    stack.push_async_callback(client.aclose)
    return client


def _edgar_limiter(setup: Setup) -> FileRateLimiter:
    rate = setup.settings.sec.requests_per_second
    path = setup.config.places.cache / "sec-requests"
    return FileRateLimiter(path, rate=max(1, int(rate)), per=max(1.0, 1 / rate))


def vendor_client(setup: Setup, stack: AsyncExitStack) -> HttpClient:
    """A client for Financial Datasets with the user's key, if there is one, and a cache of its own."""
    key = setup.config.keys.get("financialdatasets")
    client = financial_datasets_client(key, cache=DiskCache(setup.config.places.cache / "financialdatasets"))
    stack.push_async_callback(client.aclose)
    return client


def edgar_urls(setup: Setup) -> EdgarUrls:
    """EDGAR's addresses, or those of a mirror."""
    sec = setup.settings.sec
    return EdgarUrls(sec.www_url, sec.data_url, sec.search_url)
