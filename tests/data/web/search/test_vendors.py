from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from dexter.data.response import Limits
from dexter.data.web.search.provider import DdgsSearch, VendorSearch, vendor_client
from dexter.data.web.search.query import Hit, Hits, SearchQuery
from dexter.data.web.search.vendors import VENDORS
from dexter.errors import ProviderError

KEY = "k-0123456789"
QUICK = Limits(max_bytes=100_000, read_timeout=0.3, total_timeout=0.6, attempts=2, first_wait=0.01, max_wait=0.1)
QUERY = SearchQuery(
    "nvidia supply",
    limit=5,
    start=date(2025, 1, 1),
    end=date(2025, 12, 31),
    domains=("reuters.com", "sec.gov"),
    excluded=("x.com",),
)
A = "https://www.reuters.com/a"
B = "https://www.sec.gov/b"
# Each vendor's answer in its own shape: two results, the first with a day and markup, the second with neither.
ANSWERS: Mapping[str, Any] = {
    "exa": {
        "requestId": "r",
        "results": [
            {
                "id": A,
                "url": A,
                "title": "A &amp; <b>a</b>",
                "publishedDate": "2025-03-02T10:00:00.000Z",
                "text": "one\n two",
            },
            {"id": B, "url": B, "title": None, "author": "", "text": "three"},
        ],
    },
    "tavily": {
        "query": "q",
        "response_time": 1.2,
        "results": [
            {
                "title": "A & a",
                "url": A,
                "content": "one two",
                "score": 0.9,
                "published_date": "Sun, 02 Mar 2025 10:00:00 GMT",
            },
            {"title": "", "url": B, "content": "three", "score": 0.1, "raw_content": None},
        ],
    },
    "brave": {
        "type": "search",
        "web": {
            "results": [
                {"title": "A & a", "url": A, "description": "<strong>one</strong> two", "age": "March 2, 2025"},
                {"title": "", "url": B, "description": "", "extra_snippets": ["three"], "age": "3 days ago"},
            ]
        },
    },
    "perplexity": {
        "id": "s",
        "results": [
            {"title": "A & a", "url": A, "snippet": "one two", "date": "2025-03-02", "last_updated": "2025-04-01"},
            {"title": "", "url": B, "snippet": "three", "date": None, "last_updated": None},
        ],
    },
    "searxng": {
        "query": "q",
        "answers": [],
        "results": [
            {"url": A, "title": "A & a", "content": "one two", "engine": "e", "publishedDate": "2025-03-02T00:00:00"},
            {"url": B, "title": "", "content": "three", "engines": ["e"]},
        ],
    },
}
SENT = {
    "exa": {
        "query": "nvidia supply",
        "numResults": 5,
        "includeDomains": ["reuters.com", "sec.gov"],
        "startPublishedDate": "2025-01-01T00:00:00.000Z",
        "endPublishedDate": "2025-12-31T23:59:59.999Z",
    },
    "tavily": {
        "query": "nvidia supply",
        "max_results": 5,
        "include_domains": ["reuters.com", "sec.gov"],
        "exclude_domains": ["x.com"],
        "start_date": "2025-01-01",
        "end_date": "2025-12-31",
    },
    "brave": {
        "q": "nvidia supply (site:reuters.com OR site:sec.gov) -site:x.com",
        "count": "5",
        "freshness": "2025-01-01to2025-12-31",
    },
    "perplexity": {
        "query": "nvidia supply",
        "max_results": 5,
        "search_domain_filter": ["reuters.com", "sec.gov"],
        "search_after_date_filter": "12/31/2024",
        "search_before_date_filter": "01/01/2026",
    },
    "searxng": {"q": "nvidia supply (site:reuters.com OR site:sec.gov) -site:x.com", "format": "json"},
}
KEYED = {
    "exa": ("x-api-key", KEY),
    "tavily": ("Authorization", f"Bearer {KEY}"),
    "brave": ("X-Subscription-Token", KEY),
    "perplexity": ("Authorization", f"Bearer {KEY}"),
}
EVERY_VENDOR = pytest.mark.parametrize("name", sorted(VENDORS))


