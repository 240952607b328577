"""Market data beyond the sample: quotes, splits, currencies, receipts, news, insider trades, and who was asked."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction

from dexter.data.company import Company
from dexter.data.market import Insiders, MarketRequest, MarketSources, get_market_data
from dexter.data.provider import (
    Capability,
    News,
    NewsItem,
    NewsQuery,
    PricePoint,
    PriceQuery,
    Prices,
    Quote,
    StatementQuery,
    Statements,
    StockSplit,
)
from dexter.data.share_splits import in_shares_of_the_close
from dexter.errors import ProviderError, ToolError
from dexter.results import Cell, Source, ToolResult

ACME = Company("ACME", "Acme Corp", 4242, "NYSE", fiscal_year_end="12-31")


class Directory:
    """Knows one company."""

    def resolve(self, text: str) -> Sequence[Company]:
        return (ACME,) if text == "ACME" else ()


@dataclass
class Vendor:
    """Gives what it was made with."""

    answer: Prices
    name: str = "vendor"
    capabilities: frozenset[Capability] = field(default=frozenset({"prices"}))

    async def prices(self, query: PriceQuery) -> Prices:
        return self.answer


@dataclass
class Refusing:
    """Never answers."""

    name: str = "refusing"
    capabilities: frozenset[Capability] = field(default=frozenset({"prices", "news"}))

    async def prices(self, query: PriceQuery) -> Prices:
        raise self.error()

    async def news(self, query: NewsQuery) -> News:
        raise self.error()

    def error(self) -> ProviderError:
        return ProviderError(
            self.name, "refusing asks for payment (HTTP 402).", status=402, kind="billing", remedy="Pay."
        )


@dataclass
class Filed:
    """Statements with these cells, of this kind of company."""

    cells: tuple[Cell, ...]
    company: Company = ACME
    name: str = "filed"
    capabilities: frozenset[Capability] = field(default=frozenset({"statements"}))

    async def statements(self, query: StatementQuery) -> Statements:
        return Statements(self.company, self.cells)


@dataclass
class Paper:
    """One piece of news."""

    name: str = "paper"
    capabilities: frozenset[Capability] = field(default=frozenset({"news"}))

    async def news(self, query: NewsQuery) -> News:
        item = NewsItem("Acme builds", "https://news.test/1", "2026-11-29T08:00:00Z", "The Paper")
        return News(query.company, (item,), (Source("web", item.title, url=item.url),))


def cell(concept: str, value: str, unit: str = "USD", filed: str = "2026-10-30") -> Cell:
    return Cell(
        "ACME",
        concept,
        value,
        unit,
        2026,
        "Q3" if unit == "shares" else "TTM",
        "" if unit == "shares" else "2025-10-01",
        "2026-09-30",
        currency="" if unit == "shares" else unit[:3],
        filed=filed,
        accession="0000004242-26-000001",
    )


CELLS = (cell("SharesOutstanding", "1000", "shares"), cell("EPSDiluted", "4", "USD/shares"), cell("Revenues", "8000"))
PRICES = Prices(
    ACME,
    "USD",
    (PricePoint("2026-11-27", "100"),),
    "splits",
    (Source("market", "Vendor", as_of="2026-11-27"),),
    quote=Quote("101.5", "2026-11-30T20:59:00Z"),
    splits=(),
)


def ask(
    request: MarketRequest,
    *,
    prices: Sequence[object] = (),
    cells: tuple[Cell, ...] = CELLS,
    company: Company = ACME,
    news: Sequence[object] = (),
    insiders: Insiders | None = None,
) -> ToolResult:
    sources = MarketSources(
        prices or (Vendor(PRICES),),  # type: ignore[arg-type]
        (Filed(cells, company),),
        Directory(),
        news,  # type: ignore[arg-type]
        insiders,
    )
    return asyncio.run(get_market_data(request, sources))


def figures(result: ToolResult) -> dict[str, Decimal]:
    return {found.concept: found.number for found in result.cells}


def test_a_quote_stands_with_time_and_currency_beside_the_close() -> None:
    """The price of the moment is no close, and multiples take the close."""
    result = ask(MarketRequest(("ACME",)))
    assert "Price 101.50 USD at 2026-11-30T20:59:00Z" in result.text
    assert "Last close 100.00 USD on 2026-11-27, adjusted for splits" in result.text
    assert figures(result) | {"Price": Decimal("101.5"), "PriceToEarnings": Decimal(25)} == figures(result)


def test_history_says_its_interval_and_what_it_is_adjusted_for() -> None:
    """Also where the source does not tell."""
    assert "Closes by week, adjusted for splits:" in ask(MarketRequest(("ACME",), ("history",), interval="week")).text
    untold = Vendor(replace(PRICES, adjusted="", splits=None))
    assert (
        "whether adjusted for splits is not told" in ask(MarketRequest(("ACME",), ("history",)), prices=(untold,)).text
    )


def test_a_split_no_filing_knows_of_is_applied_to_what_was_filed_before() -> None:
    """Ten for one on 2026-11-20: the close is in new shares, so are now the count and the earnings."""
    split = Vendor(replace(PRICES, splits=(StockSplit(Fraction(10), "2026-11-20"),)))
    result = ask(MarketRequest(("ACME",)), prices=(split,))
    assert figures(result)["MarketCap"] == 1000 * 10 * 100
    assert figures(result)["PriceToEarnings"] == Decimal(100) / Decimal("0.4")
    assert figures(result)["PriceToSales"] == Decimal(1000 * 10 * 100) / 8000
    assert any("split of 2026-11-20 (10 for 1) is in no filing yet" in note for note in result.notes)


def test_a_split_the_filings_know_of_is_not_applied_twice() -> None:
    """Once a report was filed after it, the statements are restated already."""
    old = Vendor(replace(PRICES, splits=(StockSplit(Fraction(10), "2026-06-10"),)))
    assert figures(ask(MarketRequest(("ACME",)), prices=(old,)))["MarketCap"] == 100_000


def test_a_reverse_split_raises_earnings_per_share() -> None:
    """One for twenty: a twentieth of the shares, twenty times the earnings of each."""
    cells, notes = in_shares_of_the_close(CELLS, (StockSplit(Fraction(1, 20), "2026-11-01"),))
    assert [found.value for found in cells] == ["50", "80", "8000"]
    assert "1 for 20" in notes[0]


def test_a_ratio_of_two_currencies_is_refused_with_its_reason() -> None:
    """A price in dollars over sales in yuan is no multiple; the market value alone is one currency."""
    yuan = (CELLS[0], cell("EPSDiluted", "4", "CNY/shares"), cell("Revenues", "8000", "CNY"))
    result = ask(MarketRequest(("ACME",)), cells=yuan)
    assert "Close is in USD, EPSDiluted in CNY" in result.text
    assert "MarketCap is in USD, Revenues in CNY" in result.text
    assert set(figures(result)) == {"Price", "Close", "MarketCap"}


def test_a_receipt_for_several_shares_has_no_multiples() -> None:
    """A foreign filer counts ordinary shares; the price is of the receipt."""
    result = ask(MarketRequest(("ACME",)), company=replace(ACME, kind="foreign"))
    assert "receipt for several shares" in result.text
    assert set(figures(result)) == {"Price", "Close"}


def test_a_past_close_without_known_splits_has_no_multiples() -> None:
    """The filings of that day count other shares than a series adjusted since may."""
    untold = Vendor(replace(PRICES, quote=None, splits=None))
    result = ask(MarketRequest(("ACME",), as_of="2026-11-28"), prices=(untold,))
    assert "MarketCap" not in figures(result)
    assert any("does not tell for which splits" in note for note in result.notes)


def test_who_was_asked_in_vain_is_said() -> None:
    """The answer's source, and before it each vendor with reason and remedy."""
    result = ask(MarketRequest(("ACME",), ("quote",)), prices=(Refusing(), Vendor(PRICES)))
    assert result.status == "ok"
    assert [attempt.provider for attempt in result.tried] == ["refusing", "vendor"]
    assert "Prices are from vendor. Asked before: refusing asks for payment (HTTP 402). Pay." in result.text


