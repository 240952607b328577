"""`get_financials`: statements, ratios and growth of one to ten companies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from dexter.data.financials import MOST_PERIODS, MOST_TICKERS, FinancialsRequest, get_financials
from dexter.data.provider import CompanyDirectory, Period, StatementProvider, Vintage
from dexter.results import ToolResult
from dexter.tools.tool import Tool, ToolContext

StatementName = Literal["income", "balance", "cash_flow", "ratios", "segments"]


class GetFinancialsArguments(BaseModel):
    """Which figures of which companies."""

    tickers: list[str] = Field(
        description="Tickers or company names, 1 to 10 in one call.", min_length=1, max_length=MOST_TICKERS
    )
    statements: list[StatementName] = Field(
        default=["income"],
        description="income, balance, cash_flow, ratios (margins, returns, growth), segments (revenue by segment).",
    )
    period: Period = Field(default="annual", description="annual, quarterly, or ttm (trailing twelve months).")
    limit: int = Field(default=4, description="How many of the newest periods.", ge=1, le=MOST_PERIODS)
    concepts: list[str] = Field(
        default_factory=list,
        description="Only these lines or ratios, e.g. Revenues, OperatingIncome, GrossMargin. Empty: all.",
    )
    as_of: str = Field(default="", description="Use nothing filed after this day (YYYY-MM-DD).")
    vintage: Vintage = Field(
        default="latest", description="latest: values as restated last; first: values as first filed."
    )
    exact: bool = Field(default=False, description="Show whole values instead of millions.")


def get_financials_tool(
    providers: Sequence[StatementProvider], directory: CompanyDirectory
) -> Tool[GetFinancialsArguments]:
    """The tool over these providers, asked in order."""

    async def run(arguments: GetFinancialsArguments, context: ToolContext) -> ToolResult:
        request = FinancialsRequest(
            tickers=tuple(arguments.tickers),
            statements=tuple(arguments.statements),
            concepts=tuple(arguments.concepts),
            period=arguments.period,
            limit=arguments.limit,
            as_of=earlier(arguments.as_of, context.as_of),
            vintage=arguments.vintage,
            exact=arguments.exact,
        )
        return await get_financials(request, providers, directory)

    return Tool(
        name="get_financials",
        description=(
            "Income statement, balance sheet, cash flow and ratios as filed, by fiscal period with period ends, units"
            " and accession numbers. Ask for all companies and statements you need in one call."
        ),
        arguments=GetFinancialsArguments,
        run=run,
        concurrent=True,
        clearable=True,
    )


def earlier(day: str, cut_off: str) -> str:
    """The earlier of two ISO days; '' means no limit. A run's own cut-off can't be widened by a call."""
    return min(day, cut_off) if day and cut_off else day or cut_off