def search(server: HTTPServer, name: str, query: SearchQuery = QUERY) -> Hits:
    """What a vendor of the table finds at a server that stands in for it."""

    async def run() -> Hits:
        client = vendor_client(VENDORS[name], KEY, QUICK)
        try:
            return await VendorSearch(VENDORS[name], client, server.url_for("/")).search(query)
        finally:
            await client.aclose()

    return asyncio.run(run())


def failure(server: HTTPServer, name: str, query: SearchQuery = QUERY) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        search(server, name, query)
    assert caught.value.provider == name
    assert caught.value.remedy
    assert KEY not in str(caught.value) + caught.value.remedy
    return caught.value


def serve(server: HTTPServer, name: str, body: Any, **options: Any) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    server.expect_request(VENDORS[name].path).respond_with_data(text, content_type="application/json", **options)


@EVERY_VENDOR
def test_results_are_read_from_the_vendors_own_shape(httpserver: HTTPServer, name: str) -> None:
    """Title, address, day and snippet of each, without markup; what is missing is empty."""
    serve(httpserver, name, ANSWERS[name])
    found = search(httpserver, name)
    assert list(found.hits) == [Hit("A & a", A, "2025-03-02", "one two"), Hit("", B, "", "three")]


@EVERY_VENDOR
def test_the_query_is_sent_as_the_vendor_wants_it(httpserver: HTTPServer, name: str) -> None:
    """Limits of dates and domains, how many, and the key in its header and nowhere else."""
    serve(httpserver, name, ANSWERS[name])
    search(httpserver, name)
    request, _ = httpserver.log[0]
    sent = request.get_json() if VENDORS[name].posts else dict(request.args)
    assert {key: sent[key] for key in SENT[name]} == SENT[name]
    header, value = KEYED.get(name, ("x-api-key", None))
    assert request.headers.get(header) == value
    assert KEY not in request.url + request.get_data(as_text=True)


@EVERY_VENDOR
def test_limits_that_are_not_asked_for_are_not_sent(httpserver: HTTPServer, name: str) -> None:
    """No empty lists and days: some vendors refuse them."""
    serve(httpserver, name, ANSWERS[name])
    search(httpserver, name, SearchQuery("nvidia"))
    request, _ = httpserver.log[0]
    sent = request.get_json() if VENDORS[name].posts else dict(request.args)
    assert not {"", None} & {value for value in sent.values() if isinstance(value, str) or value is None}
    assert [] not in sent.values()
    assert not {"freshness", "start_date", "startPublishedDate", "search_domain_filter"} & set(sent)


@EVERY_VENDOR
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "other"),
        (401, "auth"),
        (402, "billing"),
        (403, "auth"),
        (429, "rate_limit"),
        (500, "unavailable"),
        (529, "unavailable"),
    ],
)
def test_a_refusal_names_vendor_kind_and_remedy(httpserver: HTTPServer, name: str, status: int, kind: str) -> None:
    """Every status becomes an error that lets the next vendor be asked, also where it repeats the key."""
    serve(httpserver, name, {"error": f"bad key {KEY}"}, status=status)
    error = failure(httpserver, name)
    assert (error.status, error.kind) == (status, kind)


@EVERY_VENDOR
@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html>busy</html>",
        '{"results": [',
        "[]",
        '{"results": {}, "web": []}',
        '{"results": 7, "web": 7}',
        '{"web": {"results": "x"}, "results": "x"}',
    ],
)
def test_an_answer_of_another_shape_is_no_result(httpserver: HTTPServer, name: str, body: str) -> None:
    """Pages of proxies, cut answers and changed interfaces are told as such."""
    serve(httpserver, name, body)
    assert failure(httpserver, name).kind == "bad_data"


@EVERY_VENDOR
@pytest.mark.parametrize("records", [[], [None, 7, "x", []], [{"title": "t"}], [{"url": "javascript:x", "title": "t"}]])
def test_nothing_usable_is_nothing_found(httpserver: HTTPServer, name: str, records: list[Any]) -> None:
    """Entries that are no results are left out, and an empty list says so."""
    serve(httpserver, name, {"results": records, "web": {"results": records}})
    error = failure(httpserver, name)
    assert (error.kind, "found nothing" in error.message) == ("not_found", True)


