from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.approval import Proposal
from dexter.config.limits import Limits
from dexter.data.web.fetching import Fetcher, FetchLimits
from dexter.data.web.outgoing import KnownUrls
from dexter.data.web.refusal import RefusedUrlError
from dexter.errors import ToolError
from dexter.results import ToolResult
from dexter.tools.tool import Tool, ToolContext, proposal_of
from dexter.tools.web_fetch import WebFetchArguments, web_fetch_tool
from tests.support.pdf import make_pdf

MORE = "/more?id=0123456789abcdef0123456789abcdef"
PAGE = f"<title>Results</title><h1>Q3</h1><p>Revenue was $35.1 billion. <a href='{MORE}'>More</a>"
ENCODED = "/x?d=TXkgY2xpZW50IEphbmUgUm9lIHdhbnRz"


class NoResults:
    def read(self, result: int) -> Any:
        raise KeyError(result)


@dataclass
class Talk:
    """A run, as far as this tool asks it."""

    texts: tuple[str, ...] = ()
    name: str = "run"

    def said(self) -> Sequence[str]:
        return self.texts

    def spend(self, usage: object, cost: Decimal | None, /) -> None: ...

    def left_usd(self) -> Decimal | None:
        return None

    def tell_subagent(self, run: str, status: str, *, call: str) -> None: ...


def tool_for(server: HTTPServer, **limits: Any) -> Tool[WebFetchArguments]:
    """The tool, allowed to fetch from the test's server."""
    fetcher = Fetcher({f"localhost:{server.port}"}, limits=FetchLimits(**{"timeout_s": 5.0, **limits}))
    return web_fetch_tool(fetcher, KnownUrls(fetcher.locate), Limits(), 50_000)


def run(tool: Tool[WebFetchArguments], url: str, as_of: str = "", **arguments: Any) -> ToolResult:
    given = WebFetchArguments.model_validate({"url": url, **arguments})
    return asyncio.run(tool.run(given, ToolContext(NoResults(), as_of=as_of)))


def proposed(tool: Tool[WebFetchArguments], url: str, *said: str) -> Proposal | None:
    context = ToolContext(NoResults(), caller=Talk(said))
    return asyncio.run(proposal_of(tool, WebFetchArguments(url=url), context))


def test_a_page_comes_as_text_with_its_source(httpserver: HTTPServer) -> None:
    """Title, address, when, and the text; marked as written by its host."""
    httpserver.expect_request("/q3").respond_with_data(PAGE, content_type="text/html")
    url = httpserver.url_for("/q3")
    result = run(tool_for(httpserver), url)
    lines = result.text.splitlines()
    assert lines[0] == "# Results"
    assert lines[1].startswith(f"{url} · retrieved 20")
    assert "Revenue was $35.1 billion. [More](http://localhost" in result.text
    (source,) = result.sources
    assert (source.kind, source.title, source.url, bool(source.retrieved_at)) == ("web", "Results", url, True)
    assert result.untrusted == ("localhost",)


def test_a_long_page_comes_in_pages_and_is_fetched_once(httpserver: HTTPServer) -> None:
    """The pages put together are the text; going on asks the server nothing."""
    text = "\n".join(f"line {i}" for i in range(9_000))
    httpserver.expect_request("/long").respond_with_data(text, content_type="text/plain")
    tool, url = tool_for(httpserver), httpserver.url_for("/long")
    parts, offset = [], 0
    while offset < len(text):
        result = run(tool, url, offset=offset)
        parts.append(result.text.split("]\n\n", 1)[1])
        offset = int(result.data["end"])
    assert "".join(parts) == text
    assert len(parts) > 2
    assert len(httpserver.log) == 1


def test_an_offset_beyond_the_end_is_said(httpserver: HTTPServer) -> None:
    """With how long the page is."""
    httpserver.expect_request("/s").respond_with_data("short", content_type="text/plain")
    with pytest.raises(ToolError, match="5 characters"):
        run(tool_for(httpserver), httpserver.url_for("/s"), offset=10)


