"""`read_filings` over loopback, with the given filings under EDGAR's own addresses."""

from __future__ import annotations

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.filings.query import read_filings
from dexter.data.filings.request import FilingsRequest
from dexter.data.sec.client import EdgarUrls
from dexter.errors import ProviderError, ToolError
from dexter.results import ToolResult
from tests.support.edgar import serve
from tests.support.edgar_archive import ask, columns, index_page, serve_document, serve_filings
from tests.support.filings import given

NVDA = Company("NVDA", "", 1045810)
TEN_K, TEN_Q, EIGHT_K = "0001045810-25-000023", "0001045810-25-000209", "0001045810-26-000024"


@pytest.fixture
def edgar(httpserver: HTTPServer) -> EdgarUrls:
    """NVIDIA's list of filings, a 10-K, a 10-Q, and an 8-K with its index page and exhibit."""
    urls = serve(httpserver, 1045810, folders=("submissions",))
    serve_document(httpserver, 1045810, TEN_K, "nvda-20250126.htm", given("nvda-10-k-2025-02-26.html.gz"))
    serve_document(httpserver, 1045810, TEN_Q, "nvda-20250727.htm", given("nvda-10-q-2025-08-27.html.gz"))
    serve_document(httpserver, 1045810, EIGHT_K, "nvda-20260302.htm", given("nvda-8-k-20260302.htm"))
    serve_document(
        httpserver, 1045810, EIGHT_K, f"{EIGHT_K}-index.html", given("nvda-8-k-0001045810-26-000024-index.html")
    )
    exhibit = b"<html><body><p>VARIABLE COMPENSATION PLAN</p><p>The target is 100%.</p></body></html>"
    serve_document(httpserver, 1045810, EIGHT_K, "formxex101xfy27variablecom.htm", exhibit)
    return urls


def read(urls: EdgarUrls, **about: object) -> ToolResult:
    """The answer to a request about NVIDIA."""
    return ask(urls, lambda archive: read_filings(archive, FilingsRequest(NVDA, **about)))  # type: ignore[arg-type]


def refusal(urls: EdgarUrls, **about: object) -> ToolError:
    """The error such a request ends with."""
    with pytest.raises(ToolError) as caught:
        read(urls, **about)
    return caught.value


def test_list(edgar: EdgarUrls) -> None:
    """Filings by form, newest first, with period, fiscal label, items, number and address."""
    result = read(edgar, forms=("10-K", "10q"), filings=3)
    assert result.text.startswith("NVIDIA CORP (NVDA), CIK 1045810\n\n| Form | Filed | Period end | Fiscal |")
    assert "| 10-K | 2026-02-25 | 2026-01-25 | FY2026 |" in result.text
    assert "| 10-Q | 2025-11-19 | 2025-10-26 | Q3 FY2026 |" in result.text
    assert [f["form"] for f in result.data["filings"]] == ["10-K", "10-Q", "10-Q"]
    assert result.data["filings"][0]["url"].endswith(
        "/Archives/edgar/data/1045810/000104581026000021/nvda-20260125.htm"
    )
    assert result.sources[0].dataset == "EDGAR submissions"
    assert "| 8-K | 2026-03-06 | 2026-03-02 |  | 5.02 9.01 |" in read(edgar, forms=("8-K",), filings=1).text


def test_list_by_period_and_date(edgar: EdgarUrls) -> None:
    """A fiscal year, a fiscal quarter, a date, a range of filing dates, and an as-of date."""

    def numbers(**about: object) -> list[str]:
        return [filing["accession"] for filing in read(edgar, **about).data["filings"]]

    assert numbers(forms=("10-K",), period="FY2025") == [TEN_K]
    assert numbers(forms=("10-Q",), period="Q2 2026") == [TEN_Q]
    assert numbers(forms=("10-Q",), period="2025-07") == [TEN_Q]
    assert numbers(forms=("10-K", "10-Q"), start="2025-08-01", end="2025-08-31") == [TEN_Q]
    assert numbers(forms=("10-K",), as_of="2025-12-31", filings=1) == [TEN_K]


def test_overview(edgar: EdgarUrls) -> None:
    """A filing without items asked for is given as its contents: items with what they are, and the exhibits."""
    result = read(edgar, mode="items", forms=("8-K",))
    assert "8-K, filed 2026-03-06 (0001045810-26-000024)" in result.text
    assert "|  | 5.02 | Departure of Directors" in result.text.replace("| 5.02 |", "|  | 5.02 |", 1)
    assert "| EX-10.1 | EX-10.1 | formxex101xfy27variablecom.htm | 15,048 |" in result.text
    annual = read(edgar, mode="items", period="FY2025")
    assert "10-K FY2025 to 2025-01-26, filed 2025-02-26" in annual.text
    assert "| II | 8 | Financial Statements and Supplementary Data | 154 | elsewhere:" in annual.text
    assert any("Exhibits are not listed" in note for note in annual.notes)


