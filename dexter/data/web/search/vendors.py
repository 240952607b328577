"""The table of search vendors: how each is asked, and where its answer keeps what."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from dexter.data.web.search.hits import read_hits
from dexter.data.web.search.query import Hit, SearchQuery

_SNIPPET_CHARS = 600
_MOST = 20  # results; no vendor of the table gives more in one answer
_Request = Mapping[str, Any]


@dataclass(frozen=True)
class Vendor:
    """One row.

    Attributes:
        name: as in the settings, and of its key.
        path: below the vendor's address.
        request: the parameters of a query; those that are None or empty are not sent.
        results: where the list of results is, as a path of keys.
        title, url, snippet, published: the names of a result's fields; of several the first that is filled.
        key_header: the header with the key, '' where there is no key.
        key_prefix: what stands before the key in it.
        posts: whether the parameters are sent as JSON instead of in the URL.
        remedies: what to do, by kind of error, where that is special.
    """

    name: str
    path: str
    request: Callable[[SearchQuery], _Request]
    results: tuple[str, ...]
    snippet: tuple[str, ...]
    published: tuple[str, ...]
    title: str = "title"
    url: str = "url"
    key_header: str = ""
    key_prefix: str = ""
    posts: bool = True
    remedies: Mapping[str, str] | None = None

    def read(self, answer: Any) -> Iterator[Hit]:
        """The results in an answer.

        Raises:
            ShapeError: it is no answer of this vendor.
        """
        return read_hits(
            answer, self.results, title=self.title, url=self.url, snippet=self.snippet, published=self.published
        )


def _exa(query: SearchQuery) -> _Request:
    return {
        "query": query.words,
        "numResults": _count(query),
        "type": "auto",
        "contents": {"text": {"maxCharacters": _SNIPPET_CHARS}},
        "includeDomains": list(query.domains),
        "excludeDomains": _only_excluded(query),
        "startPublishedDate": _moment(query.start, "00:00:00.000"),
        "endPublishedDate": _moment(query.end, "23:59:59.999"),
    }


def _tavily(query: SearchQuery) -> _Request:
    return {
        "query": query.words,
        "search_depth": "basic",
        "max_results": _count(query),
        "include_domains": list(query.domains),
        "exclude_domains": list(query.excluded),
        "start_date": _iso(query.start),
        "end_date": _iso(query.end),
    }


def _brave(query: SearchQuery) -> _Request:
    dated = query.start or query.end
    span = f"{_iso(query.start) or '1990-01-01'}to{_iso(query.end) or '2999-12-31'}" if dated else ""
    return {"q": query.with_sites, "count": _count(query), "freshness": span, "text_decorations": "false"}


def _perplexity(query: SearchQuery) -> _Request:
    # Its limits name the days around the span.
    return {
        "query": query.words,
        "max_results": _count(query),
        "max_tokens_per_page": 256,
        "search_domain_filter": [*query.domains, *(f"-{domain}" for domain in _only_excluded(query))],
        "search_after_date_filter": _american(query.start, -1),
        "search_before_date_filter": _american(query.end, 1),
    }


def _searxng(query: SearchQuery) -> _Request:
    return {"q": query.with_sites, "format": "json"}


VENDORS: Mapping[str, Vendor] = {
    vendor.name: vendor
    for vendor in (
        Vendor(
            "exa", "/search", _exa, ("results",), ("highlights", "text"), ("publishedDate",), key_header="x-api-key"
        ),
        Vendor(
            "tavily",
            "/search",
            _tavily,
            ("results",),
            ("content",),
            ("published_date",),
            key_header="Authorization",
            key_prefix="Bearer ",
        ),
        Vendor(
            "brave",
            "/res/v1/web/search",
            _brave,
            ("web", "results"),
            ("description", "extra_snippets"),
            ("page_age", "age"),
            key_header="X-Subscription-Token",
            posts=False,
        ),
        Vendor(
            "perplexity",
            "/search",
            _perplexity,
            ("results",),
            ("snippet",),
            ("date", "last_updated"),
            key_header="Authorization",
            key_prefix="Bearer ",
        ),
        Vendor(
            "searxng",
            "/search",
            _searxng,
            ("results",),
            ("content",),
            ("publishedDate",),
            posts=False,
            remedies={"auth": "Let it answer in JSON: add `json` to search.formats in its settings.yml."},
        ),
    )
}


def _only_excluded(query: SearchQuery) -> list[str]:
    """Domains to leave out, for vendors that take either kind of list: within named domains the answer is checked."""
    return [] if query.domains else list(query.excluded)


def _count(query: SearchQuery) -> int:
    return min(query.limit, _MOST)


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def _moment(day: date | None, time: str) -> str:
    return f"{day.isoformat()}T{time}Z" if day else ""


def _american(day: date | None, shift: int) -> str:
    if not day or day in (date.min, date.max):  # no limit at all, and no day before or after it
        return ""
    return (day + timedelta(days=shift)).strftime("%m/%d/%Y")
