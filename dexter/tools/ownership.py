"""`get_insider_trades` and `get_holdings`: who inside bought and sold, and what managers of others' money hold."""

from __future__ import annotations

from pydantic import BaseModel, Field

from dexter.data.filings.archive import FilingArchive
from dexter.data.filings.insiders import InsiderRequest, insider_trades
from dexter.data.filings.managers import holdings
from dexter.data.provider import CompanyDirectory
from dexter.results import ToolResult
from dexter.tools.companies import company_meant
from dexter.tools.tool import Tool, ToolContext


class InsiderTradesArguments(BaseModel):
    """Whose insiders, and when."""

    ticker: str = Field(description="Ticker or name of one company.", min_length=1)
    start: str = Field(default="", description="Filed on or after (YYYY-MM-DD).")
    end: str = Field(default="", description="Filed on or before (YYYY-MM-DD).")
    reports: int = Field(default=20, description="How many of the newest reports.", ge=1, le=100)
    trades_only: bool = Field(default=False, description="Leave out grants, gifts and shares withheld for tax.")


class HoldingsArguments(BaseModel):
    """Whose portfolio, and of which quarter."""

    manager: str = Field(description="The manager that files, e.g. Berkshire Hathaway.", min_length=1)
    period: str = Field(default="", description="End of a quarter (YYYY-MM-DD); empty: the newest.")
    limit: int = Field(default=50, description="How many positions.", ge=1, le=500)


def insider_trades_tool(archive: FilingArchive, directory: CompanyDirectory) -> Tool[InsiderTradesArguments]:
    """Forms 3, 4 and 5."""

    async def run(arguments: InsiderTradesArguments, context: ToolContext) -> ToolResult:
        request = InsiderRequest(
            company_meant(arguments.ticker, directory),
            arguments.start,
            arguments.end,
            arguments.reports,
            trades_only=arguments.trades_only,
            as_of=context.as_of,
        )
        return await insider_trades(archive, request)

    return Tool(
        name="get_insider_trades",
        description="What a company's insiders bought, sold and were given (Forms 3, 4, 5), line by line with sums.",
        arguments=InsiderTradesArguments,
        run=run,
        concurrent=True,
        clearable=True,
    )


def holdings_tool(archive: FilingArchive, directory: CompanyDirectory) -> Tool[HoldingsArguments]:
    """Form 13F."""

    async def run(arguments: HoldingsArguments, context: ToolContext) -> ToolResult:
        manager = company_meant(arguments.manager, directory)
        return await holdings(archive, manager, period=arguments.period, limit=arguments.limit, as_of=context.as_of)

    return Tool(
        name="get_holdings",
        description="The largest positions an investment manager reports (13F), with their share of the whole.",
        arguments=HoldingsArguments,
        run=run,
        concurrent=True,
        clearable=True,
    )
