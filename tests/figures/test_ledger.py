"""The figures of results, and which of them a text states."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dexter.figures.bind import reader_of
from dexter.figures.ledger import Figure, distinct, figures_of, stated_in
from dexter.results import Cell, StoredResult


def cell(ticker: str, concept: str, year: int, value: str, *, unit: str = "USD", label: str = "") -> Cell:
    """A fiscal year's figure."""
    end = f"{year}-01-25"
    return Cell(ticker, concept, value, unit, year, "FY", f"{year - 1}-01-26", end, label=label, currency="USD")


CELLS = (
    cell("NVDA", "Revenues", 2026, "215938000000", label="Revenue"),
    cell("NVDA", "Revenues", 2025, "130497000000", label="Revenue"),
    cell("NVDA", "NetIncome", 2026, "120067000000", label="Net income"),
    cell("NVDA", "GrossMargin", 2026, "0.71068", unit="pure", label="Gross margin"),
    cell("NVDA", "EPSDiluted", 2026, "4.90", unit="USD/shares", label="Diluted EPS"),
    cell("AMD", "Revenues", 2026, "34639000000", label="Revenue"),
)
RESULT = StoredResult(3, "get_financials", {"tickers": ["NVDA", "AMD"]}, "ok", "", CELLS)


def stated(text: str, *results: StoredResult) -> set[tuple[str, str, str]]:
    """Company, concept and period of the figures that a text states."""
    reader = reader_of(results or [RESULT])
    states = stated_in(text, reader)
    figures = [figure for result in results or [RESULT] for figure in figures_of(result, reader)]
    return {(figure.company, figure.concept, figure.period) for figure in figures if states(figure)}


def test_cells_are_figures_with_label_period_and_id() -> None:
    """Every cell becomes one figure, exact and in its plain unit."""
    assert figures_of(RESULT)[0] == Figure(
        Decimal(215938000000), "USD", "Revenue", "NVDA", "FY2026", 3, "Revenues", figures_of(RESULT)[0].when
    )
    assert len(figures_of(RESULT)) == len(CELLS)


def test_a_text_without_cells_is_read_by_row_and_column() -> None:
    """Tables and sentences of a result give figures with unit, scale, company and period."""
    text = (
        "NVDA · NVIDIA CORP · Nasdaq · USD · fiscal year ends 01-25\n|USD million|FY2026|FY2025|\n|-|-|-|\n"
        "|period end|2026-01-25|2025-01-26|\n|Revenue|215,938|130,497|\n|Diluted EPS (USD/shares)|4.90|2.94|\n"
        "|Gross margin|71.07%|74.99%|\n\nData center revenue was $193.7 billion in FY2026."
    )
    figures = figures_of(StoredResult(5, "read_filings", {"ticker": "NVDA"}, "ok", text))
    told = {(f.company, f.concept, f.period, f.value, f.unit) for f in figures}
    assert ("NVDA", "Revenues", "FY2025", Decimal(130497000000), "USD") in told
    assert ("NVDA", "EPSDiluted", "FY2026", Decimal("4.90"), "USD/shares") in told
    assert ("NVDA", "GrossMargin", "FY2025", Decimal("0.7499"), "pure") in told
    assert ("NVDA", "Revenues", "FY2026", Decimal("193.7e9"), "USD") in told
    assert {f.result for f in figures} == {5}


def test_a_summary_states_a_figure_where_value_label_and_period_stand_together() -> None:
    """In sentences, lists with the unit said once, and tables, at any scale and rounding."""
    assert stated("NVDA revenue was $215.9 billion in FY2026 and $130.5 billion in FY2025.") == {
        ("NVDA", "Revenues", "FY2026"),
        ("NVDA", "Revenues", "FY2025"),
    }
    assert stated("#3 NVDA USD M | Revenue: FY2026 215,938; FY2025 130,497 | Net income: FY2026 120,067") == {
        ("NVDA", "Revenues", "FY2026"),
        ("NVDA", "Revenues", "FY2025"),
        ("NVDA", "NetIncome", "FY2026"),
    }
    table = "|USD million|NVDA FY2026|AMD FY2026|\n|-|-|-|\n|Revenue|215,938|34,639|\n|Gross margin|71.1%|n/a|"
    assert stated(table) == {
        ("NVDA", "Revenues", "FY2026"),
        ("AMD", "Revenues", "FY2026"),
        ("NVDA", "GrossMargin", "FY2026"),
    }
    assert stated("NVDA: gross margin FY2026 0.71068, diluted EPS FY2026 4.90") == {
        ("NVDA", "GrossMargin", "FY2026"),
        ("NVDA", "EPSDiluted", "FY2026"),
    }
    assert stated("英伟达2026财年营业收入为2159.38亿美元。") == {("NVDA", "Revenues", "FY2026")}


def test_a_value_of_another_label_period_or_company_states_nothing() -> None:
    """The digits alone are not the figure."""
    assert stated("NVDA net income was $215.9 billion in FY2026.") == set()
    assert stated("NVDA revenue was $215.9 billion in FY2025.") == set()
    assert stated("AMD revenue was $215.9 billion in FY2026.") == set()
    assert stated("NVDA revenue was $215.9 million in FY2026.") == set()
    assert stated("215.9") == set()


@pytest.mark.parametrize("numbering", ["5.", "(5)", "> 5."])
def test_the_numbering_of_a_list_states_nothing(numbering: str) -> None:
    """`5. Next steps` after a sentence on earnings per share is no 4.90 rounded."""
    text = f"NVDA revenue was $215.9 billion in FY2026, diluted EPS stood below.\n{numbering} Next steps: none."
    assert stated(text) == {("NVDA", "Revenues", "FY2026")}


def test_each_figure_stands_once_from_the_newest_result() -> None:
    """The same figure in two results is one, under the newer id."""
    again = StoredResult(7, RESULT.tool, RESULT.arguments, "ok", "", CELLS[:2])
    kept = distinct([*figures_of(RESULT), *figures_of(again)])
    assert len(kept) == len(CELLS)
    assert sorted(figure.result for figure in kept) == [3, 3, 3, 3, 7, 7]