def test_without_any_price_nothing_is_made_up() -> None:
    """All vendors refuse: an error that names them, and no figure."""
    result = ask(MarketRequest(("ACME",)), prices=(Refusing(),))
    assert (result.status, result.cells) == ("error", ())
    assert "No prices. refusing asks for payment (HTTP 402). Pay." in result.text


def test_news_come_with_time_publisher_and_link() -> None:
    """Each on a line, with its source; no price is asked for."""
    result = ask(MarketRequest(("ACME",), ("news",)), prices=(Refusing(),), news=(Paper(),))
    assert "- 2026-11-29T08:00:00Z · The Paper · Acme builds · https://news.test/1" in result.text
    assert (result.status, result.sources[0].url) == ("ok", "https://news.test/1")


def test_a_missing_part_leaves_the_others_and_is_said() -> None:
    """Prices without news: partial, with the reason in its place."""
    result = ask(MarketRequest(("ACME",), ("quote", "news")), news=(Refusing(),))
    assert result.status == "partial"
    assert "No news. refusing asks for payment (HTTP 402). Pay." in result.text
    assert figures(result)["Close"] == 100


def test_insider_trades_are_those_of_the_forms() -> None:
    """The work is another tool's; the day is passed on."""

    async def insiders(company: Company, as_of: str) -> ToolResult:
        return ToolResult(f"{company.ticker} until {as_of}", sources=(Source("filing", "Form 4"),))

    result = ask(MarketRequest(("ACME",), ("insider_trades",), as_of="2026-01-31"), insiders=insiders)
    assert "ACME until 2026-01-31" in result.text
    assert result.sources[0].title == "Form 4"


def test_insider_trades_that_are_not_there_say_why() -> None:
    """EDGAR refuses, has none, or is not asked at all."""

    async def none(company: Company, as_of: str) -> ToolResult:
        raise ToolError("Acme has no Forms 3, 4 or 5.", remedy="Give a longer time.")

    assert (
        "No insider trades. Acme has no Forms" in ask(MarketRequest(("ACME",), ("insider_trades",)), insiders=none).text
    )
    assert "not asked offline" in ask(MarketRequest(("ACME",), ("insider_trades",))).text
