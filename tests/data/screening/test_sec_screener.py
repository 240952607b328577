"""Screens over EDGAR's frames, made of the recorded facts and served over loopback."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_httpserver import HTTPServer

from dexter.data.company import Company
from dexter.data.provider import Comparison, Criterion, Screened, ScreenQuery
from dexter.data.response import Limits
from dexter.data.sample.directory import packaged_directory
from dexter.data.screening.judging import judge
from dexter.data.screening.sec_screener import SecScreener
from dexter.data.sec.client import EdgarUrls, sec_client
from dexter.data.unavailable import Unavailable
from dexter.errors import ProviderError, ToolError
from dexter.results import Cell
from tests.support.edgar import recorded
from tests.support.frames import Rows, recorded_frames, serve_frames

TODAY = date(2026, 6, 1)


def criterion(metric: str, op: Comparison, value: str) -> Criterion:
    return Criterion(metric, op, Decimal(value))


def screen(
    server: HTTPServer, *criteria: Criterion, frames: Rows | None = None, today: date = TODAY, **options: Any
) -> Screened:
    if frames is not None:
        serve_frames(server, frames)
    url = server.url_for("").rstrip("/")
    client = sec_client("Test test@example.org", limits=Limits(attempts=1))
    screener = SecScreener(client, packaged_directory(), lambda: today, EdgarUrls(url, url, url))

    async def ask() -> Screened:
        try:
            return await screener.screen(ScreenQuery(criteria, **options))
        finally:
            await client.aclose()

    return asyncio.run(ask())


def row(cik: int, value: Any, end: str = "2025-12-31", **more: Any) -> dict[str, Any]:
    return {"cik": cik, "entityName": f"Company {cik}", "start": "2025-01-01", "end": end, "val": value} | more


def path(tag: str, period: str = "CY2025", unit: str = "USD") -> str:
    return f"/api/xbrl/frames/us-gaap/{tag}/{unit}/{period}.json"


def test_filed_figures_decide_and_the_universe_is_named(httpserver: HTTPServer) -> None:
    """Revenue over 100 billion in the recorded facts: Apple, NVIDIA and others, each with its filing."""
    found = screen(httpserver, criterion("Revenues", "gt", "100000000000"), frames=recorded_frames())
    figures = {match.company.ticker: match.figures[0] for match in found.matches}
    assert figures["NVDA"].value == "215938000000"
    assert figures["NVDA"].period_end == "2026-01-25"
    assert figures["AAPL"].value == "416161000000"
    assert figures["AAPL"].accession
    assert "AMD" not in figures
    numbers = [cell.number for cell in figures.values()]
    assert numbers == sorted(numbers, reverse=True)
    assert "EDGAR's frames of calendar 2025" in found.universe
    assert found.sources[0].as_of


def test_ratios_and_growth_are_those_of_the_statements(httpserver: HTTPServer) -> None:
    """Margin, return on equity at the year's own end and growth, with the one definition of each."""
    criteria = (
        criterion("GrossMargin", "gt", "0.3"),
        criterion("ReturnOnEquity", "gt", "0.01"),
        criterion("RevenueGrowth", "gt", "0.3"),
    )
    found = screen(httpserver, *criteria, frames=recorded_frames())
    figures = {match.company.ticker: match.figures for match in found.matches}
    margin, equity, growth = (round(cell.number, 4) for cell in figures["NVDA"])
    assert margin == Decimal("0.7107")
    assert growth == Decimal("0.6547")
    assert equity == round(Decimal(120067000000) / Decimal(157293000000), 4)
    assert {cell.period_end for cell in figures["NVDA"]} == {"2026-01-25"}
    assert "AAPL" not in figures


def test_a_balance_alone_is_of_the_calendar_years_end(httpserver: HTTPServer) -> None:
    """Without a flow that tells the fiscal year there is one day to compare at."""
    found = screen(httpserver, criterion("TotalAssets", "gt", "1"), frames=recorded_frames())
    asked = [request.path for request, _ in httpserver.log]
    assert asked
    assert all(each.endswith("CY2025Q4I.json") for each in asked)
    assert {cell.period_end for match in found.matches for cell in match.figures} <= {
        "2025-12-27", "2025-12-28", "2025-12-31", "2026-01-25", "2026-01-31", "2026-02-01",
    }  # fmt: skip


