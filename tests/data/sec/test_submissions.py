from __future__ import annotations

from typing import Any

import pytest

from dexter.data.body import parse_json
from dexter.data.sec.client import EDGAR, EdgarUrls
from dexter.data.sec.submissions import parse_submissions
from tests.support.edgar import recorded


def nvidia() -> dict[str, Any]:
    return parse_json(recorded("submissions/CIK0001045810.json.gz"))  # type: ignore[no-any-return]


def made(**changes: Any) -> dict[str, Any]:
    """A small company page."""
    recent = {"accessionNumber": ["a-1", "a-2"], "form": ["10-K", "4"], "filingDate": ["2025-02-01", "2025-01-02"]}
    page = {
        "cik": "7",
        "name": "Test Co",
        "tickers": ["TST", "TST-B"],
        "exchanges": ["NYSE", None],
        "fiscalYearEnd": "0630",
    }
    return {**page, "sic": "3674", "entityType": "operating", "filings": {"recent": recent, "files": []}, **changes}


def test_a_company_and_its_filings_are_read() -> None:
    """Real columns become rows, newest first, and the names of older pages are kept."""
    found = parse_submissions(nvidia())
    company = found.company
    assert (company.ticker, company.cik, company.exchange, company.kind) == ("NVDA", 1045810, "Nasdaq", "operating")
    assert company.fiscal_year_end == "01-31"
    assert len(found.filings) == 1000
    report = next(filing for filing in found.filings if filing.form == "10-K")
    assert (report.accession, report.filed, report.report_date) == ("0001045810-26-000021", "2026-02-25", "2026-01-25")
    assert report.document.endswith(".htm")
    assert found.older_pages == ("CIK0001045810-submissions-001.json",)


def test_each_listing_has_its_own_exchange() -> None:
    """A company with two tickers is described as the one that was asked for."""
    assert parse_submissions(made(), "TST").company.exchange == "NYSE"
    assert parse_submissions(made(), "TST-B").company.exchange == ""
    assert parse_submissions(made()).company.ticker == "TST"


@pytest.mark.parametrize(
    ("sic", "entity", "kind"),
    [
        ("6021", "operating", "bank"),
        ("6331", "operating", "insurer"),
        ("6211", "operating", "operating"),
        ("", "operating", "operating"),
        ("6021", "investment", "fund"),
    ],
)
def test_the_kind_of_a_company_follows_from_its_industry(sic: str, entity: str, kind: str) -> None:
    """Depository institutions, insurance carriers, investment companies."""
    assert parse_submissions(made(sic=sic, entityType=entity)).company.kind == kind


def test_a_foreign_filer_is_known_by_its_forms() -> None:
    """20-F and 6-K, and no 10-K."""
    recent = {"accessionNumber": ["a", "b"], "form": ["6-K", "20-F"], "filingDate": ["2025-02-01", "2025-01-02"]}
    assert parse_submissions(made(filings={"recent": recent})).company.kind == "foreign"


def test_short_or_missing_columns_read_as_empty() -> None:
    """EDGAR adds and drops columns."""
    filings = parse_submissions(made()).filings
    assert [(filing.accession, filing.document, filing.size) for filing in filings] == [("a-1", "", 0), ("a-2", "", 0)]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"filings": {"recent": {}}},
        {"cik": "x", "name": "y", "filings": {"recent": {"accessionNumber": []}}},
    ],
)
def test_data_of_another_shape_is_refused(data: object) -> None:
    """One kind of error, whatever is wrong."""
    with pytest.raises(ValueError, match="submissions"):
        parse_submissions(data)


def test_where_things_are_at_edgar_and_on_a_mirror() -> None:
    """The same paths under other base URLs, with or without a slash at the end."""
    assert EDGAR.facts(1045810) == "https://data.sec.gov/api/xbrl/companyfacts/CIK0001045810.json"
    assert EDGAR.submissions(7) == "https://data.sec.gov/submissions/CIK0000000007.json"
    assert EDGAR.tickers() == "https://www.sec.gov/files/company_tickers.json"
    assert (
        EDGAR.document(1045810, "0001045810-26-000021", "nvda.htm")
        == "https://www.sec.gov/Archives/edgar/data/1045810/000104581026000021/nvda.htm"
    )
    assert EDGAR.full_text_search() == "https://efts.sec.gov/LATEST/search-index"
    mirror = EdgarUrls("http://m/www/", "http://m/data/", "http://m/s/")
    assert mirror.facts(1) == "http://m/data/api/xbrl/companyfacts/CIK0000000001.json"
    assert mirror.filing_index(1, "a-1") == "http://m/www/Archives/edgar/data/1/a1/a-1-index.html"