def test_sections_page(edgar: EdgarUrls) -> None:
    """A long item comes in pages that meet exactly, each saying how to go on; together they are the item."""
    pages, offset, total = [], 0, 1
    while offset < total:
        result = read(edgar, mode="items", period="FY2025", items=("1A",), offset=offset, limit=40_000)
        body = result.text.split("]\n\n", 1)[1]
        total = result.data["items"][0]["characters"]
        pages.append(body)
        offset += len(body)
    assert len(pages) == 3
    whole = read(edgar, mode="items", period="FY2025", items=("risk factors",), limit=200_000).text
    assert "".join(pages) == whole.split("## Part I, Item 1A: Risk Factors\n\n", 1)[1]
    assert "continue at offset" in read(edgar, mode="items", period="FY2025", items=("1A",), limit=500).text
    last = read(edgar, mode="items", period="FY2025", items=("1A",), offset=offset - 100)
    assert "this is the end]" in last.text


def test_what_an_item_is_not(edgar: EdgarUrls) -> None:
    """By reference, elsewhere, missing: said at the item and in the notes; the source is the filing."""
    result = read(edgar, mode="items", period="FY2025", items=("11", "II.8", "4"))
    assert "[by reference: Incorporated by reference: the text only says where it is to be found.]" in result.text
    assert "[elsewhere: The text only points to another place in this filing.]" in result.text
    assert "[not applicable: The filing says it is not applicable.]" in result.text
    assert result.notes[0].startswith("Part III, Item 11: Incorporated by reference")
    assert (result.sources[0].kind, result.sources[0].accession, result.sources[0].as_of) == (
        "filing",
        TEN_K,
        "2025-02-26",
    )
    quarter = read(edgar, mode="items", forms=("10-Q",), period="Q2 FY2026", items=("II.3",))
    assert "missing: No heading of this item in the document" in quarter.text


def test_both_items_of_a_number(edgar: EdgarUrls) -> None:
    """`Item 1` of a 10-Q is both; what does not fit is named with its size."""
    result = read(edgar, mode="items", accession=TEN_Q, items=("1",), limit=300)
    assert "## Part I, Item 1: Financial Statements (Unaudited)" in result.text
    assert "Not shown for want of room: Part II, Item 1 (354 characters)" in result.text
    both = read(edgar, mode="items", accession=TEN_Q.replace("-", ""), items=("II.1", "II.1A"), limit=40_000)
    assert both.text.index("Item 1: Legal Proceedings") < both.text.index("Item 1A: Risk Factors")


def test_passages(edgar: EdgarUrls) -> None:
    """Passages with item and position, from the whole filing or from one item; the position reads on there."""
    result = read(edgar, mode="passages", period="FY2025", query="number of employees in research and development")
    first = result.data["passages"][0]
    assert f"offset {first['offset']:,} of" in result.text
    there = read(
        edgar, mode="items", period="FY2025", items=(f"{first['part']}.{first['item']}",), offset=first["offset"]
    )
    assert first["text"][:80] in there.text
    narrowed = read(edgar, mode="passages", period="FY2025", query="employees", items=("1A",))
    assert {passage["item"] for passage in narrowed.data["passages"]} == {"1A"}


def test_exhibits(edgar: EdgarUrls) -> None:
    """An exhibit by its number, its type or its file name, as text."""
    for name in ("10.1", "EX-10.1", "exhibit 10.1", "formxex101xfy27variablecom.htm", "10"):
        result = read(edgar, mode="items", forms=("8-K",), exhibit=name)
        assert result.text.endswith("VARIABLE COMPENSATION PLAN\n\nThe target is 100%.")
    assert result.sources[0].url.endswith("formxex101xfy27variablecom.htm")
    found = read(edgar, mode="passages", forms=("8-K",), exhibit="10.1", query="target")
    assert "[Ex-10.1: EX-10.1, offset 0 of" in found.text
    error = refusal(edgar, mode="items", forms=("8-K",), exhibit="99.1")
    assert (error.message, error.remedy) == (
        "There is no exhibit '99.1' in 8-K 0001045810-26-000024.",
        "It has: EX-10.1.",
    )


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"forms": ("20-F",)}, "has no 20-F. Recent forms: SCHEDULE 13G/A, 4, "),
        ({"forms": ("10-K",), "period": "FY1990"}, "has no 10-K for FY1990"),
        ({"forms": ("10-K",), "period": "soon"}, "'soon' is no period"),
        ({"mode": "items", "period": "FY2025", "items": ("99",)}, "There is no '99' in this 10-K"),
        ({"mode": "passages", "period": "FY2025"}, "Passages need a query"),
        ({"mode": "passages", "period": "FY2025", "query": "zymurgy"}, "holds a word of 'zymurgy'"),
        ({"mode": "items", "accession": EIGHT_K, "as_of": "2026-01-01"}, "after the as-of date 2026-01-01"),
    ],
)
def test_what_is_not_there(httpserver: HTTPServer, edgar: EdgarUrls, about: dict[str, object], said: str) -> None:
    """Each miss is a sentence that says what there is instead."""
    httpserver.expect_request("/submissions/CIK0001045810-submissions-001.json").respond_with_json(columns([]))
    error = refusal(edgar, **about)
    assert said in error.message
    assert error.remedy or "period" in error.message or "as-of" in error.message


