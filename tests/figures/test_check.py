"""The check of an answer, one worked example for each status and each kind of derivation."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.figures.check import FigureCheck, check_answer
from dexter.results import Cell, Source, StoredResult


def cell(ticker: str, concept: str, year: int, value: str, *, filed: str = "2026-02-25") -> Cell:
    """A fiscal year's figure, its year ending in January."""
    start, end = f"{year - 1}-01-26", f"{year}-01-25"
    return Cell(ticker, concept, value, "USD", year, "FY", start, end, label=concept, filed=filed)


CELLS = (
    cell("NVDA", "Revenues", 2026, "215938000000"),
    cell("NVDA", "Revenues", 2025, "130497000000"),
    cell("NVDA", "Revenues", 2024, "60922000000"),
    cell("NVDA", "GrossProfit", 2026, "153463000000"),
    cell("NVDA", "NetIncome", 2026, "120067000000"),
    cell("AMD", "Revenues", 2026, "34639000000"),
    cell("AMD", "NetIncome", 2026, "-4335000000"),
)
RUN = (StoredResult(3, "get_financials", {}, "ok", "", CELLS),)


def statuses(text: str, *results: StoredResult) -> list[str]:
    """What became of each figure of a text."""
    return [figure.status for figure in check_answer(text, results or RUN).figures]


@pytest.mark.parametrize(
    "text",
    [
        "NVDA's revenue was $215.9 billion in FY2026.",
        "In FY2026 NVDA had revenue of 215,938 million.",
        "| USD billion | NVDA FY2026 |\n|---|---|\n| Revenue | 215.9 |",
        "AMD made a net loss of $4.3 billion in FY2026.",
        "NVDA 2026财年营业收入为2159.38亿美元。",
    ],
)
def test_a_figure_that_a_cell_says_is_found(text: str) -> None:
    """At any scale and rounding, in a sentence or a table, a loss without its sign."""
    assert statuses(text) == ["found"]


def test_how_something_goes_is_not_which_way() -> None:
    """`fell slower` fell, `fell faster` too."""
    assert statuses("NVDA's revenue fell faster, by 65.5%, in FY2026.") == ["not_found"]


@pytest.mark.parametrize(
    "text",
    [
        "NVDA's revenue grew 65.5% in FY2026.",
        "NVDA's revenue rose by $85.4 billion in FY2026.",
        "NVDA's gross margin was 71.1% in FY2026.",
        "NVDA's net income was 55.6% of revenue in FY2026.",
        "NVDA's revenue growth slowed to 65.5% in FY2026.",
        "NVDA's revenue grew faster, by 65.5%, in FY2026.",
        "NVDA's revenue had a compound annual growth rate of 88.3% from FY2024 to FY2026.",
    ],
)
def test_a_figure_whose_operands_the_run_has_is_derived(text: str) -> None:
    """Growth and changes of one figure, ratios of one period, growth a year between named years."""
    assert statuses(text) == ["derived"]


@pytest.mark.parametrize(
    "text",
    [
        "NVDA's revenue once was $60.9 billion.",
        "NVDA in FY2026: revenue 215.9 billion. It earned 55.6% on sales.",
        "NVDA had a good FY2026. Revenue was $60.9 billion before that, and then $60.9 billion again.",
    ],
)
def test_a_figure_that_is_right_under_another_reading_is_not_called_wrong(text: str) -> None:
    """Its own words do not rule that reading out; what they do rule out is not found."""
    assert "not_found" not in statuses(text)
    assert statuses("In FY2026 NVDA's revenue was $60.9 billion.") == ["not_found"]


def test_a_table_is_of_the_only_company_that_the_answer_names() -> None:
    """A follow-up has the figures of two companies at hand; its table stands before the company's name."""
    text = "| period | Revenue (USD million) |\n|---|---|\n| FY2026 | 215,938 |\n\nThat is the revenue of NVDA."
    assert statuses(text) == ["found"]


