from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

import pytest

from dexter.data.sec.facts import FactStore
from dexter.data.sec.filed import FiledFigures
from dexter.data.sec.vintages import choose
from tests.support.edgar import cut_store, full_store, merged_store
from tests.support.shared import SHARED, shared
from tests.support.statements import cells, entries, notes, one

NVDA, AMD = 1045810, 2488
TRAPS = "cases/xbrl_traps.csv"
Row = dict[str, str]


@dataclass(frozen=True)
class Ask:
    """The cell a trap's figure is in."""

    concept: str
    period: str
    store: Callable[[], FactStore]
    vintage: str = "latest"


def nvda() -> FactStore:
    return full_store(NVDA)


def amd() -> FactStore:
    return full_store(AMD)


CELLS = {
    ("NVDA", "Q3 FY2026 revenue"): Ask("Revenues", "Q3 FY2026", nvda),
    ("NVDA", "Q3 FY2026 operating cash flow"): Ask("OperatingCashFlow", "Q3 FY2026", nvda),
    ("NVDA", "Q4 FY2026 capital expenditures"): Ask("CapitalExpenditures", "Q4 FY2026", nvda),
    ("NVDA", "Q4 FY2026 net income"): Ask("NetIncome", "Q4 FY2026", nvda),
    ("NVDA", "Q4 FY2026 revenue"): Ask("Revenues", "Q4 FY2026", nvda),
    # Rows that cite the filing that first had the figure.
    ("AMD", "Q4 FY2024 operating income"): Ask("OperatingIncome", "Q4 FY2024", amd, "first"),
    ("NVDA", "Q4 FY2025 diluted EPS"): Ask("EPSDiluted", "Q4 FY2025", nvda, "first"),
    ("AMD", "Q2 FY2024 revenue"): Ask("Revenues", "Q2 FY2024", amd, "first"),
    ("NVDA", "Q4 FY2026 diluted EPS"): Ask("EPSDiluted", "Q4 FY2026", nvda),
    ("NVDA", "FY2021 diluted EPS on today basis"): Ask("EPSDiluted", "FY2021", nvda),
    ("NVDA", "FY2024 diluted EPS"): Ask("EPSDiluted", "FY2024", nvda),
    ("NVDA", "Q1 FY2024 diluted EPS"): Ask("EPSDiluted", "Q1 FY2024", nvda),
    ("NVDA", "FY2024 diluted shares"): Ask("WeightedSharesDiluted", "FY2024", nvda),
    ("NVDA", "FY2024 revenue"): Ask("Revenues", "FY2024", nvda),
    ("AMD", "latest annual revenue"): Ask("Revenues", "FY2025", amd),
    ("NVDA", "latest annual revenue"): Ask("Revenues", "FY2026", nvda),
    ("AMD", "total liabilities at 2025-12-27"): Ask("TotalLiabilities", "FY2025", amd),
    ("AMD", "FY2025 operating cash flow"): Ask("OperatingCashFlow", "FY2025", amd),
    ("AMD", "FY2017 revenue"): Ask("Revenues", "FY2017", amd),
    ("AMD", "shares as of 2012-07-27"): Ask("SharesOutstanding", "Q2 FY2012", amd),
    ("AMD", "FY2022 net income"): Ask("NetIncome", "FY2022", amd),
    ("AMD", "FY2024 diluted EPS"): Ask("EPSDiluted", "FY2024", amd),
    ("AMZN", "latest fiscal year net income"): Ask("NetIncome", "FY2025", lambda: cut_store("AMZN")),
    ("AMD", "TTM at 2026-03-28"): Ask("Revenues", "TTM FY2026", lambda: merged_store("AMD")),
}
OTHERWISE = {
    ("NVDA", "fiscal label of the 10-Q filed 2010-05-21"): "test_a_label_comes_from_dates_not_from_the_filer",
    ("NVDA", "label of the year ended 2026-01-25"): "test_a_year_is_named_by_its_end_not_by_its_frame",
    ("AMD", "total debt at 2025-12-27"): "test_debt_is_both_its_parts",
    ("NVDA", "6 months to 2017-07-30"): "test_a_quarter_tagged_as_six_months_is_seen",
    ("AMD", "FY2025 effective tax rate"): "test_a_ratio_may_stand_in_any_unit",
}
NO_FILE = {("GOOGL", "cover shares"): "no facts of GOOGL are recorded"}


def traps() -> list[Row]:
    path = SHARED / TRAPS
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []


def key(row: Row) -> tuple[str, str]:
    return row["ticker"], row["what"]


def test_every_trap_is_tested_somewhere() -> None:
    """A row that no test knows is a failure, and so is a test that no longer exists."""
    shared(TRAPS)
    unknown = [key(row) for row in traps() if not (key(row) in CELLS or key(row) in OTHERWISE or key(row) in NO_FILE)]
    assert not unknown
    assert all(name in globals() for name in OTHERWISE.values())


