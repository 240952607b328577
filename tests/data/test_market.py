from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from decimal import Decimal

import pytest

from dexter.data.identity.directory import Directory
from dexter.data.market import MarketRequest, MarketSources, get_market_data
from dexter.data.provider import Capability, PricePoint, PriceQuery, Prices
from dexter.data.sample.provider import SampleProvider
from dexter.errors import ToolError
from dexter.results import Cell, ToolResult

SAMPLE = SampleProvider()
DIRECTORY = Directory(SAMPLE.companies)


def ask(request: MarketRequest, *providers: object) -> ToolResult:
    prices = providers or (SAMPLE,)
    sources = MarketSources(prices, (SAMPLE,), DIRECTORY)  # type: ignore[arg-type]
    return asyncio.run(get_market_data(request, sources))


def cells(result: ToolResult) -> dict[str, Cell]:
    return {cell.concept: cell for cell in result.cells}


def test_multiples_use_the_last_close_and_the_newest_four_quarters_ended_by_then() -> None:
    """NVIDIA: the close of 2026-03-20 and the twelve months to 2026-01-25, though a newer quarter is in the sample."""
    result = ask(MarketRequest(("NVDA",)))
    found = cells(result)
    assert found["Close"].value == "172.7"
    assert found["MarketCap"].number == 24_300_000_000 * Decimal("172.7")
    assert found["PriceToEarnings"].number == Decimal("172.7") / Decimal("4.9")
    assert found["PriceToSales"].number == found["MarketCap"].number / 215_938_000_000
    assert found["PriceToEarnings"].derived == "Close of 2026-03-20 / EPSDiluted of the twelve months to 2026-01-25"
    assert "At the close of 2026-03-20, on the twelve months to 2026-01-25:" in result.text


def test_the_market_value_shows_its_share_count_and_that_counts_day() -> None:
    """The count, where it stands and when it was filed; an old count is called rough."""
    (note,) = ask(MarketRequest(("NVDA",))).notes
    assert "cover page, as of 2026-02-20; 10-K filed 2026-02-25" in note
    (rough,) = ask(MarketRequest(("WMT",))).notes
    assert "413 days before the close: the market value is rough" in rough


def test_four_quarters_that_are_no_fiscal_year_are_added_up() -> None:
    """Apple at 2026-03-20: the four quarters to 2025-12-27, their filings all among the sources."""
    result = ask(MarketRequest(("AAPL",)))
    sales = cells(result)["PriceToSales"]
    assert sales.derived == "MarketCap of 2026-03-20 / Revenues of the twelve months to 2025-12-27"
    assert len({source.accession for source in result.sources if source.accession}) >= 4


def test_no_price_earnings_ratio_of_a_loss() -> None:
    """Intel: n.m. with the reason, and no cell."""
    result = ask(MarketRequest(("INTC",)))
    assert "n.m. P/E, trailing: Diluted EPS is negative" in result.text
    assert "PriceToEarnings" not in cells(result)


def test_without_a_share_count_there_is_no_market_value() -> None:
    """Microsoft has none in the sample: P/E stays, the rest says what is missing."""
    result = ask(MarketRequest(("MSFT",)))
    assert set(cells(result)) == {"Close", "PriceToEarnings"}
    assert "Market capitalization; Enterprise value" in result.text
    assert "Shares outstanding on 2025-12-31 is not there" in result.text


def test_with_a_quarter_missing_there_are_no_trailing_multiples() -> None:
    """Tesla's last four quarters are not all in the sample; an older year does not stand in for them."""
    found = cells(ask(MarketRequest(("TSLA",))))
    assert "PriceToSales" not in found
    assert "PriceToEarnings" not in found


def test_as_of_uses_neither_later_prices_nor_later_filings() -> None:
    """On 2026-02-20 the last close is January's and the year to January had not been filed."""
    result = ask(MarketRequest(("NVDA",), as_of="2026-02-20"))
    assert cells(result)["Close"].period_end == "2026-01-30"
    assert all(cell.filed <= "2026-02-20" for cell in result.cells if cell.filed)
    assert "2026-01-25" not in cells(result).get("PriceToSales", cells(result)["Close"]).period_end


def test_history_lists_closes_newest_first_in_the_range() -> None:
    """Three months of closes, each exact, with what they are adjusted for."""
    result = ask(MarketRequest(("MSFT",), ("history",), start="2026-01-01"))
    assert [(cell.period_end, cell.value) for cell in result.cells] == [
        ("2026-03-20", "381.87"),
        ("2026-02-27", "392.74"),
        ("2026-01-30", "430.29"),
    ]
    assert "|2026-01-30|430.29|" in result.text
    assert "adjusted for splits" in result.notes[0]


@dataclass
class Coins:
    """Prices of coins and nothing else."""

    name: str = "coins"
    capabilities: frozenset[Capability] = field(default=frozenset({"prices"}))

    async def prices(self, query: PriceQuery) -> Prices:
        return Prices(query.company, "USD", (PricePoint("2026-03-20", "70000.5"),), "")


def test_a_coin_has_a_price_and_no_multiples() -> None:
    """Prices are shown where there are some, and the note says why nothing else is."""
    result = ask(MarketRequest(("BTC-USD",)), SAMPLE, Coins())
    assert cells(result)["Close"].value == "70000.5"
    assert "not applicable to a crypto asset" in result.notes[0]
    assert [attempt.provider for attempt in result.tried] == ["sample", "coins"]


def test_one_unknown_company_does_not_spoil_the_others() -> None:
    """The others are answered; the entry says why it is not."""
    result = ask(MarketRequest(("NVDA", "GOOG", "COIN"), ("quote",)))
    assert result.status == "partial"
    assert [error["asked"] for error in result.data["errors"]] == ["GOOG", "COIN"]


def test_one_company_in_three_spellings_is_asked_once() -> None:
    """The ticker in either case and the name are one company."""
    result = ask(MarketRequest(("NVDA", " nvda ", "Nvidia", "AAPL"), ("quote",)))
    assert [cell.ticker for cell in result.cells] == ["NVDA", "AAPL"]


@pytest.mark.parametrize(
    "request_",
    [
        MarketRequest(()),
        MarketRequest(("NVDA",), ()),
        MarketRequest(("NVDA",), start="soon"),
        MarketRequest(("NVDA",), start="2026-02-01", end="2026-01-01"),
    ],
)
def test_a_wrong_request_says_what_would_work(request_: MarketRequest) -> None:
    """An error the model can act on."""
    with pytest.raises(ToolError) as caught:
        ask(request_)
    assert caught.value.remedy
