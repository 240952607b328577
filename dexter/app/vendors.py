"""The vendors of prices over the network, as they are configured. Imported only where a socket may be opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack

from dexter.app.outside import Setup
from dexter.data.cache import DiskCache
from dexter.data.http import HttpClient
from dexter.data.prices.financial_datasets import FINANCIAL_DATASETS
from dexter.data.prices.provider import VendorPrices
from dexter.data.prices.twelve_data import KEY as TWELVE_DATA_KEY
from dexter.data.prices.twelve_data import REMEDIES, TWELVE_DATA
from dexter.data.prices.yahoo import YAHOO
from dexter.data.provider import PriceProvider
from dexter.data.sample.provider import SampleProvider
from dexter.errors import ProviderError

# Yahoo turns programs away that do not name themselves in the way of browsers.
_BROWSER_LIKE = {"User-Agent": "Mozilla/5.0 (compatible; dexter)"}


def open_prices(
    setup: Setup, stack: AsyncExitStack, financial_datasets: HttpClient, sample: SampleProvider
) -> list[PriceProvider]:
    """Those of `market.providers` in its order. One without its key says so when it is asked."""
    market, now = setup.settings.market, setup.outside.now
    fd_url = setup.settings.financialdatasets.base_url
    makers: Mapping[str, Callable[[], PriceProvider]] = {
        "financialdatasets": lambda: VendorPrices(FINANCIAL_DATASETS, financial_datasets, fd_url, now=now),
        "twelvedata": lambda: VendorPrices(
            TWELVE_DATA, _twelve_data_client(setup, stack), market.twelvedata_url, now=now
        ),
        "yahoo": lambda: VendorPrices(YAHOO, _yahoo_client(setup, stack), market.yahoo_url, now=now),
        "sample": lambda: sample,
    }
    return [makers[name]() for name in market.providers]


def _twelve_data_client(setup: Setup, stack: AsyncExitStack) -> HttpClient:
    key = setup.config.keys.get("twelvedata")

    def gate() -> None:
        if not key:
            raise ProviderError(
                TWELVE_DATA.name,
                "twelvedata needs a key.",
                kind="not_configured",
                remedy=f"Set {TWELVE_DATA_KEY} to use it.",
            )

    return _closed_with(
        stack,
        HttpClient(
            TWELVE_DATA.name,
            headers={"Authorization": f"apikey {key}"} if key else {},
            cache=_cache(setup, TWELVE_DATA.name),
            gate=gate,
            remedies=REMEDIES,
        ),
    )


def _yahoo_client(setup: Setup, stack: AsyncExitStack) -> HttpClient:
    return _closed_with(stack, HttpClient(YAHOO.name, headers=_BROWSER_LIKE, cache=_cache(setup, YAHOO.name)))


def _cache(setup: Setup, name: str) -> DiskCache:
    return DiskCache(setup.config.places.cache / name)


def _closed_with(stack: AsyncExitStack, client: HttpClient) -> HttpClient:
    stack.push_async_callback(client.aclose)
    return client
