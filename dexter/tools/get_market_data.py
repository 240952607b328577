"""`get_market_data`: the last close, price history and multiples, each with its date."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from dexter.data.market import MOST_TICKERS, MarketRequest, Part, get_market_data
from dexter.data.provider import CompanyDirectory, PriceProvider, StatementProvider
from dexter.results import ToolResult
from dexter.tools.get_financials import earlier
from dexter.tools.tool import Tool, ToolContext


class GetMarketDataArguments(BaseModel):
    """Which prices of which companies."""

    tickers: list[str] = Field(
        description="Tickers or company names, 1 to 10 in one call.", min_length=1, max_length=MOST_TICKERS
    )
    parts: list[Part] = Field(
        default=["quote", "multiples"],
        description="quote (last close and market value), multiples (P/E, P/S, …), history.",
    )
    start: str = Field(default="", description="First day of the history (YYYY-MM-DD).")
    end: str = Field(default="", description="Last day of the history (YYYY-MM-DD).")
    interval: Literal["day", "week", "month"] = Field(default="month", description="Spacing of the history.")
    as_of: str = Field(default="", description="Use no price and no filing after this day (YYYY-MM-DD).")


def get_market_data_tool(
    prices: Sequence[PriceProvider], statements: Sequence[StatementProvider], directory: CompanyDirectory
) -> Tool[GetMarketDataArguments]:
    """The tool over these providers, asked in order."""

    async def run(arguments: GetMarketDataArguments, context: ToolContext) -> ToolResult:
        request = MarketRequest(
            tickers=tuple(arguments.tickers),
            parts=tuple(arguments.parts),
            start=arguments.start,
            end=arguments.end,
            interval=arguments.interval,
            as_of=earlier(arguments.as_of, context.as_of),
        )
        return await get_market_data(request, prices, statements, directory)

    return Tool(
        name="get_market_data",
        description=(
            "Closing prices with their dates, market capitalisation with its share count, multiples of trailing twelve"
            " months (P/E, P/S, EV multiples), and price history."
        ),
        arguments=GetMarketDataArguments,
        run=run,
        concurrent=True,
        clearable=True,
    )
