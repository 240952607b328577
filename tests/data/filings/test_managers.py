"""13F holdings over loopback, with the given table."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.filings.managers import holdings
from dexter.data.sec.client import EdgarUrls
from dexter.errors import ProviderError, ToolError
from dexter.results import ToolResult
from tests.support.edgar_archive import ask, index_page, serve_document, serve_filings
from tests.support.shared import shared

CIK = 1099219
MANAGER = Company("", "METLIFE INC", CIK)


def filing(number: int, filed: str, period: str, form: str = "13F-HR") -> dict[str, str]:
    """An entry of EDGAR's list."""
    accession = f"{CIK:010d}-23-{number:06d}"
    return {"accessionNumber": accession, "form": form, "filingDate": filed, "reportDate": period}


def serve(server: HTTPServer, *filings: dict[str, str], cover: bytes | None = None) -> EdgarUrls:
    """A manager whose reports all hold the given table."""
    for entry in filings:
        number = entry["accessionNumber"]
        page = index_page([("13F-HR", "primary_doc.xml"), ("INFORMATION TABLE", "table.xml")])
        serve_document(server, CIK, number, f"{number}-index.html", page)
        serve_document(server, CIK, number, "primary_doc.xml", cover or given_cover())
        serve_document(server, CIK, number, "table.xml", shared("data/sec/xml/13F-HR.infotable.xml").read_bytes())
    return serve_filings(server, CIK, "METLIFE INC", filings)


def given_cover() -> bytes:
    """The given cover page."""
    return shared("data/sec/xml/metlife.13F-HR.primarydoc.xml").read_bytes()


def held(urls: EdgarUrls, **about: Any) -> ToolResult:
    """The manager's holdings."""
    return ask(urls, lambda archive: holdings(archive, MANAGER, **about))


def test_largest_positions(httpserver: HTTPServer) -> None:
    """The largest positions in dollars with their share; what cover page and table disagree on is said."""
    result = held(serve(httpserver, filing(1, "2023-02-14", "2022-12-31")), limit=3)
    assert "$350,153,407 in all; the largest 3:" in result.text
    assert "| VANGUARD INDEX FDS |" in result.text
    assert len(result.data["positions"]) == 3
    assert result.data["positions"][0]["value_usd"] == "26689322"
    assert "The cover page counts 6 lines, the table has 255." in result.notes
    assert any("no shorts, cash or foreign shares" in note for note in result.notes)
    assert result.sources[0].url.endswith("/table.xml")


def test_thousands_before_2023(httpserver: HTTPServer) -> None:
    """The same table filed in 2022 was in thousands."""
    result = held(serve(httpserver, filing(1, "2022-11-14", "2022-09-30")), limit=1)
    assert result.data["total_usd"] == "350153407000"
    assert result.notes[0] == "Stated in thousands of dollars, shown in dollars."


def test_quarters_and_as_of(httpserver: HTTPServer) -> None:
    """The newest quarter unless one is named; nothing filed after the as-of date; unknown quarters list the known."""
    urls = serve(httpserver, filing(2, "2023-05-15", "2023-03-31"), filing(1, "2023-02-14", "2022-12-31"))
    assert held(urls).data["filed"] == "2023-05-15"
    assert held(urls, period="2022-12").data["filed"] == "2023-02-14"
    assert held(urls, as_of="2023-03-01").data["filed"] == "2023-02-14"
    with pytest.raises(ToolError, match="no 13F for 2021-12-31") as caught:
        held(urls, period="2021-12-31")
    assert "2023-03-31, 2022-12-31" in caught.value.remedy


def test_restated(httpserver: HTTPServer) -> None:
    """An amendment that restates the quarter replaces the report."""
    info = b"<amendmentInfo><amendmentType>RESTATEMENT</amendmentType></amendmentInfo>"
    cover = given_cover().replace(b"<isAmendment>false</isAmendment>", b"<isAmendment>true</isAmendment>" + info)
    filings = (filing(2, "2023-03-01", "2022-12-31", "13F-HR/A"), filing(1, "2023-02-14", "2022-12-31"))
    result = held(serve(httpserver, *filings, cover=cover))
    assert result.data["total_usd"] == "350153407"
    assert "Restated by the amendment of 2023-03-01; the report of 2023-02-14 is replaced." in result.notes
    assert len(result.sources) == 2


def test_reports_that_can_not_be_read(httpserver: HTTPServer) -> None:
    """A text table of before 2013, and a notice without a table, say what they are."""
    with pytest.raises(ProviderError, match="is plain text"):
        held(serve(httpserver, filing(1, "2012-02-14", "2011-12-31")))
    entry = filing(7, "2024-02-14", "2023-12-31")
    urls = serve_filings(httpserver, CIK + 1, "OTHER", [entry])
    number = entry["accessionNumber"]
    serve_document(httpserver, CIK + 1, number, f"{number}-index.html", index_page([("13F-HR", "primary_doc.xml")]))
    serve_document(httpserver, CIK + 1, number, "primary_doc.xml", given_cover())
    with pytest.raises(ProviderError, match="has no information table"):
        ask(urls, lambda archive: holdings(archive, Company("", "OTHER", CIK + 1)))
