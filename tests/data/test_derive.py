from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.company import Company, CompanyKind
from dexter.data.concepts import CONCEPTS, concept_named, find_concept
from dexter.data.derive import Column, CompanyFigures
from dexter.data.metrics import METRICS, MULTIPLES, find_metric, metric_named
from dexter.data.unavailable import Unavailable
from dexter.results import Cell

COMPANY = Company("T", "Test Corp", 1)
NOW = Column("annual", "2025-12-31")
YEARS = {"2025-12-31": 2025, "2024-12-31": 2024}


def cell(concept: str, value: str, end: str = NOW.end, currency: str = "USD") -> Cell:
    known = concept_named(concept)
    balance = known is not None and known.nature == "balance"
    return Cell(
        ticker="T",
        concept=concept,
        value=value,
        unit=currency,
        currency=currency,
        fiscal_year=YEARS[end],
        fiscal_period="FY",
        period_start="" if balance else f"{YEARS[end]}-01-01",
        period_end=end,
        accession=f"0000000001-{YEARS[end]}",
        filed=f"{YEARS[end] + 1}-02-01",
    )


def figure(name: str, *cells: Cell, kind: CompanyKind = "operating") -> Cell | Unavailable:
    return CompanyFigures(replace(COMPANY, kind=kind), cells).figure(name, NOW)


def value(name: str, *cells: Cell) -> Decimal:
    found = figure(name, *cells)
    assert isinstance(found, Cell), found
    return found.number


def reason(name: str, *cells: Cell, kind: CompanyKind = "operating") -> tuple[str, str]:
    found = figure(name, *cells, kind=kind)
    assert isinstance(found, Unavailable), found
    return found.why, found.reason


def test_a_ratio_says_how_it_was_computed_and_from_which_filing() -> None:
    """A margin is a pure number with its formula, its period and the filing both figures come from."""
    margin = figure("GrossMargin", cell("GrossProfit", "75"), cell("Revenues", "100"))
    assert isinstance(margin, Cell)
    assert (margin.value, margin.unit, margin.currency) == ("0.75", "pure", "")
    assert (margin.derived, margin.provenance) == ("GrossProfit / Revenues", "derived")
    assert (margin.fiscal_year, margin.period_start, margin.period_end) == (2025, "2025-01-01", NOW.end)
    assert (margin.accession, margin.filed) == ("0000000001-2025", "2026-02-01")


def test_growth_names_its_base_and_no_single_filing() -> None:
    """Growth over the year before rests on two filings and says which year the base is of."""
    growth = figure("RevenueGrowth", cell("Revenues", "150"), cell("Revenues", "120", "2024-12-31"))
    assert isinstance(growth, Cell)
    assert growth.value == "0.25"
    assert growth.derived == "Revenues / Revenues of FY2024 − 1"
    assert growth.accession == ""


def test_a_metric_may_rest_on_another() -> None:
    """The free cash flow margin is free cash flow over revenue."""
    cells = (cell("OperatingCashFlow", "30"), cell("CapitalExpenditures", "10"), cell("Revenues", "80"))
    assert value("FreeCashFlow", *cells) == 20
    assert value("FCFMargin", *cells) == Decimal("0.25")


@given(
    st.decimals("-1e18", "1e18", places=4),
    st.decimals("-1e18", "1e18", places=4),
)
def test_differences_lose_no_digit(left: Decimal, right: Decimal) -> None:
    """Free cash flow is exact, whatever the size of the two."""
    cells = (cell("OperatingCashFlow", str(left)), cell("CapitalExpenditures", str(right)))
    assert value("FreeCashFlow", *cells) == left - right


@given(
    st.decimals("-1e15", "1e15", places=2),
    st.decimals("0.01", "1e15", places=2),
)
def test_a_quotient_times_its_divisor_is_the_dividend(profit: Decimal, revenue: Decimal) -> None:
    """Ratios keep so many digits that multiplying back gives the figure."""
    margin = value("NetMargin", cell("NetIncome", str(profit)), cell("Revenues", str(revenue)))
    assert abs(margin * revenue - profit) <= abs(profit) * Decimal("1e-26")