def test_what_lacks_a_figure_is_counted_not_passed_over(httpserver: HTTPServer) -> None:
    """A company without gross profit can't be judged by its margin; one that fails another criterion is out."""
    frames = {
        path("Revenues"): [row(11, 100), row(12, 100), row(13, 5)],
        path("GrossProfit"): [row(11, 60)],
    }
    found = screen(httpserver, criterion("GrossMargin", "gt", "0.5"), criterion("Revenues", "gt", "50"), frames=frames)
    assert (found.total, found.judged, found.unjudged) == (1, 2, 1)
    assert found.matches[0].company.cik == 11


def test_of_several_tags_the_preferred_one_with_a_figure_counts(httpserver: HTTPServer) -> None:
    """As in the statements: tag by tag, and a sum where there is no tag."""
    contract = "RevenueFromContractWithCustomerExcludingAssessedTax"
    frames = {
        path("Revenues"): [row(11, 100)],
        path(contract): [row(11, 90), row(12, 80)],
        path("CostOfRevenue"): [row(12, 30)],
    }
    found = screen(httpserver, criterion("GrossProfit", "gte", "50"), frames=frames)
    (match,) = found.matches
    assert (match.company.cik, match.figures[0].value) == (12, "50")
    assert match.figures[0].derived


def test_a_company_without_a_listed_ticker_stays_in(httpserver: HTTPServer) -> None:
    """Under its number at the SEC."""
    found = screen(httpserver, criterion("Revenues", "gt", "1"), frames={path("Revenues"): [row(999999998, 100)]})
    assert (found.matches[0].company.ticker, found.matches[0].company.name) == ("CIK999999998", "Company 999999998")


def test_more_matches_than_asked_for_are_counted(httpserver: HTTPServer) -> None:
    """The first few are shown, the total is of all."""
    frames = {path("NetIncomeLoss"): [row(cik, cik) for cik in range(100, 160)]}
    found = screen(httpserver, criterion("NetIncome", "gt", "0"), frames=frames, limit=5)
    assert (len(found.matches), found.total) == (5, 60)
    assert [match.figures[0].value for match in found.matches] == ["159", "158", "157", "156", "155"]


def test_a_frame_that_fails_fails_the_screen(httpserver: HTTPServer) -> None:
    """A part of the universe would look like the whole."""
    httpserver.expect_request(path("Revenues")).respond_with_json({"data": [row(11, 100)]})
    httpserver.expect_request(path("SalesRevenueNet")).respond_with_data("", status=503)
    with pytest.raises(ProviderError) as caught:
        screen(httpserver, criterion("Revenues", "gt", "1"), frames={})
    assert caught.value.kind == "unavailable"


@pytest.mark.parametrize("body", [[], {}, {"data": None}, {"data": {"a": 1}}, "x"])
def test_another_shape_is_bad_data(httpserver: HTTPServer, body: Any) -> None:
    """No frame, no screen."""
    httpserver.expect_request(path("NetIncomeLoss")).respond_with_json(body)
    with pytest.raises(ProviderError) as caught:
        screen(httpserver, criterion("NetIncome", "gt", "1"), frames={})
    assert caught.value.kind == "bad_data"


def test_broken_rows_cost_only_themselves(httpserver: HTTPServer) -> None:
    """No number, no day, no company: no figure."""
    bad = [row(11, None), row(12, "5"), row(13, True), row(14, 5, end="soon"), {"val": 5}, 7, None]
    frames: Rows = {path("NetIncomeLoss"): [row(15, 9), *bad]}
    found = screen(httpserver, criterion("NetIncome", "gt", "1"), frames=frames)
    assert (found.total, found.judged + found.unjudged) == (1, 1)


