from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.cache import DiskCache
from dexter.data.company import Company
from dexter.data.provider import StatementQuery, Statements
from dexter.data.response import Limits
from dexter.data.sec.client import EdgarUrls, sec_client
from dexter.data.sec.provider import SecProvider
from dexter.errors import ProviderError
from tests.support.edgar import serve

QUICK = Limits(attempts=1, read_timeout=5)
NVDA, AMD = 1045810, 2488


def provider(urls: EdgarUrls, contact: str = "Ada Test ada@example.org", **options: Any) -> SecProvider:
    return SecProvider(sec_client(contact, limits=QUICK, **options), urls)


def ask(sec: SecProvider, company: Company, **options: Any) -> Statements:
    return asyncio.run(sec.statements(StatementQuery(company, **options)))


def refusal(sec: SecProvider, company: Company, **options: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(sec, company, **options)
    return caught.value


def test_a_ticker_alone_becomes_a_company_with_statements(httpserver: HTTPServer) -> None:
    """Number, name, exchange, currency and year end come from EDGAR; every figure has its filing as a source."""
    found = ask(provider(serve(httpserver, NVDA)), Company("NVDA", ""), limit=1)
    company = found.company
    assert (company.cik, company.name, company.exchange) == (NVDA, "NVIDIA CORP", "Nasdaq")
    assert (company.currency, company.fiscal_year_end) == ("USD", "01-25")
    revenue = found.cells[0]
    assert (revenue.concept, revenue.value, revenue.fiscal_year) == ("Revenues", "215938000000", 2026)
    assert (revenue.form, revenue.accession, revenue.filed) == ("10-K", "0001045810-26-000021", "2026-02-25")
    assert revenue.source == "us-gaap:Revenues"
    named = {source.accession for source in found.sources}
    assert {cell.accession for cell in found.cells} <= named
    assert all(source.url.startswith("https://www.sec.gov/Archives/edgar/data/1045810/") for source in found.sources)


def test_every_request_tells_the_contact(httpserver: HTTPServer) -> None:
    """The SEC wants to know whom to write to."""
    ask(provider(serve(httpserver, NVDA)), Company("NVDA", ""), limit=1)
    agents = {request.headers["User-Agent"] for request, _ in httpserver.log}
    assert agents == {"dexter Ada Test ada@example.org"}
    assert len(httpserver.log) == 3


@pytest.mark.parametrize("contact", ["", "Ada", "ada\n@example.org", "ädä@example.org"])
def test_without_a_contact_nothing_is_asked_and_the_setting_is_named(httpserver: HTTPServer, contact: str) -> None:
    """The error tells the setting and its variable."""
    error = refusal(provider(serve(httpserver, NVDA), contact), Company("NVDA", ""))
    assert error.kind == "not_configured"
    assert "sec.contact" in error.remedy
    assert "DEXTER_SEC__CONTACT" in error.remedy
    assert not httpserver.log


def test_what_is_cached_needs_neither_network_nor_contact(httpserver: HTTPServer, tmp_path: Path) -> None:
    """A second provider on the same cache answers by itself, with the time the data came from EDGAR."""
    urls = serve(httpserver, NVDA)
    first = ask(provider(urls, cache=DiskCache(tmp_path)), Company("NVDA", ""), limit=2)
    httpserver.clear()
    again = ask(provider(urls, "", cache=DiskCache(tmp_path)), Company("NVDA", ""), limit=2)
    assert again == first
    assert again.sources[0].retrieved_at


def test_a_mirror_without_submissions_still_gives_figures(httpserver: HTTPServer) -> None:
    """Only the facts are needed; who the company is may be known already."""
    urls = serve(httpserver, AMD, folders=("companyfacts",))
    httpserver.expect_request("/submissions/CIK0000002488.json").respond_with_data("", status=404)
    found = ask(provider(urls), Company("AMD", "AMD", AMD), limit=1)
    assert found.cells
    assert found.company.fiscal_year_end == "12-27"


def test_who_has_no_facts_is_not_covered(httpserver: HTTPServer) -> None:
    """404 is said as what it means here, so that the next source is asked."""
    urls = serve(httpserver)
    httpserver.expect_request("/api/xbrl/companyfacts/CIK0000000099.json").respond_with_data("", status=404)
    error = refusal(provider(urls), Company("ZZZZ", "Nobody", 99))
    assert (error.kind, error.status) == ("not_covered", 404)
    assert "XBRL" in error.remedy


def test_an_unknown_ticker_is_not_guessed(httpserver: HTTPServer) -> None:
    """Identity is looked up: TOTDY is not on the list, however much it looks like another."""
    error = refusal(provider(serve(httpserver)), Company("TOTDY", ""))
    assert error.kind == "not_covered"
    assert "TOTDY" in error.message


@pytest.mark.parametrize("spelling", ["BRK.B", "BRK-B", "BRK/B", "brk.b"])
def test_class_shares_are_found_however_they_are_spelt(httpserver: HTTPServer, spelling: str) -> None:
    """EDGAR's list has BRK-B."""
    sec = provider(serve(httpserver))
    assert asyncio.run(sec.company(Company(spelling, ""))).cik == 1067983


def test_two_classes_of_shares_are_one_company(httpserver: HTTPServer) -> None:
    """GOOG and GOOGL have one number, and so one set of statements."""
    sec = provider(serve(httpserver))
    assert {asyncio.run(sec.company(Company(ticker, ""))).cik for ticker in ("GOOG", "GOOGL")} == {1652044}


def test_an_as_of_day_before_everything_says_so(httpserver: HTTPServer) -> None:
    """No figure is better than one from the future."""
    error = refusal(provider(serve(httpserver, NVDA)), Company("NVDA", ""), as_of="2001-01-01")
    assert error.kind == "not_covered"
    assert "2001-01-01" in error.message


def test_segments_are_not_promised(httpserver: HTTPServer) -> None:
    """Company facts have no dimensions: nothing is asked for them."""
    error = refusal(provider(serve(httpserver)), Company("NVDA", ""), statements=("segments",))
    assert error.kind == "not_covered"
    assert not httpserver.log


@pytest.mark.parametrize("body", ['{"facts": 3, "cik": 1}', "[1, 2]", '{"cik": "x", "facts": {"us-gaap": {"T": {}}}}'])
def test_data_of_another_shape_is_bad_data(httpserver: HTTPServer, body: str) -> None:
    """An error with a remedy, never a traceback."""
    urls = serve(httpserver)
    httpserver.expect_request("/api/xbrl/companyfacts/CIK0000000007.json").respond_with_data(body)
    assert refusal(provider(urls), Company("T", "T", 7)).kind == "bad_data"


@pytest.mark.parametrize(("status", "kind"), [(403, "auth"), (429, "rate_limit"), (500, "unavailable")])
def test_edgars_refusals_carry_edgars_remedies(httpserver: HTTPServer, status: int, kind: str) -> None:
    """403 is the contact or the rate, 429 is ten minutes of patience."""
    urls = serve(httpserver)
    httpserver.expect_request("/api/xbrl/companyfacts/CIK0000000007.json").respond_with_data("", status=status)
    error = refusal(provider(urls), Company("T", "T", 7))
    assert (error.provider, error.status, error.kind) == ("sec", status, kind)
    assert "ten minutes" in error.remedy or kind == "unavailable"


def test_a_company_is_parsed_once(httpserver: HTTPServer, tmp_path: Path) -> None:
    """Questions about one company share its store as long as the facts are the same ones."""
    sec = provider(serve(httpserver, NVDA), cache=DiskCache(tmp_path))
    company = Company("NVDA", "NVIDIA CORP", NVDA, "Nasdaq", fiscal_year_end="01-25")
    ask(sec, company, limit=1)
    ask(sec, company, limit=1, period="ttm")
    assert len(sec._stores) == 1
    assert len(httpserver.log) == 1


@pytest.mark.parametrize("entry", [5, None, {"ticker": "NVDA"}, {"ticker": "NVDA", "cik_str": "x"}])
def test_a_broken_entry_in_the_list_of_tickers_is_passed_over(httpserver: HTTPServer, entry: object) -> None:
    """The sound one after it counts; without one the company is not covered, and no other error comes up."""
    sound = {"ticker": "NVDA", "cik_str": NVDA, "title": "NVIDIA CORP"}
    base = httpserver.url_for("").rstrip("/")
    sec = provider(EdgarUrls(base, base, base))
    path = "/files/company_tickers.json"
    httpserver.expect_ordered_request(path).respond_with_json({"0": entry, "1": sound})
    httpserver.expect_ordered_request(path).respond_with_json({"0": entry})
    assert asyncio.run(sec.company(Company("NVDA", ""))).cik == NVDA
    assert refusal(provider(EdgarUrls(base, base, base)), Company("NVDA", "")).kind == "not_covered"


def test_values_as_first_filed_say_which_splits_came_later(httpserver: HTTPServer) -> None:
    """11.93 a share of fiscal 2024 beside 2.94 of fiscal 2025 is no fall: the note tells the 10:1 between them."""
    sec = provider(serve(httpserver, NVDA))
    found = ask(sec, Company("NVDA", ""), concepts=("EPSDiluted",), vintage="first", limit=3)
    assert [cell.value for cell in found.cells] == ["4.9", "2.94", "11.93"]
    (note,) = found.notes
    assert "not adjusted for later splits: 10:1" in note
    assert "4:1" not in note
    assert not ask(sec, Company("NVDA", ""), concepts=("EPSDiluted",), vintage="first", limit=2).notes
