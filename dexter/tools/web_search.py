"""`web_search`: pages that fit some words, from the first search provider that answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from pydantic import BaseModel, Field

from dexter.data.chain import Asked, ask_in_order
from dexter.data.web.outgoing import KnownUrls
from dexter.data.web.search.provider import NEEDS, SearchProvider
from dexter.data.web.search.query import Hit, Hits, SearchQuery
from dexter.errors import ToolError
from dexter.results import Source, ToolResult
from dexter.tools.tool import Tool, ToolContext

_DOMAIN = re.compile(r"(?:[a-z0-9_-]+\.)+[a-z0-9-]{2,}")


class WebSearchArguments(BaseModel):
    """What to look for, and where."""

    query: str = Field(description="Words to look for.", min_length=1, max_length=400)
    start: str = Field(default="", description="Published on or after (YYYY-MM-DD).")
    end: str = Field(default="", description="Published on or before (YYYY-MM-DD).")
    domains: list[str] = Field(default_factory=list, description="Only these sites, e.g. reuters.com.", max_length=10)
    exclude_domains: list[str] = Field(default_factory=list, description="Not these sites.", max_length=10)
    limit: int = Field(default=8, description="How many results.", ge=1, le=20)


def web_search_tool(
    providers: Sequence[SearchProvider], known: KnownUrls, secret: Callable[[str], bool] = lambda _text: False
) -> Tool[WebSearchArguments]:
    """The tool; providers are asked in order. What is found is remembered as `known`; what is `secret` is not sent."""

    async def run(arguments: WebSearchArguments, context: ToolContext) -> ToolResult:
        if not providers:
            raise ToolError(
                "no search provider is set up.", remedy=f"One of these gives one: {', '.join(NEEDS.values())}."
            )
        if secret(arguments.query):
            raise ToolError("the query holds one of the user's keys and was not sent.", remedy="Leave it out.")
        query = _query(arguments, context.as_of)
        asked = await ask_in_order(providers, "search", lambda provider: provider.search(query))
        if asked.answer is None:
            raise ToolError(f"no results for {query.words!r}. {asked.reason}")
        known.add(hit.url for hit in asked.answer.hits)
        return _result(query, asked, asked.answer)

    return Tool(
        name="web_search",
        description="Search the web: title, address, date and a snippet of each result. Read a page with web_fetch.",
        arguments=WebSearchArguments,
        run=run,
        concurrent=True,
        clearable=True,
        query="query",
    )


def _query(arguments: WebSearchArguments, as_of: str) -> SearchQuery:
    start, end = _day(arguments.start, "start"), _day(arguments.end, "end")
    if as_of:
        end = min(end or date.max, date.fromisoformat(as_of))
    if start and end and start > end:
        raise ToolError(f"start {start} is after end {end}.")
    return SearchQuery(
        arguments.query.strip(),
        limit=arguments.limit,
        start=start,
        end=end,
        domains=tuple(map(_domain, arguments.domains)),
        excluded=tuple(map(_domain, arguments.exclude_domains)),
        dated_only=bool(as_of),
    )


def _day(text: str, name: str) -> date | None:
    if not text.strip():
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError as error:
        raise ToolError(f"{name} {text!r} is not a day.", remedy="Write it like 2025-01-31.") from error


def _domain(text: str) -> str:
    """A domain as it is compared, also where a whole address was given."""
    domain = re.sub(r"\A(?:https?://)?(?:www\.)?", "", text.strip().lower()).partition("/")[0]
    if not _DOMAIN.fullmatch(domain):
        raise ToolError(f"{text!r} is not a domain.", remedy="Write it like reuters.com.")
    return domain


def _result(query: SearchQuery, asked: Asked[Hits], found: Hits) -> ToolResult:
    hits, answered = found.hits, asked.tried[-1].provider
    notes = tuple(_notes(query, found))
    before = "; ".join(f"{attempt.provider}: {attempt.reason}" for attempt in asked.tried[:-1])
    head = f"Results for {query.words!r} from {answered}" + (f" (tried before: {before})" if before else "")
    lines = [head, *notes, *(_shown(number, hit) for number, hit in enumerate(hits, 1))]
    return ToolResult(
        "\n\n".join(lines),
        data={"provider": answered, "results": [vars(hit) for hit in hits]},
        sources=tuple(Source("web", hit.title or hit.url, url=hit.url, as_of=hit.published) for hit in hits),
        notes=notes,
        tried=asked.tried,
        untrusted=(f"web search by {answered}",),
    )


def _notes(query: SearchQuery, found: Hits) -> Iterator[str]:
    if found.left_out:
        yield f"{found.left_out} more were outside the limits of dates and domains."
    if (query.start or query.end) and any(not hit.published for hit in found.hits):
        yield "Results without a date may be from outside the dates asked for."


def _shown(number: int, hit: Hit) -> str:
    lines = (f"{number}. {hit.title or '(no title)'}", f"{hit.url} · {hit.published or 'no date'}", hit.snippet)
    return "\n   ".join(filter(None, lines))
