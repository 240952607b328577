from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.financialdatasets.provider import FinancialDatasets, financial_datasets_client
from dexter.data.provider import StatementQuery, Statements
from dexter.data.response import Limits
from dexter.errors import ProviderError

NVDA = Company("NVDA", "NVIDIA CORP", 1045810, "Nasdaq", fiscal_year_end="01-26")
INCOME = "/financials/income-statements/"


def row(end: str, **figures: Any) -> dict[str, Any]:
    """A row in the vendor's shape."""
    return {"ticker": "NVDA", "report_period": end, "period": "quarterly", "currency": "USD", **figures}


def ask(server: HTTPServer, key: str | None = "k-123456", company: Company = NVDA, **options: Any) -> Statements:
    vendor = FinancialDatasets(financial_datasets_client(key, limits=Limits(attempts=1)), server.url_for(""))
    return asyncio.run(vendor.statements(StatementQuery(company, **options)))


def refusal(server: HTTPServer, **options: Any) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        ask(server, **options)
    assert caught.value.provider == "financialdatasets"
    assert caught.value.remedy
    return caught.value


def test_a_row_becomes_cells_with_unit_label_and_origin(httpserver: HTTPServer) -> None:
    """Money, values per share and counts; the fiscal quarter by its end; every figure the vendor's own."""
    rows = [
        row("2025-04-27", revenue=44062000000, earnings_per_share_diluted=0.76, weighted_average_shares=24441000000)
    ]
    httpserver.expect_request(
        INCOME, query_string={"ticker": "NVDA", "period": "quarterly", "limit": "1"}, headers={"X-API-KEY": "k-123456"}
    ).respond_with_json({"income_statements": rows})
    found = ask(httpserver, period="quarterly", limit=1)
    cells = {cell.concept: (cell.value, cell.unit, cell.currency) for cell in found.cells}
    assert cells == {
        "Revenues": ("44062000000", "USD", "USD"),
        "EPSDiluted": ("0.76", "USD/shares", "USD"),
        "WeightedSharesBasic": ("24441000000", "shares", ""),
    }
    first = found.cells[0]
    assert (first.fiscal_year, first.fiscal_period, first.period_end) == (2026, "Q1", "2025-04-27")
    assert (first.provenance, first.source) == ("vendor", "financialdatasets: revenue")
    assert found.sources[0].dataset == "financialdatasets"


def test_an_outflow_becomes_an_amount_and_says_so(httpserver: HTTPServer) -> None:
    """The vendor's capital expenditure is negative."""
    rows = [row("2025-01-26", capital_expenditure=-3236000000)]
    httpserver.expect_request("/financials/cash-flow-statements/").respond_with_json({"cash_flow_statements": rows})
    (cell,) = ask(httpserver, statements=("cash_flow",)).cells
    assert (cell.value, cell.derived) == ("3236000000", "capital_expenditure with its sign turned")
    assert (cell.fiscal_year, cell.fiscal_period) == (2025, "FY")


def test_pages_are_followed_but_never_to_another_address(httpserver: HTTPServer) -> None:
    """The key goes where it belongs only."""
    page_two = httpserver.url_for("/more")
    httpserver.expect_request(INCOME).respond_with_json(
        {"income_statements": [row("2025-04-27", revenue=1)], "next_page_url": page_two}
    )
    httpserver.expect_request("/more").respond_with_json(
        {"income_statements": [row("2025-01-26", revenue=2)], "next_page_url": "http://elsewhere.test/x"}
    )
    found = ask(httpserver, period="quarterly", limit=30)
    assert [cell.value for cell in found.cells] == ["1", "2"]


def test_a_class_share_is_asked_in_both_spellings(httpserver: HTTPServer) -> None:
    """An empty answer is no success: the other spelling is tried."""
    httpserver.expect_request(
        INCOME, query_string={"ticker": "BRK-B", "period": "annual", "limit": "4"}
    ).respond_with_json({"income_statements": []})
    httpserver.expect_request(
        INCOME, query_string={"ticker": "BRK.B", "period": "annual", "limit": "4"}
    ).respond_with_json({"income_statements": [row("2024-12-31", revenue=371433000000)]})
    assert ask(httpserver, company=Company("BRK-B", "Berkshire Hathaway", 1067983)).cells[0].value == "371433000000"


def test_a_question_as_of_a_day_is_passed_on(httpserver: HTTPServer) -> None:
    """The vendor does not tell when a figure was filed, so nothing is asked."""
    assert refusal(httpserver, as_of="2025-01-01").kind == "not_covered"
    assert refusal(httpserver, vintage="first").kind == "not_covered"
    assert not httpserver.log


def test_without_a_key_nothing_is_asked(httpserver: HTTPServer) -> None:
    """And the variable is named."""
    error = refusal(httpserver, key=None)
    assert (error.kind, "FINANCIAL_DATASETS_API_KEY" in error.remedy) == ("not_configured", True)
    assert not httpserver.log


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, "other"), (401, "auth"), (402, "billing"), (404, "not_covered"), (429, "rate_limit"), (500, "unavailable")],
)
def test_a_refusal_names_vendor_status_and_remedy(httpserver: HTTPServer, status: int, kind: str) -> None:
    """So that the next source is asked, and the reader knows why."""
    httpserver.expect_request(INCOME).respond_with_json({"error": "no"}, status=status)
    error = refusal(httpserver)
    assert error.kind == kind
    assert error.status == (None if status == 404 else status)


@pytest.mark.parametrize("answer", [{}, {"income_statements": {}}, [1]])
def test_an_answer_of_another_shape_is_bad_data(httpserver: HTTPServer, answer: Any) -> None:
    """Never an empty success."""
    httpserver.expect_request(INCOME).respond_with_json(answer)
    assert refusal(httpserver).kind == "bad_data"


@pytest.mark.parametrize(
    "bad",
    [
        {"report_period": "soon"},
        {"report_period": None},
        {"currency": None},
        {"currency": "dollars"},
        {"revenue": "44"},
        {"revenue": True},
        {"revenue": None},
    ],
    ids=str,
)
def test_a_row_that_makes_no_sense_gives_no_figure(httpserver: HTTPServer, bad: dict[str, Any]) -> None:
    """No date, no currency or no number: no cell, and never dollars by default."""
    httpserver.expect_request(INCOME).respond_with_json(
        {"income_statements": [{**row("2025-04-27", revenue=44), **bad}]}
    )
    assert refusal(httpserver).kind == "not_covered"


def test_concepts_choose_the_statement(httpserver: HTTPServer) -> None:
    """Total assets are asked where they are, whatever statement was named."""
    rows = [row("2025-01-26", total_assets=111601000000, inventory=1)]
    httpserver.expect_request("/financials/balance-sheets/").respond_with_json({"balance_sheets": rows})
    found = ask(httpserver, concepts=("TotalAssets",))
    assert [cell.concept for cell in found.cells] == ["TotalAssets"]


def test_a_balance_beside_twelve_months_is_of_its_quarter(httpserver: HTTPServer) -> None:
    """Asked by quarter, and labelled so."""
    httpserver.expect_request(
        "/financials/balance-sheets/", query_string={"ticker": "NVDA", "period": "quarterly", "limit": "1"}
    ).respond_with_json({"balance_sheets": [row("2025-04-27", total_assets=125254000000)]})
    (cell,) = ask(httpserver, statements=("balance",), period="ttm", limit=1).cells
    assert (cell.fiscal_year, cell.fiscal_period) == (2026, "Q1")
