"""`search_filings`: full-text search over SEC filings since 2001."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pydantic import BaseModel, Field

from dexter.data.filings.archive import FilingArchive
from dexter.data.filings.full_text import FullTextQuery
from dexter.data.filings.searching import search_filings
from dexter.data.provider import CompanyDirectory
from dexter.results import ToolResult
from dexter.tools.companies import company_meant
from dexter.tools.read_filings import FILERS
from dexter.tools.tool import Tool, ToolContext


class SearchFilingsArguments(BaseModel):
    """What to look for, and where."""

    query: str = Field(description='Words; exact phrases in double quotes: "export controls".', min_length=1)
    ticker: str = Field(default="", description="Only filings of this company.")
    forms: list[str] = Field(default_factory=list, description="E.g. 10-K, 8-K. Empty: all.")
    start: str = Field(default="", description="Filed on or after (YYYY-MM-DD).")
    end: str = Field(default="", description="Filed on or before (YYYY-MM-DD).")
    offset: int = Field(default=0, description="First hit to show.", ge=0)


def search_filings_tool(
    archive: FilingArchive, directory: CompanyDirectory, today: Callable[[], str]
) -> Tool[SearchFilingsArguments]:
    """The tool; `today` gives an ISO date."""

    async def run(arguments: SearchFilingsArguments, context: ToolContext) -> ToolResult:
        query = FullTextQuery(
            arguments.query,
            forms=tuple(arguments.forms),
            start=arguments.start,
            end=arguments.end,
            start_at=arguments.offset,
        )
        company = company_meant(arguments.ticker, directory) if arguments.ticker else None
        found = await search_filings(archive, query, company=company, as_of=context.as_of, today=today())
        return replace(found, untrusted=FILERS)

    return Tool(
        name="search_filings",
        description="Full-text search over SEC filings since 2001: which filings of whom hold these words.",
        arguments=SearchFilingsArguments,
        run=run,
        concurrent=True,
        clearable=True,
        query="query",
    )