@pytest.mark.parametrize("metric", ["PriceToEarnings", "MarketCap", "SharesOutstanding", "BookValuePerShare"])
def test_what_frames_do_not_have_is_said(httpserver: HTTPServer, metric: str) -> None:
    """Prices and share counts: another source may have them, nothing is asked."""
    with pytest.raises(ProviderError) as caught:
        screen(httpserver, criterion(metric, "gt", "1"))
    assert caught.value.kind == "not_covered"
    assert not httpserver.log


def test_a_past_day_is_refused(httpserver: HTTPServer) -> None:
    """Frames hold what was filed last: as of a day they would look into the future."""
    with pytest.raises(ProviderError, match="as of today only"):
        screen(httpserver, criterion("Revenues", "gt", "1"), as_of="2024-01-01")


def test_a_sector_is_looked_up_company_by_company(httpserver: HTTPServer) -> None:
    """AMD and NVIDIA are semiconductors, Apple and Microsoft are not."""
    serve_frames(httpserver, recorded_frames())
    for cik in (2488, 320193, 789019, 1045810):
        httpserver.expect_request(f"/submissions/CIK{cik:010d}.json").respond_with_data(
            recorded(f"submissions/CIK{cik:010d}.json.gz")
        )
    httpserver.expect_request(re.compile("/submissions/.*")).respond_with_data("", status=404)
    found = screen(httpserver, criterion("Revenues", "gt", "1000000"), sector="semiconductors")
    assert "EDGAR does not tell the industry of" in found.notes[0]
    assert {match.company.ticker for match in found.matches} == {"NVDA", "AMD"}
    assert found.matches[0].industry == "Semiconductors & Related Devices"


def test_a_sector_of_too_many_is_asked_to_be_narrowed(httpserver: HTTPServer) -> None:
    """Thousands of look-ups would be refused; a part of them would be wrong."""
    frames = {path("NetIncomeLoss"): [row(cik, 9) for cik in range(1000, 1200)]}
    with pytest.raises(ToolError, match="200 companies"):
        screen(httpserver, criterion("NetIncome", "gt", "1"), frames=frames, sector="banks")


def test_before_april_the_year_before_is_the_newest(httpserver: HTTPServer) -> None:
    """Annual reports of the last year are not all in."""
    screener = SecScreener(
        sec_client("Test test@example.org"),
        packaged_directory(),
        lambda: date(2026, 2, 1),
        EdgarUrls(*["http://x"] * 3),
    )
    assert screener._plan(ScreenQuery((criterion("NetIncome", "gt", "1"),))).years == (2024,)


FIGURES = st.one_of(st.none(), st.integers(-5, 5))
CRITERIA = st.tuples(st.sampled_from(["gt", "gte", "lt", "lte", "eq"]), st.integers(-3, 3))


@given(st.lists(st.tuples(FIGURES, FIGURES), max_size=12), CRITERIA, CRITERIA)
def test_every_company_is_matched_out_or_counted(
    rows: list[tuple[int | None, int | None]], first: tuple[Any, int], second: tuple[Any, int]
) -> None:
    """Judged and unjudged are all there are, and a match meets every criterion."""
    query = ScreenQuery(
        (criterion("Revenues", first[0], str(first[1])), criterion("NetIncome", second[0], str(second[1])))
    )

    def figures(values: tuple[int | None, int | None]) -> Any:
        known = dict(zip(("Revenues", "NetIncome"), values, strict=True))

        def figure(name: str) -> Cell | Unavailable:
            number = known[name]
            if number is None:
                return Unavailable("X", name, "missing", "not there")
            return Cell("X", name, str(number), "USD", currency="USD")

        return figure

    found = judge(((Company("X", str(place)), figures(values)) for place, values in enumerate(rows)), query)
    assert found.judged + found.unjudged == len(rows)
    for match in found.matches:
        assert all(each.meets(cell.number) for each, cell in zip(query.criteria, match.figures, strict=True))
    numbers = [match.figures[0].number for match in found.matches]
    assert numbers == sorted(numbers, reverse=first[0] not in ("lt", "lte"))