@pytest.mark.parametrize("row", [row for row in traps() if key(row) in CELLS], ids=lambda row: " ".join(key(row)))
def test_a_trap_is_not_stepped_into(row: Row) -> None:
    """The right value, and the filing it rests on."""
    ask = CELLS[key(row)]
    found = one(ask.store(), ask.concept, ask.period, vintage=ask.vintage)
    assert found.number == Decimal(row["right"])
    assert found.accession == row["accession"]


def test_a_label_comes_from_dates_not_from_the_filer() -> None:
    """The 10-Q filed on 2010-05-21 calls itself Q2 of 2010; the quarter it reports on is Q1 FY2011."""
    found = one(nvda(), "SharesOutstanding", "Q1 FY2011", vintage="first")
    assert found.accession == "0001045810-10-000018"


def test_a_year_is_named_by_its_end_not_by_its_frame() -> None:
    """The year ended 2026-01-25 is FY2026, though its frame says CY2025; the quarter after it is Q1 FY2027."""
    assert one(nvda(), "Revenues", "FY2026").period_end == "2026-01-25"
    assert one(nvda(), "Revenues", "Q1 FY2027").period_end == "2026-04-26"


def test_a_figure_filed_three_times_is_one_row() -> None:
    """One cell for each line and period, whatever is filed again."""
    for period in ("annual", "quarterly"):
        found = [(each.concept, each.period_start, each.period_end) for each in cells(nvda(), period=period)]
        assert len(found) == len(set(found))


def test_debt_is_both_its_parts() -> None:
    """2,348 is the long-term part only; with 874 due within a year it is the 3,222 the company states itself."""
    parts = [one(amd(), concept, "FY2025").number for concept in ("LongTermDebt", "CurrentDebt")]
    assert parts == [2_348_000_000, 874_000_000]
    assert sum(parts) == 3_222_000_000


def test_operations_given_up_are_told_beside_the_total() -> None:
    """Operating cash flow of 7,709 holds 1,216 of them, net income of 4,335 holds 66, EPS of 2.65 holds 0.04."""
    said = notes(amd(), period="annual", limit=1)
    assert "Operating cash flow (USD) includes discontinued operations: FY2025 1216000000 of 7709000000." in said
    assert "Net income (USD) includes discontinued operations: FY2025 66000000 of 4335000000." in said
    assert "Diluted EPS (USD/shares) includes discontinued operations: FY2025 0.04 of 2.65." in said


def test_a_restated_year_is_there_as_first_filed_too() -> None:
    """FY2017 revenue of AMD: 5,329 as first filed under another tag, 5,253 since; net income 43 became -33."""
    first = one(amd(), "Revenues", "FY2017", vintage="first")
    assert (first.value, first.accession) == ("5329000000", "0000002488-18-000042")
    assert one(amd(), "NetIncome", "FY2017", vintage="first").value == "43000000"
    assert one(amd(), "NetIncome", "FY2017").value == "-33000000"


@pytest.mark.parametrize("day", ["", "2018-03-01"])
def test_a_quarter_tagged_as_six_months_is_seen(day: str) -> None:
    """The 10-K filed 2018-02-28 gives 928 for six months, which is the second quarter alone; the 10-Q says 1,715."""
    store = nvda().known_by(day)
    _, lines = entries(store, as_of=day)
    half = next(quarter for quarter in lines.calendar.quarters if quarter.end == "2017-07-30")
    found = choose(FiledFigures(store).to_date("CostOfRevenue", "money", half))
    assert found
    assert found.value == 1_715_000_000
    assert day or found.accession == "0001045810-18-000114"


def test_a_ratio_may_stand_in_any_unit() -> None:
    """The tax rate of FY2025 is in the unit `Rate`, the ones before in `pure`."""
    series = amd().series("us-gaap:EffectiveIncomeTaxRateContinuingOperations", "pure")
    assert series["2024-12-29", "2025-12-27"][-1].value == Decimal("-0.025")
    assert len({facts[-1].unit for facts in series.values()}) == 2


def test_a_rolling_year_in_a_10q_is_no_fiscal_year() -> None:
    """Amazon gives twelve months with every quarter: none but the calendar years are years."""
    found = cells(cut_store("AMZN"), period="annual", concepts=("NetIncome",))
    assert {each.period_end[5:] for each in found} == {"12-31"}
    assert found[0].fiscal_year == 2025


def test_an_older_year_in_shares_of_today_says_how() -> None:
    """FY2022 diluted EPS was filed as 3.85 before the ten-for-one split."""
    found = one(nvda(), "EPSDiluted", "FY2022")
    assert (found.value, found.derived) == ("0.385", "reported 3.85, split-adjusted /10")
    assert one(nvda(), "EPSDiluted", "FY2022", vintage="first").value == "3.85"


def test_the_text_of_a_number_is_kept() -> None:
    """1 is given as 1, 0.30 as it was sent: the type of a JSON number means nothing."""
    assert one(amd(), "EPSDiluted", "FY2024").value == "1"
