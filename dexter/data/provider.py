"""The interface every source of financial data implements, and the questions it is asked.

A provider declares its `capabilities`; `dexter.data.chain` asks the configured ones in order and falls through on
`ProviderError`. Methods a provider lacks are simply absent from `capabilities` and never called.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal, Protocol

from dexter.data.company import Company
from dexter.results import Cell, Source

Capability = Literal[
    "statements", "prices", "news", "insider_trades", "holdings", "filings", "search", "screen", "segments"
]
Comparison = Literal["gt", "gte", "lt", "lte", "eq"]
#: How a figure stands to the value of a criterion, by name.
COMPARISONS: Mapping[Comparison, Callable[[Decimal, Decimal], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
    "eq": operator.eq,
}
Period = Literal["annual", "quarterly", "ttm"]
Vintage = Literal["latest", "first"]
Statement = Literal["income", "balance", "cash_flow", "ratios", "segments"]


@dataclass(frozen=True)
class StatementQuery:
    """Which figures: `limit` newest periods of each statement. `as_of` (YYYY-MM-DD): nothing filed later is used.

    `concepts` narrows to those names; empty means all lines of the statements asked for. `vintage` chooses between
    the latest filed value (`latest`) and the one first filed (`first`).
    """

    company: Company
    statements: tuple[Statement, ...] = ("income",)
    period: Period = "annual"
    limit: int = 4
    concepts: tuple[str, ...] = ()
    as_of: str = ""
    vintage: Vintage = "latest"


@dataclass(frozen=True)
class Statements:
    """Cells of one company, newest period first within a concept, with the sources they rest on."""

    company: Company
    cells: tuple[Cell, ...]
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PriceQuery:
    """Prices from `start` to `end` (ISO dates, inclusive; '' = as far as there is). `interval` day, week or month.

    `latest`: only the newest price is wanted, whatever else comes with it. `as_of`: nothing known later is used.
    """

    company: Company
    start: str = ""
    end: str = ""
    interval: Literal["day", "week", "month"] = "day"
    as_of: str = ""
    latest: bool = False


@dataclass(frozen=True)
class PricePoint:
    """One close (and the rest of the bar where known), decimal strings in `Prices.currency`. `date` is ISO."""

    date: str
    close: str
    open: str = ""
    high: str = ""
    low: str = ""
    volume: str = ""


@dataclass(frozen=True)
class Quote:
    """The newest price of a day whose trading may go on: a decimal string, and its time (ISO, UTC)."""

    price: str
    time: str


@dataclass(frozen=True)
class StockSplit:
    """`ratio` new shares for an old one from `day` (ISO) on."""

    ratio: Fraction
    day: str


@dataclass(frozen=True)
class Prices:
    """A price history, oldest first. `adjusted` says what the closes are adjusted for: 'splits' or ''.

    `splits`: those the closes are adjusted for, as far as the history reaches; None where the source does not tell.
    """

    company: Company
    currency: str
    points: tuple[PricePoint, ...]
    adjusted: str
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()
    quote: Quote | None = None
    splits: tuple[StockSplit, ...] | None = None


@dataclass(frozen=True)
class NewsQuery:
    """The newest `limit` items on a company. `as_of` (ISO): none published later."""

    company: Company
    limit: int = 10
    as_of: str = ""


@dataclass(frozen=True)
class NewsItem:
    """One piece of news, with where it can be read. `published` is an ISO time in UTC. The words are a stranger's."""

    title: str
    url: str
    published: str
    publisher: str = ""


@dataclass(frozen=True)
class News:
    """Items on a company, newest first."""

    company: Company
    items: tuple[NewsItem, ...]
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()


class StatementProvider(Protocol):
    """Gives statements. Raises `ProviderError` where it can't."""

    name: str
    capabilities: frozenset[Capability]

    async def statements(self, query: StatementQuery) -> Statements:
        """The cells asked for; holes stay holes."""
        ...


class PriceProvider(Protocol):
    """Gives prices. Raises `ProviderError` where it can't."""

    name: str
    capabilities: frozenset[Capability]

    async def prices(self, query: PriceQuery) -> Prices:
        """The closes asked for, each with its date."""
        ...


class NewsProvider(Protocol):
    """Gives news. Raises `ProviderError` where it can't."""

    name: str
    capabilities: frozenset[Capability]

    async def news(self, query: NewsQuery) -> News:
        """The items asked for, each with its time and address."""
        ...


@dataclass(frozen=True)
class Criterion:
    """What a company has to meet. `metric` is a concept's or metric's own name; money is in US dollars."""

    metric: str
    op: Comparison
    value: Decimal

    def meets(self, number: Decimal) -> bool:
        """Whether a figure is as asked."""
        return COMPARISONS[self.op](number, self.value)


@dataclass(frozen=True)
class ScreenQuery:
    """Companies that meet all `criteria`, at most `limit`, by the first one's figure.

    `sector`: words for an industry, '' = any. `year`: of the fiscal years, None = the newest there are.
    """

    criteria: tuple[Criterion, ...]
    sector: str = ""
    limit: int = 20
    year: int | None = None
    as_of: str = ""


@dataclass(frozen=True)
class Match:
    """A company that meets the criteria, with the figure of each, in their order."""

    company: Company
    figures: tuple[Cell, ...]
    industry: str = ""


@dataclass(frozen=True)
class Screened:
    """What a screen found among whom. `matches` are the first of `total`.

    `universe` is a clause that says who was looked at and as of when. `judged` companies had the figures it took to
    decide, `unjudged` lacked one of them.
    """

    universe: str
    matches: tuple[Match, ...]
    total: int
    judged: int
    unjudged: int = 0
    sources: tuple[Source, ...] = ()
    notes: tuple[str, ...] = ()


class ScreenProvider(Protocol):
    """Screens companies. Raises `ProviderError` where it can't."""

    name: str
    capabilities: frozenset[Capability]

    async def screen(self, query: ScreenQuery) -> Screened:
        """The companies that meet the criteria; never a part of them without saying so."""
        ...


class CompanyDirectory(Protocol):
    """Knows companies by what people type."""

    def resolve(self, text: str) -> Sequence[Company]:
        """No match: empty. One: that company. Several: candidates, likeliest first."""
        ...