def test_older_pages_are_read_only_when_needed(httpserver: HTTPServer) -> None:
    """A filing of 1998 is found on the page of older filings; a recent one without it."""
    recent = {
        "accessionNumber": "0000000009-24-000001",
        "form": "10-K",
        "filingDate": "2024-03-01",
        "reportDate": "2023-12-31",
    }
    old = {
        "accessionNumber": "0000000009-98-000001",
        "form": "10-K405",
        "filingDate": "1998-03-01",
        "reportDate": "1997-12-31",
    }
    urls = serve_filings(httpserver, 9, "Acme", [recent], older=["CIK0000000009-submissions-001.json"])
    httpserver.expect_request("/submissions/CIK0000000009-submissions-001.json").respond_with_json(columns([old]))
    acme = Company("", "Acme", 9)

    def numbers(**about: object) -> list[str]:
        request = FilingsRequest(acme, forms=("10-K",), **about)  # type: ignore[arg-type]
        return [f["accession"] for f in ask(urls, lambda archive: read_filings(archive, request)).data["filings"]]

    assert numbers(filings=1) == ["0000000009-24-000001"]
    assert [request.path for request, _ in httpserver.log] == ["/submissions/CIK0000000009.json"] * 2
    assert numbers() == ["0000000009-24-000001", "0000000009-98-000001"]
    assert numbers(period="FY1997") == ["0000000009-98-000001"]
    text = "ITEM 1. BUSINESS\n\nAnvils.\n\nITEM 2. PROPERTIES\n\nA yard.\n"
    wrapped = f"<SEC-DOCUMENT>\n<DOCUMENT>\n<TYPE>10-K405\n<TEXT>\n{text}</TEXT>".encode()
    serve_document(httpserver, 9, old["accessionNumber"], f"{old['accessionNumber']}.txt", wrapped)
    request = FilingsRequest(acme, mode="items", forms=("10-K",), period="FY1997", items=("1",))
    assert ask(urls, lambda archive: read_filings(archive, request)).text.endswith("Item 1: BUSINESS\n\nAnvils.")


def test_a_document_that_is_no_text(httpserver: HTTPServer) -> None:
    """A PDF in place of a filing, and a filing that is gone, are errors of the source with a remedy."""
    filing = {
        "accessionNumber": "0000000009-24-000001",
        "form": "10-K",
        "filingDate": "2024-03-01",
        "primaryDocument": "a.pdf",
    }
    urls = serve_filings(httpserver, 9, "Acme", [filing])
    request = FilingsRequest(Company("", "Acme", 9), mode="items", items=("1",))
    with pytest.raises(ProviderError, match=r"HTTP 500|no such document") as caught:
        ask(urls, lambda archive: read_filings(archive, request))
    assert caught.value.remedy
    serve_document(httpserver, 9, filing["accessionNumber"], "a.pdf", b"%PDF-1.7 ...")
    with pytest.raises(ProviderError, match="is a PDF, not text"):
        ask(urls, lambda archive: read_filings(archive, request))


def test_an_empty_exhibit(httpserver: HTTPServer) -> None:
    """An exhibit without text is an answer that says so."""
    filing = {
        "accessionNumber": "0000000009-24-000001",
        "form": "8-K",
        "filingDate": "2024-03-01",
        "primaryDocument": "a.htm",
    }
    urls = serve_filings(httpserver, 9, "Acme", [filing])
    pages = index_page([("8-K", "a.htm"), ("EX-99.1", "b.htm")])
    serve_document(httpserver, 9, filing["accessionNumber"], f"{filing['accessionNumber']}-index.html", pages)
    serve_document(httpserver, 9, filing["accessionNumber"], "b.htm", b"<html><body><img src='a.gif'></body></html>")
    request = FilingsRequest(Company("", "Acme", 9), mode="items", forms=("8-K",), exhibit="press release")
    result = ask(urls, lambda archive: read_filings(archive, request))
    assert "EX-99.1 of Acme, CIK 9: 8-K, filed 2024-03-01" in result.notes[0]
    assert "holds no readable text" in result.notes[0]
