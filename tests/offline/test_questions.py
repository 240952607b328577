"""Questions people ask, each with the figures a right answer has, by cell of the sample.

`questions.csv` names cells, not numbers: `cell NVDA Revenues FY 2026`, `ratio`, `growth`, `cagr`, `sum` of cells, and
`text` for what rests on prices or several steps; `refuses` where nothing may be given, `declines` where it must be said
first.
"""

from __future__ import annotations

import asyncio
import csv
import re
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

from dexter.data.sample.files import PACKAGED
from tests.support.offline import answer_to

QUESTIONS = Path(__file__).with_name("questions.csv")
DECLINES = re.compile(
    r"not in the sample|Not in the sample|did not understand|can't answer|No company was named|make no forecasts"
    r"|give no opinion|don't work out|can't say why|not why|n/a|has no figures"
    r"|样本中没有|不在样本中|无法|未能|不作预测|不提供|不推演|不能说明|没有"
)


@cache
def figures() -> dict[tuple[str, str, str, str], Decimal]:
    with (PACKAGED / "figures.csv").open(encoding="utf-8", newline="") as lines:
        return {
            (row["ticker"], row["concept"], row["fiscal_period"], row["fiscal_year"]): Decimal(row["value"])
            for row in csv.DictReader(lines)
        }


def cases() -> list[tuple[str, str]]:
    with QUESTIONS.open(encoding="utf-8", newline="") as lines:
        return [(row["question"], row["expects"]) for row in csv.DictReader(lines)]


def percent(share: Decimal) -> str:
    number = share * 100
    decimals = 1 if abs(number) >= 10 else 2 if abs(number) >= 1 else 3
    return f"{number:.{decimals}f}%"


def amount(concept: str, value: Decimal) -> str:
    return f"{value:.2f}" if concept == "EPSDiluted" else f"{value / 1_000_000:,.0f}"


def expected(spec: str) -> str:
    """The text that a right answer has for one specification."""
    kind, *words = spec.split()
    if kind == "text":
        return " ".join(words)
    ticker, *rest = words
    if kind == "cell":
        concept, period, year = rest
        return amount(concept, figures()[ticker, concept, period, year])
    if kind == "ratio":
        left, right, period, year = rest
        return percent(figures()[ticker, left, period, year] / figures()[ticker, right, period, year])
    concept, *periods = rest
    if kind == "cagr":
        first, last = (figures()[ticker, concept, "FY", year] for year in periods)
        return percent((last / first) ** (1 / (Decimal(periods[1]) - Decimal(periods[0]))) - 1)
    values = [figures()[ticker, concept, *pair] for pair in zip(periods[::2], periods[1::2], strict=True)]
    return percent(values[0] / values[1] - 1) if kind == "growth" else amount(concept, sum(values))


@pytest.mark.parametrize(("question", "expects"), cases())
def test_a_question_is_answered_by_its_cells_or_declined(question: str, expects: str):
    """Every figure a right answer has is in it; what can't be answered is said, and no table pretends otherwise."""
    answer = asyncio.run(answer_to(question))
    figures_part = re.split(r"\*\*(?:Notes|说明)\*\*", answer)[0]
    for spec in expects.split("; "):
        if spec in ("declines", "refuses"):
            assert DECLINES.search(answer)
            assert spec == "declines" or "|" not in figures_part
        else:
            assert expected(spec) in answer