def test_with_a_query_only_the_passages_that_fit_come(httpserver: HTTPServer) -> None:
    """Of a PDF with their page; words that are nowhere are said."""
    pages = [[f"Filler line {i} of page {n}" for i in range(40)] for n in range(5)]
    pages[3][7] = "Inventories rose sharply"
    httpserver.expect_request("/r.pdf").respond_with_data(make_pdf(*pages), content_type="application/pdf")
    tool, url = tool_for(httpserver), httpserver.url_for("/r.pdf")
    found = run(tool, url, query="inventories").text
    assert "[page 4, offset" in found
    assert "Inventories rose sharply" in found
    with pytest.raises(ToolError, match="zymurgy"):
        run(tool, url, query="zymurgy")


@pytest.mark.parametrize(
    ("body", "content_type", "said"),
    [(b"\x89PNG\0", "image/png", "image/png"), (b"", "text/html", "no text"), (b"%PDF-", "application/pdf", "broken")],
)
def test_what_can_not_be_read_is_an_error_that_says_why(
    httpserver: HTTPServer, body: bytes, content_type: str, said: str
) -> None:
    """Pictures, empty pages, broken files."""
    httpserver.expect_request("/x").respond_with_data(body, content_type=content_type)
    with pytest.raises(ToolError, match=said):
        run(tool_for(httpserver), httpserver.url_for("/x"))


def test_a_page_that_was_cut_is_partial(httpserver: HTTPServer) -> None:
    """What is missing is said, in words and by the status."""
    httpserver.expect_request("/big").respond_with_data("x" * 3_000, content_type="text/plain")
    result = run(tool_for(httpserver, max_bytes=1_000), httpserver.url_for("/big"))
    assert result.status == "partial"
    assert "only its start was read" in result.text


def test_as_of_an_earlier_day_no_page_is_read(httpserver: HTTPServer) -> None:
    """A page of today would tell what was not known then."""
    with pytest.raises(ToolError, match="as of an earlier day"):
        run(tool_for(httpserver), httpserver.url_for("/"), as_of="2024-01-01")
    assert not httpserver.log


def test_a_url_that_carries_text_out_is_asked_first(httpserver: HTTPServer) -> None:
    """The whole address and the reason are shown; nothing is sent before the answer."""
    url = httpserver.url_for(ENCODED)
    proposal = proposed(tool_for(httpserver), url)
    assert proposal is not None
    assert (proposal.action, proposal.target) == ("send a request to", url)
    assert "encoded" in proposal.detail
    assert not httpserver.log


def test_a_url_that_names_a_page_is_not_asked_about(httpserver: HTTPServer) -> None:
    """Reading goes on undisturbed."""
    assert proposed(tool_for(httpserver), httpserver.url_for("/q3-results.html")) is None


def test_words_of_the_user_in_a_url_are_asked_first(httpserver: HTTPServer) -> None:
    """Plain words betray as well as encoded ones."""
    said = "we plan to buy Acme next Tuesday for cash"
    assert proposed(tool_for(httpserver), httpserver.url_for("/we/plan/to/buy/acme/next/tuesday"), said)


def test_a_url_that_the_user_gave_or_that_was_found_is_not_asked_about(httpserver: HTTPServer) -> None:
    """Whoever wrote it knows what it says: the user, a page's author, a search engine."""
    url = httpserver.url_for(ENCODED)
    assert proposed(tool_for(httpserver), url, f"Read {url} please") is None
    httpserver.expect_request("/q3").respond_with_data(PAGE, content_type="text/html")
    tool = tool_for(httpserver)
    link = httpserver.url_for(MORE)
    assert proposed(tool, link) is not None
    run(tool, httpserver.url_for("/q3"))
    assert proposed(tool, link) is None


def test_what_must_not_be_fetched_is_refused_before_anyone_is_asked(httpserver: HTTPServer) -> None:
    """Nobody can allow by mistake what is never done."""
    with pytest.raises(RefusedUrlError):
        proposed(tool_for(httpserver), f"http://127.0.0.2:{httpserver.port}{ENCODED}")
