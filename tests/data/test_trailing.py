from __future__ import annotations

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from dexter.data.periods import FiscalQuarter
from dexter.data.trailing import trailing_twelve_months
from dexter.results import Cell

LAST = FiscalQuarter(2025, 4)


def quarter(back: int, value: str, concept: str = "Revenues", unit: str = "USD") -> Cell:
    """The quarter so many quarters before Q4 FY2025."""
    of = LAST.before(back)
    month = 3 * of.quarter
    return Cell(
        ticker="T",
        concept=concept,
        value=value,
        unit=unit,
        currency="USD",
        fiscal_year=of.year,
        fiscal_period=f"Q{of.quarter}",
        period_start=f"{of.year}-{month - 2:02}-01",
        period_end=f"{of.year}-{month:02}-28",
        accession=f"0000000001-25-{back:06}",
        filed=f"{of.year}-12-{28 - back:02}",
    )


def year(value: str, concept: str = "Revenues") -> Cell:
    return Cell(
        ticker="T",
        concept=concept,
        value=value,
        unit="USD",
        currency="USD",
        fiscal_year=2025,
        fiscal_period="FY",
        period_start="2025-01-01",
        period_end="2025-12-28",
        accession="0000000002-26-000001",
        filed="2026-02-01",
    )


@given(st.lists(st.decimals(allow_nan=False, allow_infinity=False, places=3), min_size=4, max_size=4))
def test_four_quarters_add_up_exactly(values: list[Decimal]) -> None:
    """The sum is exact to the last digit, whatever the quarters, and covers their whole time."""
    (total,) = trailing_twelve_months([quarter(back, str(value)) for back, value in enumerate(values)])
    assert total.number == sum(values)
    assert (total.fiscal_period, total.period_start, total.period_end) == ("TTM", "2025-01-01", "2025-12-28")
    assert total.derived == "sum of the quarters Q1 FY2025 to Q4 FY2025"


def test_a_sum_names_every_filing_it_rests_on() -> None:
    """The four accession numbers are in its source, and it was known when the last was filed."""
    (total,) = trailing_twelve_months([quarter(back, "1") for back in range(4)])
    assert total.source == "filings " + ", ".join(f"0000000001-25-{back:06}" for back in range(4))
    assert total.filed == "2025-12-28"


@given(st.sets(st.integers(0, 9)))
def test_no_sum_without_all_four_quarters(there: set[int]) -> None:
    """Quarters with a hole give only those sums that have all four."""
    totals = trailing_twelve_months([quarter(back, "1") for back in there])
    ends = {LAST.before(back) for back in there if {back, back + 1, back + 2, back + 3} <= there}
    assert {(cell.fiscal_year, cell.value) for cell in totals} == {(end.year, "4") for end in ends}
    assert len(totals) == len(ends)


def test_quarters_of_different_currencies_are_not_added() -> None:
    """A change of currency within the year gives no twelve months."""
    cells = [quarter(0, "1", unit="EUR"), *(quarter(back, "1") for back in range(1, 4))]
    assert trailing_twelve_months(cells) == []


def test_a_fiscal_year_is_taken_as_filed() -> None:
    """Where the four quarters are a fiscal year, its own value stands, even if rounded quarters add up to less."""
    cells = [year("41"), *(quarter(back, "10") for back in range(4))]
    (total,) = trailing_twelve_months(cells)
    assert (total.value, total.derived, total.accession) == ("41", "fiscal year 2025", "0000000002-26-000001")


def test_balances_stand_at_the_end_and_averages_are_never_added() -> None:
    """Assets at the quarter's end are what they are; four quarters' average shares are no year's average."""
    balance = quarter(0, "7", concept="TotalAssets")
    averages = [quarter(back, "5", concept="WeightedSharesDiluted") for back in range(4)]
    assert trailing_twelve_months([balance, *averages]) == [balance]
    (average,) = trailing_twelve_months([*averages, year("6", concept="WeightedSharesDiluted")])
    assert average.value == "6"
