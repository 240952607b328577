"""Screens the companies of the bundled sample; the only screen that knows prices without a key."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dexter.data.company import Company
from dexter.data.derive import Column, CompanyFigures
from dexter.data.metrics import metric_named
from dexter.data.provider import Capability, PriceQuery, Screened, ScreenQuery, StatementQuery
from dexter.data.sample.provider import SampleProvider
from dexter.data.screening.industries import is_in_sector
from dexter.data.screening.judging import Figure, judge
from dexter.data.unavailable import Unavailable
from dexter.data.valuation import close_cells, value
from dexter.errors import ProviderError
from dexter.results import Cell, Source

_YEARS, _QUARTERS = 10, 8


class SampleScreener:
    """Annual figures of the newest fiscal year, or the one asked for; multiples at the last close."""

    name = "sample"
    capabilities: frozenset[Capability] = frozenset({"screen"})

    def __init__(self, sample: SampleProvider) -> None:
        self._sample = sample

    async def screen(self, query: ScreenQuery) -> Screened:
        """The companies of the sample that meet the criteria.

        Raises:
            ProviderError: a file of the sample is damaged.
        """
        companies = [
            (company, await self._figures(company, query))
            for company in self._sample.companies
            if not query.sector or is_in_sector(self._sample.industry(company), query.sector)
        ]
        found = judge(companies, query)
        tickers = ", ".join(company.ticker for company, _ in companies)
        when = f"fiscal {query.year}" if query.year else "each one's newest fiscal year there"
        as_of = f", as filed by {query.as_of}" if query.as_of else ""
        among = f"the {len(companies)} companies of the bundled sample"
        of_sector = f" in the sector {query.sector!r}" if query.sector else ""
        return Screened(
            universe=f"{among}{of_sector} ({tickers or 'none'}), figures of {when}{as_of}",
            matches=found.matches[: query.limit],
            total=len(found.matches),
            judged=found.judged,
            unjudged=found.unjudged,
            sources=(Source("dataset", "The bundled sample", dataset=self.name, as_of=self._sample.last_day),),
            notes=("The sample is no market: to screen all companies at EDGAR, set `sec.contact`.",),
        )

    async def _figures(self, company: Company, query: ScreenQuery) -> Callable[[str], Figure]:
        annual = CompanyFigures(company, await self._cells(company, query, quarterly=False))
        columns = [
            column
            for column in annual.columns("annual")
            if not query.year or annual.heading(column) == f"FY{query.year}"
        ]
        multiples = await self._multiples(company, query) if _needs_price(query) else {}
        return partial(_figure, annual, columns[0] if columns else None, multiples)

    async def _cells(self, company: Company, query: ScreenQuery, *, quarterly: bool) -> tuple[Cell, ...]:
        statements = StatementQuery(
            company,
            ("income", "balance", "cash_flow"),
            "ttm" if quarterly else "annual",
            _QUARTERS if quarterly else _YEARS,
            as_of=query.as_of,
        )
        try:
            return (await self._sample.statements(statements)).cells
        except ProviderError as error:
            if error.kind == "not_covered":
                return ()
            raise

    async def _multiples(self, company: Company, query: ScreenQuery) -> dict[str, Figure]:
        try:
            prices = await self._sample.prices(PriceQuery(company, as_of=query.as_of, latest=True))
        except ProviderError as error:
            if error.kind == "not_covered":
                return {}
            raise
        trailing = await self._cells(company, query, quarterly=True)
        valuation = value(company, close_cells(prices)[-1], trailing)
        return {figure.concept: figure for figure in valuation.multiples}


def _figure(annual: CompanyFigures, column: Column | None, multiples: dict[str, Figure], name: str) -> Figure:
    if name in multiples:
        return multiples[name]
    metric = metric_named(name)
    if column is None or (metric and metric.group == "multiple"):
        return Unavailable(annual.company.ticker, name, "missing", "there are no figures of that year or day")
    return annual.figure(name, column)


def _needs_price(query: ScreenQuery) -> bool:
    metrics = (metric_named(criterion.metric) for criterion in query.criteria)
    return any(metric and metric.group == "multiple" for metric in metrics)
