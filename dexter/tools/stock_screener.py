"""`stock_screener`: companies by criteria."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pydantic import BaseModel, Field

from dexter.data.provider import Comparison, ScreenProvider
from dexter.data.screening.industries import sector_names
from dexter.data.screening.screen import MOST_CRITERIA, MOST_MATCHES, Asked, stock_screener
from dexter.results import ToolResult
from dexter.tools.get_financials import earlier
from dexter.tools.tool import Tool, ToolContext


class ScreenCriterion(BaseModel):
    """One condition."""

    metric: str = Field(description="A line or ratio, e.g. Revenues, GrossMargin, RevenueGrowth.", min_length=1)
    op: Comparison = Field(description="gt, gte, lt, lte or eq.")
    value: float = Field(description="In whole US dollars; margins and growth as decimals: 0.2 is 20%.")


class StockScreenerArguments(BaseModel):
    """Which companies."""

    criteria: list[ScreenCriterion] = Field(
        description="All must be met; the first decides the order.", min_length=1, max_length=MOST_CRITERIA
    )
    sector: str = Field(
        default="", description=f"{', '.join(sector_names())}, or words of a SIC industry. Empty: any.", max_length=60
    )
    limit: int = Field(default=20, description="How many companies to show.", ge=1, le=MOST_MATCHES)
    year: int | None = Field(default=None, description="Fiscal year; empty: the newest.", ge=2009, le=2100)
    as_of: str = Field(default="", description="Use nothing filed after this day (YYYY-MM-DD).")


def stock_screener_tool(providers: Sequence[ScreenProvider]) -> Tool[StockScreenerArguments]:
    """The tool over these providers, asked in order."""

    async def run(arguments: StockScreenerArguments, context: ToolContext) -> ToolResult:
        context.progress("looking at the figures of all companies")
        return await stock_screener(
            [Asked(each.metric, each.op, Decimal(str(each.value))) for each in arguments.criteria],
            providers,
            sector=arguments.sector,
            limit=arguments.limit,
            year=arguments.year,
            as_of=earlier(arguments.as_of, context.as_of),
        )

    return Tool(
        name="stock_screener",
        description=(
            "Companies that meet criteria on lines of the statements, margins, returns, growth or multiples; says over"
            " which companies and as of when it looked, and how many could not be judged."
        ),
        arguments=StockScreenerArguments,
        run=run,
        concurrent=True,
        clearable=True,
    )
