"""The judge of blind questions: what it lets pass and what not."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.support.blind_judge import problems

GROSS_MARGIN = {
    "ticker": "AMD",
    "concept": "GrossMargin",
    "fiscal_year": 2025,
    "fiscal_period": "FY",
    "period_end": "2025-12-27",
    "value": "0.4951643",
    "unit": "pure",
}
REVENUE = GROSS_MARGIN | {"concept": "Revenues", "value": "34639000000", "unit": "USD"}
NVIDIA = REVENUE | {"ticker": "NVDA", "value": "130497000000", "period_end": "2025-01-26"}
HOLE = {
    "question": "How much inventory does AMD carry?",
    "answerable": False,
    "must_mention": ["inventory"],
    "asked": ["inventory"],
    "tickers": ["AMD"],
}


def right(answer: str, *cells: dict[str, object], **more: object) -> bool:
    return not problems({"answerable": True, "cells": list(cells), **more}, answer)


@pytest.mark.parametrize(
    "answer",
    [
        "|period|period end|Revenue (USD million)|\n|-|-|-|\n|FY2025|2025-12-27|34,639|\n\nAMD.",
        "|figure|AMD FY2025|\n|-|-|\n|period end|2025-12-27|\n|Revenue (USD million)|34,639|",
        "AMD, FY2025 ended 2025-12-27: Revenue $34.6 billion.",
        "超威半导体2025财年：营业收入346.39亿美元。",
    ],
)
def test_a_figure_counts_however_it_is_laid_out(answer: str):
    """Tables by row and by column, sentences, and Chinese units all state the same figure."""
    assert right(answer, REVENUE)


@pytest.mark.parametrize(
    "answer",
    [
        "AMD, FY2025: Revenue $35 billion.",
        "AMD, FY2025: Revenue $34.7 billion.",
        "AMD, FY2025: Revenue $34.6 million.",
        "AMD, FY2025: Revenue -$34.6 billion.",
        "AMD, FY2024: Revenue $34.6 billion.",
        "AMD, FY2025 ended 2024-12-28: Revenue $34.6 billion.",
        "AMD: Revenue $34.6 billion.",
        "Intel, FY2025: Revenue $34.6 billion.",
        "|figure|INTC FY2025|AMD FY2025|\n|-|-|-|\n|Revenue (USD million)|34,639|52,853|",
        "**Notes**\n\n- AMD, FY2025: Revenue $34.6 billion.",
    ],
)
def test_a_figure_does_not_count_where_a_reader_would_be_misled(answer: str):
    """Two digits, a wrong digit, scale, sign, year, day or company, and what stands in the notes alone are wrong."""
    assert not right(answer, REVENUE)


def test_all_alternatives_are_tried():
    """A question without a period is answered by any of the usual ones, said with it."""
    quarter = GROSS_MARGIN | {
        "fiscal_year": 2026,
        "fiscal_period": "Q1",
        "period_end": "2026-03-28",
        "value": "0.528236",
    }
    answer = "AMD, Q1 FY2026 ended 2026-03-28: Gross margin 52.8%."
    assert not right(answer, GROSS_MARGIN)
    assert right(answer, GROSS_MARGIN, alternatives=[{"cells": [quarter]}])


@pytest.mark.parametrize(
    ("line", "passes"),
    [
        ("Revenue, highest first: NVDA $130.5 billion (FY2025), AMD $34.64 billion (FY2025).", True),
        ("Revenue, lowest first: AMD $34.64 billion (FY2025), NVDA $130.5 billion (FY2025).", True),
        ("Revenue, highest first: AMD $34.64 billion (FY2025), NVDA $130.5 billion (FY2025).", False),
        ("Revenue: AMD $34.64 billion (FY2025), NVDA $130.5 billion (FY2025).", False),
    ],
)
def test_a_ranking_must_name_its_winner(line: str, passes: bool):
    """Figures alone do not answer who leads, nor does the right list under the wrong head."""
    assert right(line, NVIDIA, REVENUE, winner="NVDA", winner_by="max:Revenues") == passes


def test_the_year_of_a_low_must_be_named():
    """Of one company's years the one asked for stands by the superlative."""
    lower = REVENUE | {"fiscal_year": 2023, "period_end": "2023-12-30", "value": "22680000000"}
    figures = "AMD went from $22.68 billion in FY2023 to $34.64 billion in FY2025 ended 2025-12-27."
    ranked = {"winner": "FY2023", "winner_by": "min:Revenues"}
    assert right(f"{figures} Lowest: $22.68 billion in FY2023.", lower, REVENUE, **ranked)
    assert not right(f"{figures} Lowest: $34.64 billion in FY2025.", lower, REVENUE, **ranked)


def test_basis_points_are_whole():
    """A change may be shown in whole basis points, and stands by both its years."""
    change = GROSS_MARGIN | {"concept": "GrossMarginChange", "from_year": 2024, "value": "0.00166"}
    assert right("AMD: from 49.4% in FY2024 to 49.5% in FY2025 (17 bps).", change)
    assert not right("AMD: 49.5% in FY2025 (17 bps).", change)


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("Not in the sample for AMD: inventory.", 0),
        ("|period|Inventory (USD million)|\n|-|-|\n|FY2025|7,920|\n\nAMD: not all lines are there.", 1),
        ("AMD's inventory was $7.92 billion; not audited.", 1),
        ("AMD has what it has.", 2),
        ("*Answered by rules, not by a model. Inventory.*", 2),
    ],
)
def test_what_is_not_there_is_said_and_not_invented(answer: str, wrong: int):
    """An answer to what can't be answered names it, says so outside the closing line, and shows no figure for it."""
    assert len(problems(HOLE, answer, [("AMD", Decimal(34639000000))])) == wrong


def test_the_company_s_other_figures_may_be_offered():
    """What the company did file is no invention, even in a line that names what is missing."""
    answer = "AMD has no inventory in the sample; revenue was $34.64 billion."
    assert problems(HOLE, answer, [("AMD", Decimal(34639000000))]) == []
