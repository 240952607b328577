"""Figures that their words tie together, and those that only their neighbours date."""

from __future__ import annotations

import pytest

from dexter.figures.check import check_answer
from dexter.results import Cell, StoredResult

YEARS = (2023, 2024, 2025, 2026)
MARGINS = ("0.569", "0.727", "0.750", "0.711")
REVENUES = ("26974000000", "60922000000", "130497000000", "215938000000")
INCOMES = ("4368000000", "29760000000", "72880000000", "120067000000")


def cells() -> list[Cell]:
    """Four fiscal years of three figures."""
    rows = {"Revenues": REVENUES, "NetIncome": INCOMES, "GrossMargin": MARGINS}
    return [
        Cell("NVDA", concept, value, "USD", year, "FY", f"{year - 1}-01-26", f"{year}-01-25", label=concept)
        for concept, values in rows.items()
        for year, value in zip(YEARS, values, strict=True)
    ]


RUN = (StoredResult(1, "get_financials", {}, "ok", "", cells()),)


def statuses(text: str) -> list[str]:
    """What became of each figure of a text."""
    return [figure.status for figure in check_answer(text, RUN).figures]


@pytest.mark.parametrize(
    "text",
    [
        "NVDA's gross margin slipped to 71.1% from 75.0%.",
        "NVDA's gross margin went from 56.9% to 72.7%.",
        "NVDA's revenue grew 65.5% to $215.9 billion.",
        "NVDA's revenue was $215.9 billion, up from $130.5 billion.",
        "From FY2024 to FY2026 NVDA's revenue grew 254.4% (from $60.9 billion to $215.9 billion).",
    ],
)
def test_figures_that_fit_together_are_right_without_a_date(text: str) -> None:
    """The two ends of a move, and a growth with the value it led to."""
    told = statuses(text)
    assert len(told) > 1
    assert set(told) <= {"found", "derived"}


@pytest.mark.parametrize(
    "text",
    [
        "NVDA's gross margin slipped to 71.1% from 71.1%.",
        "NVDA's revenue grew 65.5% to $130.5 billion.",
        "NVDA's revenue was $130.5 billion, up from $130.5 billion.",
        "From FY2024 to FY2026 NVDA's revenue grew 254.4% (from $130.5 billion to $215.9 billion).",
    ],
)
def test_figures_that_cannot_fit_together_are_flagged(text: str) -> None:
    """Each of them is a figure of the run at some time, but not all of them as the words tie them."""
    assert "not_found" in statuses(text)


def test_one_figure_of_another_time_than_its_neighbours_is_flagged() -> None:
    """Where nothing is dated, two right figures of the newest year say when the third is."""
    text = "NVDA had revenue of $215.9 billion. Net income was {}. The gross margin was 71.1%."
    assert statuses(text.format("$120.1 billion")) == ["found", "found", "found"]
    assert statuses(text.format("$72.9 billion"))[1] == "not_found"


def test_a_growth_over_so_many_years_is_derived() -> None:
    """Of the newest year and the one so many years before."""
    assert statuses("Over three years, NVDA's revenue grew 700.5%.") == ["derived"]
    assert statuses("Over two years, NVDA's revenue grew 700.5%.") != ["derived"]