@pytest.mark.parametrize("base", ["-5", "0"])
def test_growth_from_nothing_or_from_a_loss_is_not_meaningful(base: str) -> None:
    """No number at all, but a typed reason."""
    why, said = reason("NetIncomeGrowth", cell("NetIncome", "10"), cell("NetIncome", base, "2024-12-31"))
    assert why == "not_meaningful"
    assert said == f"Net income of the year before is {'zero' if base == '0' else 'negative'}"


def test_a_return_on_negative_equity_is_not_meaningful() -> None:
    """Two losses would else make a handsome return."""
    cells = (cell("NetIncome", "-10"), cell("StockholdersEquity", "-50"))
    assert reason("ReturnOnEquity", *cells) == ("not_meaningful", "Stockholders' equity is negative")


def test_two_currencies_never_meet() -> None:
    """A ratio of TWD to USD is refused and both are named."""
    cells = (cell("GrossProfit", "75", currency="TWD"), cell("Revenues", "100"))
    assert reason("GrossMargin", *cells) == ("currencies", "GrossProfit is in TWD, Revenues in USD")


def test_missing_stays_missing_and_says_what() -> None:
    """Nothing is computed from a figure that is not there; the reason names that figure, however deep."""
    why, said = reason("FCFMargin", cell("OperatingCashFlow", "30"), cell("Revenues", "80"))
    assert (why, said) == ("missing", "Capital expenditures of the year to 2025-12-31 is not there")
    assert reason("NetCash", cell("CashAndEquivalents", "1"))[1] == "Long-term debt on 2025-12-31 is not there"


def test_growth_without_a_year_before_is_missing() -> None:
    """A single year has no growth."""
    assert reason("RevenueGrowth", cell("Revenues", "10")) == (
        "missing",
        "Revenue of the year before 2025-12-31 is not there",
    )


def test_what_a_bank_has_not_is_not_applicable() -> None:
    """A bank's operating margin is neither missing nor zero."""
    why, said = reason("OperatingMargin", cell("Revenues", "10"), kind="bank")
    assert (why, said) == ("not_applicable", "a bank has no operating income")


def test_a_53_week_year_has_a_year_before() -> None:
    """Year ends 371 days apart are one year apart."""
    cells = (
        replace(cell("Revenues", "2"), period_end="2022-12-31"),
        replace(cell("Revenues", "1"), period_end="2021-12-25"),
    )
    found = CompanyFigures(COMPANY, cells).figure("RevenueGrowth", Column("annual", "2022-12-31"))
    assert isinstance(found, Cell)
    assert found.value == "1"


def test_every_definition_rests_on_lines_that_exist() -> None:
    """Each metric's needs are concepts of the statements, or the close."""
    for metric in (*METRICS, *MULTIPLES):
        assert all(need == "Close" or concept_named(need) for need in metric.needs), metric.name
        assert metric_named(metric.name) is metric


def test_names_are_unique_and_found_however_they_are_written() -> None:
    """No two lines share a name or label, and each is found by both, in any case and with any signs."""
    names = [line.name for line in (*CONCEPTS, *METRICS, *MULTIPLES)]
    labels = [line.label for line in (*CONCEPTS, *METRICS, *MULTIPLES)]
    assert len(set(names)) == len(names)
    assert len(set(labels)) == len(labels)
    for concept in CONCEPTS:
        assert find_concept(concept.name.upper()) is concept is find_concept(concept.label)
    for metric in (*METRICS, *MULTIPLES):
        assert find_metric(metric.name.upper()) is metric is find_metric(metric.label)


@pytest.mark.parametrize(
    ("said", "name"), [("sales", "Revenues"), ("R&D", "ResearchAndDevelopment"), ("capex", "CapitalExpenditures")]
)
def test_usual_words_are_understood(said: str, name: str) -> None:
    """What analysts say finds the line."""
    concept = find_concept(said)
    assert concept is not None
    assert concept.name == name
