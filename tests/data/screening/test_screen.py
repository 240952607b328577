"""The screener's answer: over the sample, over the vendor, and who was asked before."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest
from pytest_httpserver import HTTPServer

from dexter.data.financialdatasets.provider import financial_datasets_client
from dexter.data.financialdatasets.screener import FinancialDatasetsScreener
from dexter.data.provider import Comparison, Criterion, Screened, ScreenQuery
from dexter.data.response import Limits
from dexter.data.sample.provider import SampleProvider
from dexter.data.sample.screener import SampleScreener
from dexter.data.screening.industries import Industry, is_in_sector, is_sector, sector_names
from dexter.data.screening.screen import Asked, stock_screener
from dexter.errors import ProviderError, ToolError
from dexter.results import ToolResult

SAMPLE = SampleProvider()


def ask(*asked: tuple[str, Comparison, str], providers: Any = None, **options: Any) -> ToolResult:
    criteria = [Asked(metric, op, Decimal(value)) for metric, op, value in asked]
    return asyncio.run(stock_screener(criteria, providers or [SampleScreener(SAMPLE)], **options))


def tickers(result: ToolResult) -> list[str]:
    return [company["ticker"] for company in result.data["companies"]]


def test_the_sample_says_that_it_is_one() -> None:
    """Who was looked at, of which years, how many could be judged, and how to look at all."""
    result = ask(("gross margin", "gt", "0.5"), ("RevenueGrowth", "gt", "0.2"))
    assert tickers(result) == ["NVDA", "AVGO"]
    assert "2 companies with Gross margin > 50% and Revenue growth, year on year > 20%." in result.text
    assert "the 12 companies of the bundled sample" in result.text
    assert "11 could be judged, 1 lack a figure and could not." in result.text
    assert "set `sec.contact`" in result.text


def test_multiples_are_of_the_last_close() -> None:
    """The sample has prices: the period end is the close's day."""
    result = ask(("P/E", "lt", "30"))
    assert tickers(result) == ["MSFT", "META", "GOOGL", "AMZN"]
    assert {cell.period_end for cell in result.cells} == {"2026-03-20"}


def test_the_smallest_come_first_where_small_ones_are_asked_for() -> None:
    """The first criterion decides the order."""
    numbers = [cell.number for cell in ask(("Revenues", "lt", "1e12")).cells]
    assert numbers == sorted(numbers)


def test_as_of_a_day_nothing_filed_later_counts() -> None:
    """Every figure was filed by then, and the universe says so."""
    result = ask(("NetIncome", "gt", "0"), as_of="2025-03-01")
    assert result.cells
    assert all(cell.filed <= "2025-03-01" for cell in result.cells)
    assert "as filed by 2025-03-01" in result.text


def test_a_year_is_that_fiscal_year() -> None:
    """Each company's figures of fiscal 2024."""
    assert {cell.fiscal_year for cell in ask(("Revenues", "gt", "1"), year=2024).cells} == {2024}


def test_a_sector_narrows_the_universe() -> None:
    """By name, by a usual word for it, or by words of the industry itself."""
    assert set(tickers(ask(("Revenues", "gt", "1"), sector="chips"))) == {"AMD", "AVGO", "INTC", "NVDA"}
    assert tickers(ask(("Revenues", "gt", "1"), sector="Motor Vehicles")) == ["TSLA"]
    nobody = ask(("Revenues", "gt", "1"), sector="shipbuilding")
    assert (tickers(nobody), "the 0 companies of the bundled sample" in nobody.text) == ([], True)


@pytest.mark.parametrize(
    ("spelled", "meant"),
    [
        ("Health-Care", "health care"),
        ("HEALTHCARE sector", "health care"),
        ("Oil & Gas", "oil and gas"),
        ("information_technology", "technology"),
        ("InfoTech", "technology"),
        ("Semis", "semiconductors"),
        ("Aerospace & Defense", "aerospace and defense"),
        ("consumer cyclical", "consumer discretionary"),
        ("Communication Services", "communication services"),
        ("real-estate companies", "real estate"),
    ],
)
def test_a_sector_is_known_in_its_usual_spellings(spelled: str, meant: str) -> None:
    """Case, hyphens, "&" and other lists' names for it do not make it another."""
    assert is_sector(spelled)
    for sic in range(100, 9999, 7):
        assert is_in_sector(Industry(sic, ""), spelled) == is_in_sector(Industry(sic, ""), meant)


