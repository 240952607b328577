"""`search_filings` over loopback."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.filings.full_text import FullTextQuery
from dexter.data.filings.searching import search_filings
from dexter.data.sec.client import EdgarUrls
from dexter.errors import ToolError
from dexter.results import ToolResult
from tests.support.edgar_archive import ask, serve_filings

TODAY = "2026-03-20"


def hit(accession: str, filed: str) -> dict[str, Any]:
    """One hit as the service gives it."""
    source = {
        "adsh": accession,
        "ciks": ["0000000009"],
        "display_names": ["Acme Inc  (ACME)  (CIK 0000000009)"],
        "form": "10-K",
        "file_type": "EX-99.1",
        "file_date": filed,
        "period_ending": "2024-12-31",
    }
    return {"_id": f"{accession}:a.htm", "_source": source}


@pytest.fixture
def edgar(httpserver: HTTPServer) -> EdgarUrls:
    """A search that finds two documents, and a company to search within."""
    urls = serve_filings(httpserver, 9, "Acme", [])
    hits = [hit("0000000009-25-000001", "2025-03-01"), hit("0000000009-24-000001", "2024-03-01")]
    answer = {"hits": {"total": {"value": 2, "relation": "eq"}, "hits": hits}}
    httpserver.expect_request("/LATEST/search-index").respond_with_json(answer)
    return urls


def search(urls: EdgarUrls, query: FullTextQuery, **about: Any) -> ToolResult:
    """The result of a search."""
    return ask(urls, lambda archive: search_filings(archive, query, today=TODAY, **about))


def sent(httpserver: HTTPServer) -> dict[str, str]:
    """The parameters of the last search."""
    return dict(httpserver.log[-1][0].args)


def test_hits(httpserver: HTTPServer, edgar: EdgarUrls) -> None:
    """Each hit with filing date, document, company and an address; no dates asked for, none sent."""
    result = search(edgar, FullTextQuery('"export controls"', ("10-K",)))
    assert result.text.startswith('2 documents hold "export controls"; 1 to 2:')
    assert (
        "| 2025-03-01 | 10-K | EX-99.1 | Acme Inc (ACME) (CIK 0000000009) | 2024-12-31 | 0000000009-25-000001 | a.htm |"
        in (result.text)
    )
    assert result.data["hits"][0]["url"].endswith("/Archives/edgar/data/9/000000000925000001/a.htm")
    assert [source.accession for source in result.sources[1:]] == ["0000000009-25-000001", "0000000009-24-000001"]
    assert sent(httpserver) == {"q": '"export controls"', "forms": "10-K"}


BEGINNING = "Searched from 2001-01-01, where full text begins."
AS_OF = "Searched up to the as-of date 2025-01-31."


@pytest.mark.parametrize(
    ("asked", "as_of", "dates", "note"),
    [
        (("2024-01-01", "2024-12-31"), "", ("2024-01-01", "2024-12-31"), ""),
        (("2024-01-01", ""), "", ("2024-01-01", TODAY), "Searched up to 2026-03-20."),
        (("", "2024-12-31"), "", ("2001-01-01", "2024-12-31"), BEGINNING),
        (("2024-01-01", ""), "2025-01-31", ("2024-01-01", "2025-01-31"), AS_OF),
        (("2024-01-01", "2026-01-01"), "2025-01-31", ("2024-01-01", "2025-01-31"), AS_OF),
        (("", ""), "2025-01-31", ("2001-01-01", "2025-01-31"), BEGINNING),
    ],
)
def test_both_dates_or_neither(
    httpserver: HTTPServer, edgar: EdgarUrls, asked: tuple[str, str], as_of: str, *, dates: tuple[str, str], note: str
) -> None:
    """One date alone is completed and said; an as-of date ends the search."""
    result = search(edgar, FullTextQuery("anvil", start=asked[0], end=asked[1]), as_of=as_of)
    assert (sent(httpserver)["startdt"], sent(httpserver)["enddt"]) == dates
    assert sent(httpserver)["dateRange"] == "custom"
    assert note in " ".join(result.notes)


def test_nothing_after_the_as_of_date(edgar: EdgarUrls) -> None:
    """A hit that was filed later is left out even if the service gives it."""
    result = search(edgar, FullTextQuery("anvil"), as_of="2024-12-31")
    assert [found["accession"] for found in result.data["hits"]] == ["0000000009-24-000001"]


def test_within_a_company(httpserver: HTTPServer, edgar: EdgarUrls) -> None:
    """A company narrows the search by its number."""
    search(edgar, FullTextQuery("anvil"), company=Company("", "Acme", 9))
    assert sent(httpserver)["ciks"] == "0000000009"


def test_nothing_found(httpserver: HTTPServer) -> None:
    """No hit is an answer, not an error, and says what was searched."""
    urls = serve_filings(httpserver, 9, "Acme", [])
    httpserver.expect_request("/LATEST/search-index").respond_with_json({"hits": {"total": {"value": 0}, "hits": []}})
    result = search(urls, FullTextQuery("anvil", ("8-K",), start="2024-01-01", end="2024-02-01"))
    assert result.text == "No filing holds anvil in 8-K filed 2024-01-01 to 2024-02-01."
    assert result.status == "ok"


@pytest.mark.parametrize(
    "query",
    [FullTextQuery("  "), FullTextQuery("a", start="soon"), FullTextQuery("a", start="2025-01-01", end="2024-01-01")],
)
def test_what_can_not_be_searched(edgar: EdgarUrls, query: FullTextQuery) -> None:
    """No words, no date, dates the wrong way round: said, with how to do it right."""
    with pytest.raises(ToolError) as caught:
        search(edgar, query)
    assert caught.value.remedy
