"""Where financial data comes from: the configured providers, in order, and what they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dexter.app.outside import Setup
from dexter.data.provider import CompanyDirectory, NewsProvider, PriceProvider, StatementProvider
from dexter.data.sample.directory import packaged_directory
from dexter.data.sample.provider import SampleProvider

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


def open_providers(setup: Setup, stack: AsyncExitStack) -> Providers:
    """The configured providers; offline, the bundled sample alone. Connections are closed with `stack`."""
    sample = SampleProvider()
    directory = packaged_directory()
    if setup.settings.offline:
        return Providers([sample], [sample], directory)
    from dexter.app.edgar import open_edgar, open_financial_datasets
    from dexter.app.vendors import open_prices
    from dexter.data.filings.provider import SegmentProvider
    from dexter.data.financialdatasets.news import FinancialDatasetsNews
    from dexter.data.financialdatasets.provider import FinancialDatasets

    edgar, archive = open_edgar(setup, stack)
    vendor, vendor_url = open_financial_datasets(setup, stack), setup.settings.financialdatasets.base_url
    by_name: Mapping[str, Sequence[StatementProvider]] = {
        "sec": (edgar, SegmentProvider(archive)),
        "financialdatasets": (FinancialDatasets(vendor, vendor_url),),
        "sample": (sample,),
    }
    statements = [provider for name in setup.settings.data.providers for provider in by_name.get(name, ())]
    prices = open_prices(setup, stack, vendor, sample)
    return Providers(statements, prices, directory, archive, [FinancialDatasetsNews(vendor, vendor_url)])
