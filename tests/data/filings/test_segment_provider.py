"""Segments as statements, over loopback."""

from __future__ import annotations

import asyncio

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.filings.archive import FilingArchive
from dexter.data.filings.provider import SegmentProvider
from dexter.data.financials import FinancialsRequest, get_financials
from dexter.data.identity.directory import Directory
from dexter.data.provider import StatementQuery, Statements
from dexter.data.sec.client import EdgarUrls
from dexter.errors import ProviderError
from tests.support.edgar import serve
from tests.support.edgar_archive import ask, serve_document
from tests.support.filings import given

NVDA = Company("NVDA", "NVIDIA CORP", 1045810)


@pytest.fixture
def edgar(httpserver: HTTPServer) -> EdgarUrls:
    """NVIDIA's list of filings, with the given 10-K and 10-Q."""
    urls = serve(httpserver, 1045810, folders=("submissions",))
    ten_k, ten_q = given("nvda-10-k-2025-02-26.html.gz"), given("nvda-10-q-2025-08-27.html.gz")
    serve_document(httpserver, 1045810, "0001045810-25-000023", "nvda-20250126.htm", ten_k)
    serve_document(httpserver, 1045810, "0001045810-25-000209", "nvda-20250727.htm", ten_q)
    return urls


def statements(urls: EdgarUrls, query: StatementQuery) -> Statements:
    """The provider's answer."""
    return ask(urls, lambda archive: SegmentProvider(archive).statements(query))


def test_years(edgar: EdgarUrls) -> None:
    """Three years from one report, each figure with the filing it stands in."""
    found = statements(edgar, StatementQuery(NVDA, ("segments",), "annual", 3, as_of="2025-03-01"))
    assert {cell.fiscal_year for cell in found.cells} == {2023, 2024, 2025}
    assert {cell.accession for cell in found.cells} == {"0001045810-25-000023"}
    newest = {cell.label: cell.value for cell in found.cells if cell.fiscal_year == 2025}
    assert newest["Revenue by segment: Graphics"] == "14304000000"
    assert newest["Revenue by region: Taiwan"] == "20573000000"
    assert found.sources[0].accession == "0001045810-25-000023"
    one = statements(edgar, StatementQuery(NVDA, ("segments",), "annual", 1, as_of="2025-03-01"))
    assert {cell.fiscal_year for cell in one.cells} == {2025}


def test_quarters(edgar: EdgarUrls) -> None:
    """A quarter's own figures, not the year to date."""
    query = StatementQuery(NVDA, ("segments",), "quarterly", 1, as_of="2025-09-01")
    found = statements(edgar, query)
    assert {(cell.fiscal_year, cell.fiscal_period) for cell in found.cells} == {(2026, "Q2")}
    assert {c.label: c.value for c in found.cells}["Revenue by segment: Compute and Networking"] == "41331000000"


def test_not_covered(httpserver: HTTPServer, edgar: EdgarUrls) -> None:
    """Trailing twelve months, and reports without tags, are not covered, with what would work."""
    for period, as_of in (("ttm", ""), ("annual", "2019-07-01")):
        query = StatementQuery(NVDA, ("segments",), period, 1, as_of=as_of)  # type: ignore[arg-type]
        httpserver.expect_request("/submissions/CIK0001045810-submissions-001.json").respond_with_json(
            {"accessionNumber": []}
        )
        with pytest.raises(ProviderError) as caught:
            statements(edgar, query)
        assert (caught.value.kind, bool(caught.value.remedy)) == ("not_covered", True)


def test_in_get_financials(edgar: EdgarUrls) -> None:
    """`get_financials` shows a line for each segment in one table."""

    async def question(archive: FilingArchive) -> str:
        request = FinancialsRequest(("NVDA",), ("segments",), limit=1, as_of="2025-03-01")
        return (await get_financials(request, [SegmentProvider(archive)], Directory([NVDA]))).text

    text = ask(edgar, question)
    assert "Revenue by product: Data Center|115,186|" in text
    assert "Revenue by segment: Compute and Networking|116,193|" in text
    assert asyncio.iscoroutinefunction(question)
