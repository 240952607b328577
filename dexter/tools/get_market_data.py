"""`get_market_data`: prices, multiples, history, news and insider trades, each with its time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from dexter.data.company import Company
from dexter.data.market import MOST_TICKERS, Insiders, MarketRequest, MarketSources, Part, get_market_data
from dexter.results import ToolResult
from dexter.tools.get_financials import earlier
from dexter.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from dexter.data.filings.archive import FilingArchive


class GetMarketDataArguments(BaseModel):
    """Which prices of which companies."""

    tickers: list[str] = Field(
        description="Tickers or company names, 1 to 10 in one call.", min_length=1, max_length=MOST_TICKERS
    )
    parts: list[Part] = Field(
        default=["quote", "multiples"],
        description="quote (newest price and last close), multiples (market value, P/E, P/S, …), history,"
        " news, insider_trades.",
    )
    start: str = Field(default="", description="First day of the history (YYYY-MM-DD).")
    end: str = Field(default="", description="Last day of the history (YYYY-MM-DD).")
    interval: Literal["day", "week", "month"] = Field(default="month", description="Spacing of the history.")
    as_of: str = Field(default="", description="Use no price and no filing after this day (YYYY-MM-DD).")


def get_market_data_tool(sources: MarketSources) -> Tool[GetMarketDataArguments]:
    """The tool over these sources, each kind asked in order."""

    async def run(arguments: GetMarketDataArguments, context: ToolContext) -> ToolResult:
        request = MarketRequest(
            tickers=tuple(arguments.tickers),
            parts=tuple(arguments.parts),
            start=arguments.start,
            end=arguments.end,
            interval=arguments.interval,
            as_of=earlier(arguments.as_of, context.as_of),
        )
        result = await get_market_data(request, sources)
        return replace(result, untrusted=("news",)) if "news" in arguments.parts else result

    return Tool(
        name="get_market_data",
        description=(
            "Newest price and last close with time and currency, market capitalisation with its share count, multiples"
            " of trailing twelve months (P/E, P/S, EV multiples), price history, news, insider trades. Coins: BTC-USD."
        ),
        arguments=GetMarketDataArguments,
        run=run,
        concurrent=True,
        clearable=True,
    )


def insiders_of(archive: FilingArchive) -> Insiders:
    """Insider trades as `get_insider_trades` gives them, the newest reports of a company."""

    async def insiders(company: Company, as_of: str) -> ToolResult:
        from dexter.data.filings.insiders import InsiderRequest, insider_trades

        return await insider_trades(archive, InsiderRequest(company, as_of=as_of))

    return insiders
