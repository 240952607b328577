"""Insider trades over loopback, with the given Form 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.filings.insiders import InsiderRequest, insider_trades
from dexter.data.sec.client import EdgarUrls
from dexter.errors import ProviderError, ToolError
from dexter.results import ToolResult
from tests.support.edgar_archive import ask, serve_document, serve_filings
from tests.support.shared import shared

SNOW = Company("SNOW", "Snowflake Inc.", 1640147)
FIRST, AMENDMENT = "0001640147-22-000001", "0001640147-22-000002"


def filing(accession: str, form: str, filed: str) -> dict[str, str]:
    """An entry of EDGAR's list; it names the rendering, as EDGAR does."""
    return {"accessionNumber": accession, "form": form, "filingDate": filed, "primaryDocument": "xslF345X03/form4.xml"}


def serve(server: HTTPServer, filings: Sequence[dict[str, str]], **documents: bytes) -> EdgarUrls:
    """Snowflake's list, and the XML of its reports by the last digit of their number."""
    for entry in filings:
        content = documents.get(f"report_{entry['accessionNumber'][-1]}")
        if content is not None:
            serve_document(server, 1640147, entry["accessionNumber"], "form4.xml", content)
    return serve_filings(server, 1640147, "Snowflake Inc.", filings)


def trades(urls: EdgarUrls, **about: Any) -> ToolResult:
    """The result for Snowflake."""
    return ask(urls, lambda archive: insider_trades(archive, InsiderRequest(SNOW, **about)))


def form_4() -> bytes:
    """The given Form 4."""
    return shared("data/sec/xml/form4.snow.xml").read_bytes()


def test_given_form_4(httpserver: HTTPServer) -> None:
    """Each line with its code in words, price, value and what was held after; sales added up, exercises not."""
    urls = serve(httpserver, [filing(FIRST, "4", "2022-12-15")], report_1=form_4())
    result = trades(urls)
    assert (
        "| 2022-12-13 | Scarpelli Michael (officer (Chief Financial Officer)) | S: sale in the market or in private,"
        in (result.text)
    )
    assert "| Class A Common Stock | 73,170 | $150.841 | $11,037,036 | 227,927 | 4, 2022-12-15 |" in result.text
    assert "Stock Option (Right to Buy) at $8.88" in result.text
    assert "Sales in the market or in private: 200,000 shares for $30,351,310." in result.text
    assert "Purchases in the market or in private: 0 shares for $0." in result.text
    assert "- The sales reported in this Form 4 were effected for financial and tax planning purposes." in result.text
    assert result.sources[0].url.endswith("/Archives/edgar/data/1640147/000164014722000001/form4.xml")
    sale = result.data["reports"][0]["transactions"][1]
    assert (sale["shares"], sale["price"], sale["value"]) == ("73170", "150.841", "11037035.970")
    assert len(result.data["reports"][0]["holdings"]) == 8
    only = trades(urls, trades_only=True)
    assert "exercise or conversion" not in only.text
    assert only.text.count("S: sale in the market") == 5


def test_amendments_do_not_count_twice(httpserver: HTTPServer) -> None:
    """A 4/A that names the report's date takes its place in the sums, and both are said."""
    amended = form_4().replace(b"<documentType>4</documentType>", b"<documentType>4/A</documentType>")
    original = b"<dateOfOriginalSubmission>2022-12-15</dateOfOriginalSubmission>"
    amended = amended.replace(b"<notSubjectToSection16>", original + b"<notSubjectToSection16>")
    filings = [filing(AMENDMENT, "4/A", "2022-12-20"), filing(FIRST, "4", "2022-12-15")]
    result = trades(serve(httpserver, filings, report_1=form_4(), report_2=amended))
    assert "Sales in the market or in private: 200,000 shares for $30,351,310." in result.text
    assert "4, 2022-12-15 (amended later)" in result.text
    assert f"{FIRST} is amended by {AMENDMENT} and not counted." in result.notes


def test_a_report_that_can_not_be_read(httpserver: HTTPServer) -> None:
    """One broken report among others is said and leaves a partial result; none readable is an error."""
    filings = [filing(AMENDMENT, "4", "2022-12-20"), filing(FIRST, "4", "2022-12-15")]
    urls = serve(httpserver, filings, report_1=form_4(), report_2=b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>")
    result = trades(urls)
    assert result.status == "partial"
    assert any("declares a document type or entities" in note for note in result.notes)
    with pytest.raises(ProviderError, match="declares a document type"):
        trades(urls, start="2022-12-18")


def test_as_of_and_no_reports(httpserver: HTTPServer) -> None:
    """Nothing filed after the as-of date; no report at all is an error that says for when."""
    filings = [filing(AMENDMENT, "4", "2022-12-20"), filing(FIRST, "4", "2022-12-15")]
    urls = serve(httpserver, filings, report_1=form_4(), report_2=form_4())
    assert [r["accession"] for r in trades(urls, as_of="2022-12-16").data["reports"]] == [FIRST]
    with pytest.raises(ToolError, match="no Forms 3, 4 or 5 between 2023-01-01 and now"):
        trades(urls, start="2023-01-01")
