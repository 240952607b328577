"""What results say, by company, figure and period."""

from __future__ import annotations

from decimal import Decimal

from dexter.offline.evidence import Evidence, Span
from dexter.results import Cell, StoredResult

FY2025 = Span("2025-12-27", "annual", 2025, "FY", "2024-12-29")


def result(
    number: int, *cells: Cell, tool: str = "get_financials", text: str = "", **arguments: object
) -> StoredResult:
    return StoredResult(number, tool, arguments, "ok", text, cells)


def revenue(value: str, period: str = "FY") -> Cell:
    return Cell("AMD", "Revenues", value, "USD", 2025, period, "2024-12-29", "2025-12-27")


def test_the_newest_result_counts_where_two_say_the_same():
    """A figure looked up again replaces the one before, whatever the order they are read in."""
    for results in (
        (result(1, revenue("1")), result(2, revenue("2"))),
        (result(2, revenue("2")), result(1, revenue("1"))),
    ):
        cell = Evidence(results).figure("AMD", "Revenues", FY2025)
        assert cell is not None
        assert cell.value == "2"


def test_a_year_is_not_its_last_quarter():
    """Both end on the same day and are told apart."""
    evidence = Evidence([result(1, revenue("40"), revenue("10", "Q4"))])
    (quarter,) = evidence.spans("AMD", "quarterly")
    assert [evidence.figure("AMD", "Revenues", span).value for span in (FY2025, quarter)] == ["40", "10"]


def test_a_balance_stands_at_a_day_whatever_period_ends_on_it():
    """Assets at a year's end serve for the year, the quarter and the twelve months."""
    assets = Cell("AMD", "TotalAssets", "7", "USD", 2025, "FY", "", "2025-12-27")
    evidence = Evidence([result(1, assets, revenue("10", "Q4"))])
    (quarter,) = evidence.spans("AMD", "quarterly")
    assert evidence.figure("AMD", "TotalAssets", quarter) == assets


def test_outcomes_of_calculate_are_read_by_name():
    """The lines of steps are outcomes, those of inputs are not."""
    text = "a_2025 = 12  (#1 AMD Revenues)\nb_2024 = 10\ngrowth_a = growth(a_2025, b_2024) = 0.2"
    assert Evidence([result(1, tool="calculate", text=text)]).calculated == {"growth_a": Decimal("0.2")}


def test_a_call_is_known_by_its_arguments_in_any_order():
    """The same call is not made twice."""
    evidence = Evidence([result(1, tickers=["AMD"], period="annual")])
    assert evidence.was_called("get_financials", {"period": "annual", "tickers": ["AMD"]})
    assert not evidence.was_called("get_financials", {"period": "ttm", "tickers": ["AMD"]})


def test_why_a_company_or_a_multiple_is_missing_is_read_from_the_text():
    """The reasons are the tools' own."""
    text = "INTC · INTEL CORP · Nasdaq\nn.m. P/E, trailing: Diluted EPS is negative\n\nError (ORCL): not covered."
    evidence = Evidence([result(1, tool="get_market_data", text=text)])
    assert evidence.why_no_multiple("INTC", "P/E, trailing") == ("n.m.", "Diluted EPS is negative")
    assert evidence.why_no_multiple("INTC", "P/B") == ("", "")
    assert evidence.errors == {"ORCL": "not covered."}


def test_only_what_was_looked_up_as_of_a_day_is_known_on_it():
    """Results without a cut-off do not leak into an answer with one."""
    evidence = Evidence([result(1, revenue("1")), result(2, revenue("2"), as_of="2025-09-01")])
    assert [known.id for known in evidence.known_on("2025-09-01").results] == [2]


def test_calendar_names_follow_most_of_a_period():
    """A quarter to 26 October lies in the third calendar quarter; a year to 25 January in the year before."""
    assert Span("2025-10-26", "quarterly", 2026, "Q3").calendar_name == (2025, "Q3")
    assert Span("2026-01-25", "annual", 2026, "FY").calendar_name == (2025, "FY")
    assert Span("2025-06-30", "annual", 2025, "FY").calendar_name == (0, "FY")