def test_two_companies_are_compared_by_what_the_text_named_of_them() -> None:
    """A difference and a proportion rest on the two figures before them."""
    text = "Revenue in FY2026 was $215.9 billion at NVDA and $34.6 billion at AMD: 6.23× as much, $181.3 billion more."
    assert statuses(text) == ["found", "found", "derived", "derived"]


def test_a_calculation_of_the_run_is_a_derivation() -> None:
    """What `calculate` worked out of a company's figures is derived from that result."""
    inputs = [{"name": "nvda_revenue", "value": "215938000000", "source": "#3 NVDA Revenues"}]
    text = "nvda_revenue = 215938000000\nnvda_revenue_times_three = nvda_revenue * 3 = 647814000000"
    calculation = StoredResult(4, "calculate", {"values": inputs}, "ok", text)
    (figure,) = check_answer("At three times NVDA's revenue that is $647.8 billion.", (*RUN, calculation)).figures
    assert (figure.status, figure.result) == ("derived", 4)


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("NVDA's revenue was $130.5 billion in FY2026.", "this is FY2025"),
        ("NVDA's net income was $153.5 billion in FY2026.", "this is GrossProfit of FY2026"),
        ("AMD's revenue was $215.9 billion in FY2026.", "this is NVDA's Revenues of FY2026"),
        ("NVDA's revenue was $217.9 billion in FY2026.", "NVDA Revenues of FY2026 is 215,938,000,000"),
        ("Intel's revenue was $215.9 billion in FY2026.", "this is NVDA's Revenues of FY2026"),
    ],
)
def test_a_figure_of_something_else_is_not_found_and_the_nearest_is_named(text: str, nearest: str) -> None:
    """Another year, figure or company, or a digit apart: the same number elsewhere proves nothing."""
    (figure,) = check_answer(text, RUN).figures
    assert figure.status == "not_found"
    assert figure.nearest is not None
    assert figure.nearest.text == nearest


def test_a_value_that_a_later_filing_restated_is_not_found() -> None:
    """Of two values for one period the one filed last counts; the check says which filing the other is of."""
    older = StoredResult(
        2, "get_financials", {}, "ok", "", (cell("NVDA", "Revenues", 2025, "125000000000", filed="2025-02-26"),)
    )
    check = check_answer("NVDA's revenue was $125.0 billion in FY2025.", (older, *RUN))
    assert check.not_found[0].nearest is not None
    assert "as filed 2025-02-26" in check.not_found[0].nearest.text


@pytest.mark.parametrize(
    "text",
    [
        "NVDA's revenue fell 65.5% in FY2026.",
        "NVDA's revenue fell to $215.9 billion in FY2026 from $130.5 billion in FY2025.",
        "NVDA's revenue of $215.9 billion in FY2026 trails AMD's $34.6 billion.",
        "Revenue in FY2026: lower at NVDA, $215.9 billion against $34.6 billion at AMD.",
        "NVDA trails AMD in revenue: $215.9 billion against $34.6 billion in FY2026.",
        "Revenue in FY2026, lowest first: NVDA $215.9 billion, AMD $34.6 billion.",
        "NVDA had the smaller revenue in FY2026: $215.9 billion against $34.6 billion at AMD.",
    ],
)
def test_a_comparison_turned_round_flags_its_figures(text: str) -> None:
    """Every number may be right; what is wrong is what the words make of them."""
    assert "not_found" in statuses(text)


def test_what_adds_up_does_not_rise() -> None:
    """`adds up to` behind figures that fell tells no direction: a sum went nowhere."""
    figures = {2022: "13673", 2023: "11680", 2024: "15511", 2025: "19436"}
    cells = tuple(cell("WMT", "NetIncome", year, f"{millions}000000") for year, millions in figures.items())
    text = "Walmart Inc. (WMT): Net income over FY2023, FY2024, FY2025 adds up to $46.627 billion."
    assert statuses(text, StoredResult(1, "get_financials", {}, "ok", "", cells)) != ["not_found"]