@EVERY_VENDOR
def test_a_vendor_that_hangs_is_given_up(httpserver: HTTPServer, name: str) -> None:
    """In bounded time, so that the next one can be asked."""

    def hang(_request: Request) -> Response:
        time.sleep(0.5)
        return Response("{}")

    httpserver.expect_request(VENDORS[name].path).respond_with_handler(hang)
    assert failure(httpserver, name).kind == "timeout"


@EVERY_VENDOR
def test_a_redirect_does_not_take_the_key_elsewhere(httpserver: HTTPServer, name: str) -> None:
    """A vendor that moved is an error with the new address, not a request with the key to it."""
    httpserver.expect_request(VENDORS[name].path).respond_with_data("", 302, headers={"location": "/elsewhere"})
    httpserver.expect_request("/elsewhere").respond_with_data("{}")
    assert "/elsewhere" in failure(httpserver, name).remedy
    assert all(request.path != "/elsewhere" for request, _ in httpserver.log)


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("exa", "excludeDomains", ["x.com"]),
        ("tavily", "exclude_domains", ["x.com"]),
        ("brave", "q", "nvidia -site:x.com"),
        ("perplexity", "search_domain_filter", ["-x.com"]),
        ("searxng", "q", "nvidia -site:x.com"),
    ],
)
def test_domains_are_left_out_as_the_vendor_wants_it(httpserver: HTTPServer, name: str, field: str, value: Any) -> None:
    """Two vendors take either kind of list and not both: there, both together are checked on the answer."""
    serve(httpserver, name, ANSWERS[name])
    search(httpserver, name, SearchQuery("nvidia", excluded=("x.com",)))
    request, _ = httpserver.log[0]
    assert (request.get_json() if VENDORS[name].posts else dict(request.args))[field] == value


def test_searxng_without_json_says_how_to_switch_it_on(httpserver: HTTPServer) -> None:
    """Its 403 is no matter of keys."""
    serve(httpserver, "searxng", "", status=403)
    assert "settings.yml" in failure(httpserver, "searxng").remedy


def test_results_outside_the_limits_are_left_out_and_counted(httpserver: HTTPServer) -> None:
    """Vendors that ignore dates or domains cannot smuggle in what was excluded; each address comes once."""
    records = [
        {"url": "https://reuters.com/1", "title": "in", "publishedDate": "2025-06-01"},
        {"url": "https://reuters.com/1", "title": "twice", "publishedDate": "2025-06-01"},
        {"url": "https://reuters.com/2", "title": "late", "publishedDate": "2026-01-01"},
        {"url": "https://reuters.com.evil.example/3", "title": "other host"},
        {"url": "https://x.com/4", "title": "excluded"},
    ]
    serve(httpserver, "exa", {"results": records})
    found = search(httpserver, "exa")
    assert [hit.title for hit in found.hits] == ["in"]
    assert found.left_out == 3


def test_as_of_a_day_what_has_no_date_is_left_out(httpserver: HTTPServer) -> None:
    """Nobody can say that it was there by then."""
    serve(httpserver, "exa", ANSWERS["exa"])
    found = search(httpserver, "exa", SearchQuery("nvidia", end=date(2025, 12, 31), dated_only=True))
    assert [hit.url for hit in found.hits] == [A]


def ddgs(answer: Any) -> Hits:
    def ask(words: str, **options: Any) -> Any:
        assert words.startswith("nvidia")
        assert options == {"max_results": 5}
        if isinstance(answer, Exception):
            raise answer
        return answer

    return asyncio.run(DdgsSearch(ask).search(QUERY))


def test_the_keyless_library_is_read_like_a_vendor() -> None:
    """Its own names of fields, the same result."""
    found = ddgs(
        [{"title": "A & a", "href": A, "body": "one two"}, {"title": "x", "href": "https://x.com/", "body": ""}]
    )
    assert list(found.hits) == [Hit("A & a", A, "", "one two")]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (RuntimeError("No results found."), "not_found"),
        (RuntimeError("202 Ratelimit"), "unavailable"),
        (OSError(), "unavailable"),
        ([], "not_found"),
        (None, "not_found"),
        ("x", "bad_data"),
    ],
)
def test_whatever_the_library_raises_lets_the_next_be_asked(answer: Any, kind: str) -> None:
    """Its errors have no common kind."""
    with pytest.raises(ProviderError) as caught:
        ddgs(answer)
    assert caught.value.kind == kind
