"""Every number of an answer is a cell or derived from cells: change one cell, and exactly what hangs on it changes."""

from __future__ import annotations

import asyncio
import csv
import shutil
from pathlib import Path

from dexter.data.metrics import metric_named, name_for_people
from dexter.data.sample.files import PACKAGED
from tests.support.offline import answer_to

QUESTION = "compare NVDA vs AMD"


def edited_sample(folder: Path, ticker: str, concept: str, period: str, year: str) -> Path:
    """A copy of the sample in which one figure is three times as large."""
    shutil.copytree(PACKAGED, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    path = folder / "figures.csv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    edited = [row for row in rows if (row["ticker"], row["concept"]) == (ticker, concept)]
    (cell,) = [row for row in edited if (row["fiscal_period"], row["fiscal_year"]) == (period, year)]
    cell["value"] = str(int(cell["value"]) * 3)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return folder


def table_cells(answer: str) -> dict[tuple[str, str], str]:
    """Every figure of the answer's tables by row and column."""
    cells: dict[tuple[str, str], str] = {}
    head: list[str] = []
    for line in answer.splitlines():
        if not line.startswith("|"):
            head = []
        elif not head:
            head = line.strip("|").split("|")
        else:
            label, *values = line.strip("|").split("|")
            cells |= {(label.split(" (")[0], column): value for column, value in zip(head[1:], values, strict=True)}
    return cells


def changed(before: str, after: str) -> set[tuple[str, str]]:
    old, new = table_cells(before), table_cells(after)
    assert old.keys() == new.keys()
    return {place for place, value in old.items() if new[place] != value}


def rests_on(label: str, concept: str) -> bool:
    """Whether the row of that label is the concept's, or a metric made of it."""
    names = [concept, *(name for name in METRICS if concept in metric_named(name).needs)]
    return label in {name_for_people(name) for name in names}


METRICS = (
    "RevenueGrowth", "GrossMargin", "OperatingMargin", "NetMargin", "ResearchIntensity", "FreeCashFlow", "FCFMargin",
)  # fmt: skip


def test_one_cell_of_a_year_changes_that_year_and_what_is_made_of_it(tmp_path):
    """Revenue of a fiscal year moves its own row, its growth and its margins, and the multiple that rests on it."""
    before = asyncio.run(answer_to(QUESTION))
    folder = edited_sample(tmp_path / "sample", "NVDA", "Revenues", "FY", "2026")
    after = asyncio.run(answer_to(QUESTION, folder=folder))
    rows = {label for label, column in table_cells(before) if column == "NVDA FY2026" and rests_on(label, "Revenues")}
    expected = {(label, "NVDA FY2026") for label in rows} | {("P/S, trailing", "NVDA (2026-03-20)")}
    assert changed(before, after) == expected
    assert len(expected) == 8


def test_one_cell_of_a_quarter_changes_the_twelve_months_only(tmp_path):
    """Cash flow of a quarter moves the twelve months' cash flow, free cash flow and its margin, and no year's."""
    before = asyncio.run(answer_to(QUESTION))
    folder = edited_sample(tmp_path / "sample", "AMD", "OperatingCashFlow", "Q1", "2026")
    after = asyncio.run(answer_to(QUESTION, folder=folder))
    labels = ("Operating cash flow", "Free cash flow", "Free cash flow margin")
    assert changed(before, after) == {(label, "AMD twelve months") for label in labels}


def test_sentences_that_do_not_rest_on_the_cell_stay(tmp_path):
    """Only the sentences about revenue and what is made of it change."""
    before = asyncio.run(answer_to(QUESTION))
    folder = edited_sample(tmp_path / "sample", "NVDA", "Revenues", "FY", "2026")
    after = asyncio.run(answer_to(QUESTION, folder=folder))
    gone = {line for line in before.splitlines() if line.startswith("- ")} - set(after.splitlines())
    assert {line[2:].split(":")[0].split(", highest")[0] for line in gone} == {
        "Revenue",
        "Gross margin",
    }


def test_a_changed_close_changes_price_and_multiples_only(tmp_path):
    """A price moves the market's rows and nothing from the statements."""
    folder = tmp_path / "sample"
    shutil.copytree(PACKAGED, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    prices = folder / "prices.csv"
    text = prices.read_text(encoding="utf-8")
    assert "AMD,2026-03-20,201.33" in text
    prices.write_text(text.replace("AMD,2026-03-20,201.33", "AMD,2026-03-20,403.00"), encoding="utf-8")
    before, after = asyncio.run(answer_to(QUESTION)), asyncio.run(answer_to(QUESTION, folder=folder))
    labels = ("Close", "Market capitalization", "P/E, trailing", "P/S, trailing")
    assert changed(before, after) == {(label, "AMD (2026-03-20)") for label in labels}