def test_what_cannot_be_told_is_unchecked() -> None:
    """Without a company, or without any name for the figure, nothing is guessed."""
    assert statuses("The market grew 12.5% to $300 billion.") in (["unchecked"] * 2, ["not_found", "unchecked"])
    assert statuses("Out of every $100 some are lost.") == ["unchecked"]


def test_results_that_failed_say_nothing() -> None:
    """An error's cells are no evidence."""
    failed = StoredResult(3, "get_financials", {}, "error", "", CELLS)
    assert statuses("NVDA's revenue was $215.9 billion in FY2026.", failed) == ["not_found"]


def test_the_line_and_the_json_tell_the_same() -> None:
    """One line for under the answer, and objects with place, status, result and what is nearest."""
    check = check_answer("NVDA's revenue was $215.9 billion in FY2026, up 65.5% from $99.9 billion.", RUN)
    assert check.line() == "Figures: 1 found · 1 derived · 1 not found · 0 unchecked"
    first, *_, last = json.loads(json.dumps(check.to_json()))
    assert (first["text"], first["status"], first["result"], first["concept"]) == (
        "$215.9 billion",
        "found",
        3,
        "Revenues",
    )
    assert last["status"] == "not_found"
    assert FigureCheck().line() == ""


def test_what_only_the_web_says_is_found_and_marked() -> None:
    """A page's text, and a cell that is marked so."""
    page = StoredResult(
        5, "web_fetch", {}, "ok", "NVDA's headcount cost was $7.3 billion in FY2026.", (), (Source("web", "A page"),)
    )
    marked = replace(cell("NVDA", "InterestExpense", 2026, "259000000"), provenance="untrusted")
    text = "NVDA's headcount cost was $7.3 billion in FY2026. Interest expense was $259 million."
    check = check_answer(text, (*RUN, page, StoredResult(6, "web_search", {}, "ok", "", (marked,))))
    assert [(figure.status, figure.untrusted) for figure in check.figures] == [("found", True), ("found", True)]
    assert check.line().endswith("2 of them said by web pages only")


def test_the_web_replaces_nothing_that_was_filed() -> None:
    """A later page with another value makes the filing's no less right, and its own no more."""
    page = replace(cell("NVDA", "Revenues", 2026, "225938000000", filed="2026-11-01"), provenance="untrusted")
    results = (*RUN, StoredResult(5, "web_search", {}, "ok", "", (page,)))
    assert statuses("NVDA's revenue was $215.9 billion in FY2026.", *results) == ["found"]
    assert statuses("NVDA's revenue was $225.9 billion in FY2026.", *results) == ["not_found"]


def test_a_figure_names_the_filing_it_is_from() -> None:
    """Of a result's sources the one with the cell's accession number."""
    filings = (Source("filing", "10-Q", accession="1"), Source("filing", "10-K", accession="2"))
    cells = (replace(cell("NVDA", "Revenues", 2026, "215938000000"), accession="2"),)
    (figure,) = check_answer(
        "NVDA's revenue was $215.9 billion.", (StoredResult(3, "get_financials", {}, "ok", "", cells, filings),)
    ).figures
    assert figure.source == filings[1]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
KEYS = ("start", "end", "text", "status", "company", "concept", "period", "result", "source", "untrusted", "nearest")


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), JSON), max_size=3))
def test_whatever_a_record_holds_is_read(stored: list[dict[str, Any]]) -> None:
    """A damaged or newer file's figures are read without an exception, and what was read is written and read alike."""
    check = FigureCheck.from_json(stored)
    assert FigureCheck.from_json(json.loads(json.dumps(check.to_json()))) == check


def test_a_check_is_read_back_as_it_was_written() -> None:
    """Sources, derivations and nearest facts included."""
    check = check_answer("NVDA's revenue was $130.5 billion in FY2026, up 65.5%.", RUN)
    assert FigureCheck.from_json(json.loads(json.dumps(check.to_json()))) == check
