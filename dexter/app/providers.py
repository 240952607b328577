"""Where financial data comes from: the configured providers, in order, and what they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dexter.app.outside import Setup
from dexter.data.provider import CompanyDirectory, NewsProvider, PriceProvider, ScreenProvider, StatementProvider
from dexter.data.sample.directory import packaged_directory
from dexter.data.sample.provider import SampleProvider
from dexter.data.sample.screener import SampleScreener

if TYPE_CHECKING:
    from dexter.data.filings.archive import FilingArchive


@dataclass(frozen=True)
class Providers:
    """Who is asked for what, in this order. `archive`: filings at EDGAR; None offline."""

    statements: Sequence[StatementProvider]
    prices: Sequence[PriceProvider]
    directory: CompanyDirectory
    archive: FilingArchive | None = None
    news: Sequence[NewsProvider] = ()
    screens: Sequence[ScreenProvider] = ()


def open_providers(setup: Setup, stack: AsyncExitStack) -> Providers:
    """The configured providers; offline, the bundled sample alone. Connections are closed with `stack`."""
    sample = SampleProvider()
    directory = packaged_directory()
    if setup.settings.offline:
        return Providers([sample], [sample], directory, screens=[SampleScreener(sample)])
    from dexter.app.edgar import open_edgar, open_financial_datasets
    from dexter.app.vendors import open_prices
    from dexter.data.filings.provider import SegmentProvider
    from dexter.data.financialdatasets.news import FinancialDatasetsNews
    from dexter.data.financialdatasets.provider import FinancialDatasets
    from dexter.data.financialdatasets.screener import FinancialDatasetsScreener
    from dexter.data.screening.sec_screener import SecScreener

    edgar = open_edgar(setup, stack)
    vendor, vendor_url = open_financial_datasets(setup, stack), setup.settings.financialdatasets.base_url
    by_name: Mapping[str, Sequence[StatementProvider]] = {
        "sec": (edgar.statements, SegmentProvider(edgar.archive)),
        "financialdatasets": (FinancialDatasets(vendor, vendor_url),),
        "sample": (sample,),
    }
    screen_by_name: Mapping[str, ScreenProvider] = {
        "sec": SecScreener(edgar.client, directory, lambda: setup.outside.now().date(), edgar.urls),
        "financialdatasets": FinancialDatasetsScreener(vendor, vendor_url),
        "sample": SampleScreener(sample),
    }
    named = setup.settings.data.providers
    return Providers(
        statements=[provider for name in named for provider in by_name.get(name, ())],
        prices=open_prices(setup, stack, vendor, sample),
        directory=directory,
        archive=edgar.archive,
        news=[FinancialDatasetsNews(vendor, vendor_url)],
        screens=[screen_by_name[name] for name in named if name in screen_by_name],
    )
