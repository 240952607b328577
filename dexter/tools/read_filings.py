"""`read_filings`: a company's filings as a list, as items and exhibits in pages, or as passages that match a query."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from pydantic import BaseModel, Field

from dexter.data.filings.archive import FilingArchive
from dexter.data.filings.query import read_filings
from dexter.data.filings.request import FilingsRequest
from dexter.data.provider import CompanyDirectory
from dexter.results import ToolResult
from dexter.tools.companies import company_meant
from dexter.tools.get_financials import earlier
from dexter.tools.tool import Tool, ToolContext

FILERS: Final = ("filings at sec.gov",)
"""Whoever files with the SEC writes what stands there."""


class ReadFilingsArguments(BaseModel):
    """Which filing, and which part of it."""

    ticker: str = Field(description="Ticker or name of one company.", min_length=1)
    mode: Literal["list", "items", "passages"] = Field(
        default="list",
        description="list filings; items of one filing (without `items`: which it has); passages that match `query`.",
    )
    forms: list[str] = Field(default_factory=list, description="E.g. 10-K, 10-Q, 8-K, 20-F, DEF 14A. Empty: all.")
    period: str = Field(default="", description="FY2025, Q2 2025, or a period end (YYYY-MM-DD).")
    start: str = Field(default="", description="Filed on or after (YYYY-MM-DD).")
    end: str = Field(default="", description="Filed on or before (YYYY-MM-DD).")
    accession: str = Field(default="", description="One filing by its accession number.")
    items: list[str] = Field(default_factory=list, description="E.g. 1A, 7, Part II Item 1A, 2.02.")
    exhibit: str = Field(default="", description="E.g. 99.1, the press release of an 8-K.")
    query: str = Field(default="", description="Words to look for, with mode passages.")
    offset: int = Field(default=0, description="First character of a long section.", ge=0)
    limit: int = Field(default=20_000, description="Characters of a section to read.", ge=1)
    filings: int = Field(default=20, description="How many filings to list.", ge=1, le=200)


def read_filings_tool(archive: FilingArchive, directory: CompanyDirectory, cap: int) -> Tool[ReadFilingsArguments]:
    """The tool; pages are at most `cap` characters, so that they are never persisted again."""

    async def run(arguments: ReadFilingsArguments, context: ToolContext) -> ToolResult:
        given = arguments.model_dump(exclude={"ticker", "forms", "items", "limit"})
        request = FilingsRequest(
            company=company_meant(arguments.ticker, directory),
            forms=tuple(arguments.forms),
            items=tuple(arguments.items),
            limit=min(arguments.limit, cap),
            as_of=earlier("", context.as_of),
            **given,
        )
        return replace(await read_filings(archive, request), untrusted=FILERS)

    return Tool(
        name="read_filings",
        description=(
            "SEC filings of one company: list them, read items (risk factors, MD&A, 8-K items) and exhibits as text"
            " with tables, or find passages. Long sections come in pages."
        ),
        arguments=ReadFilingsArguments,
        run=run,
        concurrent=True,
        clearable=True,
        query="query",
    )
