"""`web_fetch`: one page of the web as readable text, in pages or as passages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import BaseModel, Field

from dexter.approval import Proposal
from dexter.config.limits import Limits
from dexter.data.filings.pages import Page, cut_page
from dexter.data.web.document import Document, UnreadableError
from dexter.data.web.excerpts import find_excerpts
from dexter.data.web.fetching import Fetched, Fetcher
from dexter.data.web.outgoing import KnownUrls, carries_content, links_in
from dexter.data.web.reading import read_page
from dexter.errors import ToolError
from dexter.results import Source, ToolResult
from dexter.tools.tool import Tool, ToolContext

_HEAD_CHARS = 3_000  # what title, address and notes take at most
_LEAST_PAGE = 500
_KEPT_PAGES = 4


class WebFetchArguments(BaseModel):
    """Which page, and which part of it."""

    url: str = Field(description="Address of a page, PDF or data file, with http:// or https://.", min_length=1)
    query: str = Field(default="", description="Give only the passages that fit these words.")
    offset: int = Field(default=0, description="First character to read.", ge=0)
    limit: int = Field(default=0, description="Characters to read; 0 means one page.", ge=0)


@dataclass(frozen=True)
class _Read:
    """A page that was fetched and read."""

    fetched: Fetched
    document: Document


@dataclass
class _Shelf:
    """The last pages: going on in one does not fetch it again."""

    pages: dict[str, _Read] = field(default_factory=dict)

    def put(self, url: str, read: _Read) -> None:
        self.pages[url] = read
        for old in list(self.pages)[:-_KEPT_PAGES]:
            del self.pages[old]


def web_fetch_tool(fetcher: Fetcher, known: KnownUrls, limits: Limits, cap: int) -> Tool[WebFetchArguments]:
    """The tool; a result has at most `cap` characters. URLs that are not `known` and carry content are asked first."""
    shelf = _Shelf()

    async def propose(arguments: WebFetchArguments, context: ToolContext) -> Proposal | None:
        url = fetcher.locate(arguments.url).url
        said = context.caller.said() if context.caller else ()
        if url in known or any(arguments.url.strip() in text for text in said):
            return None
        carried = carries_content(url, said)
        return (
            Proposal("send a request to", url, detail=f"The address may carry text out: {carried}.")
            if carried
            else None
        )

    async def run(arguments: WebFetchArguments, context: ToolContext) -> ToolResult:
        if context.as_of:
            raise ToolError(
                "pages are as they are today, and this run answers as of an earlier day.",
                remedy="Use filings and figures, or web_search, which keeps to that day.",
            )
        url = fetcher.locate(arguments.url).url
        read = shelf.pages.get(url) if arguments.offset or arguments.query else None
        if read is None:
            read = await _fetch(fetcher, url)
            shelf.put(url, read)
            known.add((read.fetched.response.url, *links_in(read.document.text)))
        limit = max(min(arguments.limit or limits.page_chars, cap - _HEAD_CHARS), _LEAST_PAGE)
        return (
            _passages(read, arguments.query, limit) if arguments.query.strip() else _page(read, arguments.offset, limit)
        )

    return Tool(
        name="web_fetch",
        description=(
            "Read a web page as Markdown with tables and links, a PDF page by page, or a data file (JSON, CSV) as is."
            " Long ones come in pages; with a query only the passages that fit."
        ),
        arguments=WebFetchArguments,
        run=run,
        propose=propose,
        concurrent=True,
        clearable=True,
        query="query",
    )


async def _fetch(fetcher: Fetcher, url: str) -> _Read:
    fetched = await fetcher.fetch(url)
    try:
        document = await read_page(fetched)
    except UnreadableError as error:
        raise ToolError(f"{url} can't be read: {error}.", remedy="Look for the same text elsewhere.") from error
    if not document.text.strip():
        raise ToolError(f"{url} holds no text.", remedy="Look for the same text elsewhere.")
    return _Read(fetched, document)


def _page(read: _Read, offset: int, limit: int) -> ToolResult:
    text = read.document.text
    if offset and offset >= len(text):
        raise ToolError(f"offset {offset:,} is beyond the end: the page has {len(text):,} characters.")
    page = cut_page(text, offset, limit)
    return _result(read, "\n\n".join(filter(None, (page.where, page.text))), page)


def _passages(read: _Read, query: str, limit: int) -> ToolResult:
    text = read.document.text
    found = find_excerpts(text, query)
    if not found:
        raise ToolError(
            f"nothing on {read.fetched.response.url} holds a word of {query!r}.",
            remedy=f"Use other words, or read the page: it has {len(text):,} characters.",
        )
    shown = (
        f"[{f'page {excerpt.item}, ' if excerpt.item else ''}offset {excerpt.offset} of {len(text)}]\n{excerpt.text}"
        for excerpt in found
    )
    return _result(read, "\n\n".join(shown)[:limit])


def _result(read: _Read, shown: str, page: Page | None = None) -> ToolResult:
    response, document = read.fetched.response, read.document
    title = document.title or urlsplit(response.url).path.rpartition("/")[2] or response.url
    data = {"url": response.url, "characters": len(document.text), "media_type": response.media_type}
    if page is not None:
        data |= {"offset": page.start, "end": page.end}
    head = "\n".join(_head(read, title))[:_HEAD_CHARS]
    source = Source("web", title, url=response.url, as_of=document.published, retrieved_at=response.retrieved_at)
    is_part = read.fetched.cut or any("Only pages" in note for note in document.notes)
    return ToolResult(
        f"{head}\n\n{shown}",
        "partial" if is_part else "ok",
        data=data,
        sources=(source,),
        notes=document.notes,
        untrusted=(urlsplit(response.url).hostname or response.url,),
    )


def _head(read: _Read, title: str) -> Iterator[str]:
    response = read.fetched.response
    yield f"# {title}"
    dated = f" · dated {read.document.published}" if read.document.published else ""
    yield f"{response.url}{dated} · retrieved {response.retrieved_at}"
    if read.fetched.hops:
        yield f"(sent on from {read.fetched.hops[0]})"
    yield from (f"[{note}]" for note in read.document.notes)