def test_words_of_an_industry_are_whole_words() -> None:
    """ "ai" is no part of retail."""
    retail = Industry(5331, "Retail-Variety Stores")
    assert not is_in_sector(retail, "ai")
    assert is_in_sector(retail, "variety store")


def test_a_sector_nobody_knows_is_said() -> None:
    """No company found is no finding there: the names that work stand beside it."""
    text = ask(("Revenues", "gt", "1"), sector="Quantum").text
    assert "No sector is known as 'Quantum'" in text
    assert "semiconductors" in text
    assert "No sector is known" not in ask(("Revenues", "gt", "1"), sector="chips").text


@pytest.mark.parametrize(
    "criteria",
    [
        (("Revenues", "gt", "10"), ("Revenues", "lt", "1")),
        (("Revenue", "lt", "5"), ("Revenues", "gte", "5")),
        (("GrossMargin", "eq", "0.5"), ("GrossMargin", "eq", "0.6")),
        (("Revenues", "eq", "5"), ("Revenues", "gt", "5")),
    ],
)
def test_criteria_that_nothing_meets_are_refused(criteria: Any) -> None:
    """They would give "0 companies", which reads like a finding."""
    with pytest.raises(ToolError, match="Nothing can be both"):
        ask(*criteria)


def test_two_limits_on_one_metric_are_one_column() -> None:
    """A span: each figure stands once, in the table and among the cells."""
    result = ask(("GrossMargin", "gte", "0.5"), ("GrossMargin", "lt", "0.7"), ("Revenues", "gte", "1"))
    assert "|ticker|company|Gross margin|Revenue|period end|" in result.text
    assert len(result.cells) == 2 * result.data["total"]


@pytest.mark.parametrize("sector", sector_names())
def test_every_sector_holds_a_code(sector: str) -> None:
    """And not every one."""
    assert any(is_in_sector(Industry(sic, ""), sector) for sic in range(100, 9999))
    assert not is_in_sector(Industry(9995, ""), sector)


def test_no_match_is_an_answer() -> None:
    """Nobody meets it: said, with the universe."""
    result = ask(("Revenues", "gt", "1e15"))
    assert (result.status, tickers(result)) == ("ok", [])
    assert result.text.startswith("0 companies with Revenue > 1,000,000,000,000,000.")


@pytest.mark.parametrize(
    "asked", [(), (("Foo", "gt", "1"),), (("Revenues", "gt", "NaN"),), (("Revenues", "gt", "1"),) * 13]
)
def test_a_wrong_request_says_what_would_work(asked: Any) -> None:
    """An error the model can act on."""
    with pytest.raises(ToolError) as caught:
        ask(*asked)
    assert caught.value.remedy


def vendor(server: HTTPServer, *criteria: Criterion, key: str | None = "k-123456", **options: Any) -> Screened:
    client = financial_datasets_client(key, limits=Limits(attempts=1))
    return asyncio.run(FinancialDatasetsScreener(client, server.url_for("")).screen(ScreenQuery(criteria, **options)))


MARGIN = Criterion("GrossMargin", "gt", Decimal("0.5"))
PE = Criterion("PriceToEarnings", "lt", Decimal(30))


def test_the_vendor_is_asked_in_its_own_words_and_checked(httpserver: HTTPServer) -> None:
    """A row that does not meet the criteria is dropped, one without the figure is counted."""
    rows = [
        {"ticker": "AAA", "gross_margin": 0.7, "price_to_earnings_ratio": 12.5, "report_period": "2025-12-31"},
        {"ticker": "BBB", "gross_margin": 0.3, "price_to_earnings_ratio": 9},
        {"ticker": "CCC", "gross_margin": 0.8},
        {"ticker": "<script>", "gross_margin": 0.8},
    ]
    httpserver.expect_request(
        "/financials/search/screener/",
        method="POST",
        json={
            "filters": [
                {"field": "gross_margin", "operator": "gt", "value": 0.5},
                {"field": "price_to_earnings_ratio", "operator": "lt", "value": 30},
            ],
            "currency": "USD",
            "limit": 20,
        },
    ).respond_with_json({"search_results": rows})
    found = vendor(httpserver, MARGIN, PE)
    assert [match.company.ticker for match in found.matches] == ["AAA"]
    assert (found.judged, found.unjudged) == (2, 1)
    assert "figures of periods ending 2025-12-31" in found.universe
    assert found.matches[0].figures[0].provenance == "vendor"


def test_a_company_named_twice_is_one(httpserver: HTTPServer) -> None:
    """The same ticker in two spellings counts once; a full list still is one."""
    rows = [{"ticker": ticker, "gross_margin": 0.7} for ticker in ("BRK.B", "brk-b", "AAA")]
    httpserver.expect_request("/financials/search/screener/").respond_with_json({"results": rows})
    found = vendor(httpserver, MARGIN, limit=3)
    assert (found.total, found.judged) == (2, 2)
    assert "there may be more" in found.notes[0]


def test_a_full_list_may_not_be_all(httpserver: HTTPServer) -> None:
    """As many rows as were asked for: there may be more, and that is said."""
    rows = [{"ticker": "AAA", "gross_margin": 0.7}, {"ticker": "BBB", "gross_margin": 0.6}]
    httpserver.expect_request("/financials/search/screener/").respond_with_json({"results": rows})
    found = vendor(httpserver, MARGIN, limit=2)
    assert "there may be more" in found.notes[0]
    assert "does not say" in found.universe


@pytest.mark.parametrize("body", [{}, [], {"a": [], "b": []}, {"error": "no"}])
def test_a_vendors_answer_of_another_shape_is_bad_data(httpserver: HTTPServer, body: Any) -> None:
    """No list of rows, no screen."""
    httpserver.expect_request("/financials/search/screener/").respond_with_json(body)
    with pytest.raises(ProviderError) as caught:
        vendor(httpserver, MARGIN)
    assert caught.value.kind == "bad_data"


@pytest.mark.parametrize(
    ("status", "kind"), [(401, "auth"), (402, "billing"), (429, "rate_limit"), (500, "unavailable")]
)
def test_a_vendors_refusal_is_told(httpserver: HTTPServer, status: int, kind: str) -> None:
    """With its status, for the next source."""
    httpserver.expect_request("/financials/search/screener/").respond_with_json({}, status=status)
    with pytest.raises(ProviderError) as caught:
        vendor(httpserver, MARGIN)
    assert (caught.value.kind, caught.value.status) == (kind, status)


@pytest.mark.parametrize(
    ("criteria", "options"),
    [
        ((MARGIN,), {"sector": "banks"}),
        ((MARGIN,), {"as_of": "2024-01-01"}),
        ((MARGIN,), {"year": 2024}),
        ((Criterion("SGAIntensity", "gt", Decimal(1)),), {}),
    ],
)
def test_what_the_vendor_can_not_do_is_not_asked(
    httpserver: HTTPServer, criteria: Any, options: dict[str, Any]
) -> None:
    """The next source may."""
    with pytest.raises(ProviderError) as caught:
        vendor(httpserver, *criteria, **options)
    assert caught.value.kind == "not_covered"
    assert not httpserver.log


def test_the_sample_says_whom_it_stands_in_for(httpserver: HTTPServer) -> None:
    """The vendor without a key is named with its remedy, and so is who answered."""
    client = financial_datasets_client(None)
    providers = [FinancialDatasetsScreener(client, httpserver.url_for("")), SampleScreener(SAMPLE)]
    result = ask(("GrossMargin", "gt", "0.5"), providers=providers)
    assert [attempt.provider for attempt in result.tried] == ["financialdatasets", "sample"]
    assert (
        "Screened by sample. Asked before: financialdatasets needs a key. Set FINANCIAL_DATASETS_API_KEY" in result.text
    )
