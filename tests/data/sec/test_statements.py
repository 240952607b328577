from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dexter.data.sec.concepts import CALENDAR_TAGS, RECIPES
from dexter.data.sec.recipe import Formula
from tests.support.edgar import cut_store, full_store
from tests.support.filer import Filer, calendar_year
from tests.support.statements import cells, label, notes, one, values

NVDA, AMD, AAPL = 1045810, 2488, 320193
CASH = "NetCashProvidedByUsedInOperatingActivities"
Y2024, Q1_2024 = ("2024-01-01", "2024-12-31"), ("2024-01-01", "2024-03-31")


def two_years(tag: str = "Revenues", **also: dict) -> Filer:
    filer = Filer()
    calendar_year(filer, 2023, tag, (10, 20, 30, 40))
    calendar_year(filer, 2024, tag, (11, 22, 33, 44), **also)
    return filer


def balance(filer: Filer, day: str, **figures: int) -> None:
    """An annual report with a balance sheet, and an income that makes the year a year."""
    start = f"{day[:4]}-01-01"
    flows = {("NetIncomeLoss", start, day): 1}
    filer.file(
        "10-K", f"{int(day[:4]) + 1}-02-20", {**{(tag, "", day): value for tag, value in figures.items()}, **flows}
    )


# Which period


def test_year_to_date_beside_quarterly_values_is_not_taken_for_a_quarter() -> None:
    """Q2 is the three months, though the same filing has the six."""
    assert values(two_years().store(), "Revenues", period="quarterly", limit=4) == {
        "Q4 FY2024": "44",
        "Q3 FY2024": "33",
        "Q2 FY2024": "22",
        "Q1 FY2024": "11",
    }


def test_cash_flow_given_as_year_to_date_only_is_told_apart_by_quarter() -> None:
    """Q3 = nine months − six months, marked derived, with both filings named."""
    filer = Filer()
    filer.file("10-Q", "2024-05-05", {(CASH, *Q1_2024): 5})
    half = filer.file("10-Q", "2024-08-05", {(CASH, "2024-01-01", "2024-06-30"): 12})
    nine = filer.file("10-Q", "2024-11-05", {(CASH, "2024-01-01", "2024-09-30"): 21})
    filer.file("10-K", "2025-02-20", {(CASH, *Y2024): 40})
    found = one(filer.store(), "OperatingCashFlow", "Q3 FY2024")
    assert (found.value, found.derived, found.period_start) == ("9", "YTD-prior YTD", "2024-07-01")
    assert found.accession == nine
    assert half in found.source
    assert one(filer.store(), "OperatingCashFlow", "Q1 FY2024").derived is None


def test_the_fourth_quarter_that_is_never_filed_is_the_year_less_nine_months() -> None:
    """Derived, and cited from the annual report."""
    found = one(two_years().store(), "Revenues", "Q4 FY2024")
    assert (found.value, found.derived, found.form) == ("44", "YTD-prior YTD", "10-K")
    assert (found.period_start, found.period_end) == ("2024-10-01", "2024-12-31")


def test_a_year_restated_after_its_nine_months_is_not_mixed_with_them() -> None:
    """The fourth quarter is of one vintage: 100 − 60, not 130 − 60, and says that the year was restated since."""
    filer = two_years()
    filer.file(
        "10-K",
        "2026-02-20",
        {("Revenues", "2023-01-01", "2023-12-31"): 130, ("Revenues", "2025-01-01", "2025-12-31"): 1},
    )
    store = filer.store()
    assert one(store, "Revenues", "FY2023").value == "130"
    found = one(store, "Revenues", "Q4 FY2023")
    assert found.value == "40"
    assert found.derived == "YTD-prior YTD, as filed 2024-02-20, restated since"


def test_a_year_and_its_nine_months_restated_in_the_same_year_belong_together() -> None:
    """Both were recast: the fourth quarter is recast with them."""
    filer = two_years()
    filer.file(
        "10-Q",
        "2025-11-05",
        {("Revenues", "2024-01-01", "2024-09-30"): 70, ("Revenues", "2025-01-01", "2025-09-30"): 1},
    )
    filer.file("10-K", "2026-02-20", {("Revenues", *Y2024): 120, ("Revenues", "2025-01-01", "2025-12-31"): 2})
    found = one(filer.store(), "Revenues", "Q4 FY2024")
    assert (found.value, found.derived) == ("50", "YTD-prior YTD")


def test_earnings_per_share_are_not_subtracted() -> None:
    """Q4 is its income over the shares that make up the year's average, not 2.94 − 2.04."""
    found = one(full_store(NVDA), "EPSDiluted", "Q4 FY2025")
    assert (found.value, found.derived) == ("0.89", "Q4 net income/(4*FY-sum(Q1..Q3) diluted shares)")


def test_as_of_a_day_nothing_filed_later_is_used() -> None:
    """In June 2025 the newest quarter of NVIDIA is the one ended in April, and FY2025 the newest year."""
    store = full_store(NVDA)
    for period in ("annual", "quarterly", "ttm"):
        found = cells(store, period=period, as_of="2025-06-01", limit=8)
        assert max(each.filed for each in found) <= "2025-06-01"
        assert max(each.period_end for each in found) == ("2025-01-26" if period == "annual" else "2025-04-27")


@settings(max_examples=25, deadline=None)
@given(day=st.dates(min_value=date(2012, 1, 1), max_value=date(2026, 6, 1)))
def test_as_of_any_day_every_source_was_filed_by_then(day: date) -> None:
    """Also the filings that stand behind a difference or a sum."""
    store = cut_store("WMT")
    filed = {
        fact.accession: fact.filed
        for tag in CALENDAR_TAGS
        for facts in store.series(f"us-gaap:{tag}", "money").values()
        for fact in facts
    }
    for found in cells(store, period="ttm", as_of=str(day), limit=4, statements=("income", "cash_flow")):
        behind = found.source.partition("with filings ")[2].split(", ")
        assert max([found.filed, *(filed.get(accession, "") for accession in behind)]) <= str(day)


def test_twelve_months_are_the_year_plus_what_is_new() -> None:
    """FY + year to date − the same part of the year before; at the year's end the year as filed."""
    store = two_years().store()
    found = {label(each) + each.period_end: each for each in cells(store, concepts=("Revenues",), period="ttm")}
    middle = found["TTM FY20242024-06-30"]
    assert (middle.value, middle.derived, middle.period_start) == ("103", "FY+YTD-prior YTD", "2023-07-01")
    assert (found["TTM FY20242024-12-31"].value, found["TTM FY20242024-12-31"].derived) == ("110", "fiscal year 2024")
    assert "TTM FY20232023-03-31" not in found


@given(st.lists(st.tuples(*[st.integers(-(10**12), 10**12)] * 4), min_size=2, max_size=4))
def test_quarters_add_up_to_their_year_and_to_twelve_months(years: list[tuple[int, int, int, int]]) -> None:
    """Whatever the figures, and whether the company gives quarters or years to date alone."""
    filer = Filer()
    for index, quarters in enumerate(years):
        calendar_year(filer, 2020 + index, "Revenues", quarters)
    store = filer.store()
    by_quarter = [int(each.value) for each in cells(store, concepts=("Revenues",), period="quarterly")][::-1]
    assert by_quarter == [value for quarters in years for value in quarters]
    by_year = [int(each.value) for each in cells(store, concepts=("Revenues",), period="annual")][::-1]
    assert by_year == [sum(quarters) for quarters in years]
    trailing = [int(each.value) for each in cells(store, concepts=("Revenues",), period="ttm")][::-1]
    assert trailing == [sum(by_quarter[end - 4 : end]) for end in range(4, len(by_quarter) + 1)]


# Which unit


def test_missing_is_unknown_and_not_zero() -> None:
    """No inventory filed: no cell, and no nought."""
    assert not cells(two_years().store(), concepts=("Inventory", "ShareRepurchases", "InterestExpense"))


def test_a_zero_that_was_filed_is_a_zero() -> None:
    """Nothing owed within a year, said by the filer."""
    filer = Filer()
    balance(filer, "2024-12-31", LongTermDebtCurrent=0, ShortTermBorrowings=0)
    assert one(filer.store(), "CurrentDebt", "FY2024").value == "0"


def test_no_digit_is_lost_before_arithmetic() -> None:
    """Differences of decimals are exact, and a written nought after the point stays."""
    filer = Filer()
    filer.file(
        "10-Q",
        "2024-05-05",
        {("CommonStockDividendsPerShareDeclared", *Q1_2024): "0.10", ("NetIncomeLoss", *Q1_2024): 1},
    )
    half = ("2024-01-01", "2024-06-30")
    filer.file(
        "10-Q", "2024-08-05", {("CommonStockDividendsPerShareDeclared", *half): "0.30", ("NetIncomeLoss", *half): 1}
    )
    filer.file("10-K", "2025-02-20", {("NetIncomeLoss", *Y2024): 4})
    assert values(filer.store(), "DividendsPerShare", period="quarterly") == {"Q1 FY2024": "0.10", "Q2 FY2024": "0.20"}


# Which line


def test_a_tag_is_chosen_for_each_period() -> None:
    """A company that changes its tag keeps its history."""
    filer = Filer()
    calendar_year(filer, 2023, "SalesRevenueNet", (10, 20, 30, 40))
    calendar_year(filer, 2024, "RevenueFromContractWithCustomerExcludingAssessedTax", (11, 22, 33, 44))
    assert values(filer.store(), "Revenues") == {"FY2024": "110", "FY2023": "100"}


def test_a_tag_changed_within_the_year_still_gives_a_quarter() -> None:
    """The 10-K names revenue otherwise than the 10-Qs did; nowhere do the two tags disagree."""
    filer = Filer()
    filer.file("10-Q", "2024-05-05", {("SalesRevenueNet", *Q1_2024): 10})
    filer.file("10-Q", "2024-08-05", {("SalesRevenueNet", "2024-01-01", "2024-06-30"): 30})
    filer.file("10-Q", "2024-11-05", {("SalesRevenueNet", "2024-01-01", "2024-09-30"): 60})
    filer.file("10-K", "2025-02-20", {("Revenues", *Y2024): 100})
    assert one(filer.store(), "Revenues", "Q4 FY2024").value == "40"


def test_tags_that_have_disagreed_are_not_subtracted_from_each_other() -> None:
    """Net sales are no part of total revenue that leaves a quarter."""
    filer = Filer()
    filer.file(
        "10-Q",
        "2024-11-05",
        {("SalesRevenueNet", "2024-01-01", "2024-09-30"): 60, ("NetIncomeLoss", "2024-01-01", "2024-09-30"): 1},
    )
    filer.file("10-K", "2025-02-20", {("Revenues", *Y2024): 100, ("SalesRevenueNet", *Y2024): 95})
    filer.file("10-K", "2024-02-20", {("Revenues", "2023-01-01", "2023-12-31"): 90})
    assert values(filer.store(), "Revenues", period="quarterly") == {}


def test_a_restatement_under_another_tag_is_the_latest() -> None:
    """Capital expenditures recast under a new tag; a tag that stood beside the old one with another value is not."""
    filer = two_years(tag="PaymentsToAcquirePropertyPlantAndEquipment")
    filer.file("10-K", "2026-02-20", {("PaymentsToAcquireProductiveAssets", *Y2024): 120, ("NetIncomeLoss", *Y2024): 1})
    found = one(filer.store(), "CapitalExpenditures", "FY2024")
    assert (found.value, found.source) == ("120", "us-gaap:PaymentsToAcquireProductiveAssets")
    assert one(filer.store(), "CapitalExpenditures", "FY2024", vintage="first").value == "110"


def test_gross_profit_and_cost_each_follow_from_the_other() -> None:
    """One of them is filed: the other is derived, and neither waits for ever for the other."""
    for tag, filed, derived, how in (
        ("CostOfRevenue", "CostOfRevenue", "GrossProfit", "Revenues-CostOfRevenue"),
        ("GrossProfit", "GrossProfit", "CostOfRevenue", "Revenues-GrossProfit"),
    ):
        store = two_years(fy={(tag, *Y2024): 70}).store()
        assert one(store, filed, "FY2024").derived is None
        found = one(store, derived, "FY2024")
        assert (found.value, found.derived) == ("40", how)
    assert not cells(two_years().store(), concepts=("GrossProfit", "CostOfRevenue"))


def test_a_part_of_the_costs_leaves_no_gross_profit() -> None:
    """Costs of services alone, or without depreciation, are given as they are and not taken from revenue."""
    for tag in ("CostOfServices", "CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization"):
        store = two_years(fy={(tag, *Y2024): 70}).store()
        assert one(store, "CostOfRevenue", "FY2024").value == "70"
        assert not cells(store, concepts=("GrossProfit",))


def test_liabilities_are_assets_less_all_that_is_equity() -> None:
    """Minority interests and redeemable shares are no liabilities."""
    filer = Filer()
    balance(
        filer,
        "2024-12-31",
        Assets=1000,
        StockholdersEquity=300,
        StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest=340,
        MinorityInterest=40,
        RedeemableNoncontrollingInterestEquityCarryingAmount=60,
    )
    store = filer.store()
    found = one(store, "TotalLiabilities", "FY2024")
    assert (found.value, found.derived) == ("600", "Assets-Equity")
    assert one(store, "StockholdersEquity", "FY2024").value == "300"
    assert one(store, "MinorityInterest", "FY2024").value == "40"


def test_terms_of_a_sum_come_from_one_filing_where_a_later_one_restates_only_some() -> None:
    """Assets reclassified later are not set against equity of before."""
    filer = Filer()
    balance(filer, "2024-12-31", Assets=1000, StockholdersEquity=300)
    filer.file(
        "10-Q", "2025-05-05", {("Assets", "", "2024-12-31"): 950, ("NetIncomeLoss", "2025-01-01", "2025-03-31"): 1}
    )
    found = one(filer.store(), "TotalLiabilities", "FY2024")
    assert (found.value, found.form) == ("700", "10-K")


def test_one_debt_under_two_tags_counts_once() -> None:
    """AMD gives its 874 as long-term debt due and as short-term borrowings."""
    filer = Filer()
    balance(filer, "2024-12-31", LongTermDebtCurrent=874, ShortTermBorrowings=874)
    found = one(filer.store(), "CurrentDebt", "FY2024")
    assert (found.value, found.derived) == ("874", None)


def test_income_belongs_to_the_parent_where_others_have_a_share() -> None:
    """Profit of all, less the share of minorities."""
    filer = two_years(fy={("ProfitLoss", *Y2024): 50, ("NetIncomeLossAttributableToNoncontrollingInterest", *Y2024): 8})
    found = one(filer.store(), "NetIncome", "FY2024")
    assert (found.value, found.derived) == ("42", "ProfitLoss-minority share")


def test_a_banks_revenue_is_not_its_fees() -> None:
    """Revenue from contracts is a part; net interest and other income are the whole."""
    parts = {("InterestIncomeExpenseNet", *Y2024): 700, ("NoninterestIncome", *Y2024): 250}
    fees = {("RevenueFromContractWithCustomerExcludingAssessedTax", *Y2024): 90}
    store = two_years(tag="NetIncomeLoss", fy={**parts, **fees}).store()
    found = one(store, "Revenues", "FY2024", kind="bank")
    assert (found.value, found.derived) == ("950", "NetInterestIncome+NoninterestIncome")


@pytest.mark.parametrize(("filed", "shown", "derived"), [(1400, "950", True), (951, "951", False)])
def test_a_banks_revenue_is_net_of_the_interest_it_pays(filed: int, shown: str, *, derived: bool) -> None:
    """A total before interest paid is not taken; one that agrees with its parts is, as it was filed."""
    parts = {("InterestIncomeExpenseNet", *Y2024): 700, ("NoninterestIncome", *Y2024): 250}
    store = two_years(tag="NetIncomeLoss", fy={**parts, ("Revenues", *Y2024): filed}).store()
    found = one(store, "Revenues", "FY2024", kind="bank")
    assert (found.value, found.derived is not None) == (shown, derived)


def test_a_bank_is_known_by_its_deposits() -> None:
    """Even where nobody said what kind of company it is."""
    parts = {
        ("InterestIncomeExpenseNet", *Y2024): 700,
        ("NoninterestIncome", *Y2024): 250,
        ("Deposits", "", "2024-12-31"): 9,
    }
    fees = {("RevenueFromContractWithCustomerExcludingAssessedTax", *Y2024): 90}
    assert one(two_years(tag="NetIncomeLoss", fy={**parts, **fees}).store(), "Revenues", "FY2024").value == "950"


def test_an_insurers_revenue_is_not_its_fees() -> None:
    """Without a total there is none."""
    fees = {("RevenueFromContractWithCustomerExcludingAssessedTax", *Y2024): 90, ("PremiumsEarnedNet", *Y2024): 800}
    assert not cells(two_years(tag="NetIncomeLoss", fy=fees).store(), concepts=("Revenues",))


def test_shares_come_from_the_cover_of_the_periods_own_report() -> None:
    """Not from the cover of a later one, and with its day; else from the balance sheet."""
    found = one(full_store(AAPL), "SharesOutstanding", "FY2024")
    assert found.accession == "0000320193-24-000123"
    assert found.source == "dei:EntityCommonStockSharesOutstanding, cover page, as of 2024-10-18"
    filer = two_years(fy={("CommonStockSharesOutstanding", "", "2024-12-31"): 77})
    found = one(filer.store(), "SharesOutstanding", "FY2024")
    assert (found.value, found.source) == ("77", "us-gaap:CommonStockSharesOutstanding, reported (balance sheet)")


def test_a_slip_of_scale_on_a_cover_is_seen_and_said() -> None:
    """AMD's cover of July 2012 has a million times too many shares."""
    found = one(full_store(AMD), "SharesOutstanding", "Q2 FY2012")
    assert found.value == "707555106"
    assert "707555106000000" in (found.derived or "")


def test_accounts_under_ifrs_are_in_their_currency() -> None:
    """Lines of the IFRS taxonomy, in New Taiwan dollars, from 20-Fs; and it is said that none real was at hand."""
    filer = Filer("TWD", "ifrs-full")
    figures = {
        ("Revenue", *Y2024): 2894,
        ("CostOfSales", *Y2024): 1269,
        ("GrossProfit", *Y2024): 1625,
        ("ProfitLossFromOperatingActivities", *Y2024): 1322,
        ("ProfitLoss", *Y2024): 1158,
        ("ProfitLossAttributableToOwnersOfParent", *Y2024): 1173,
        ("CashFlowsFromUsedInOperatingActivities", *Y2024): 1826,
        ("Equity", "", "2024-12-31"): 4324,
        ("EquityAttributableToOwnersOfParent", "", "2024-12-31"): 4288,
        ("Assets", "", "2024-12-31"): 6691,
    }
    filer.file("20-F", "2025-04-17", figures)
    filer.file("20-F", "2025-04-17", {("DilutedEarningsLossPerShare", *Y2024): "45.25"}, unit="TWD/shares")
    store = filer.store()
    found = {each.concept: (each.value, each.unit) for each in cells(store)}
    assert found["Revenues"] == ("2894", "TWD")
    assert found["NetIncome"] == ("1173", "TWD")
    assert found["EPSDiluted"] == ("45.25", "TWD/shares")
    assert found["TotalLiabilities"] == ("2367", "TWD")
    assert found["StockholdersEquity"] == ("4288", "TWD")
    assert "IFRS" in notes(store)
    assert "TWD" in notes(store)


def test_a_line_asked_for_by_name_comes_alone() -> None:
    """Concepts narrow the statements; the newest period comes first."""
    found = cells(full_store(NVDA), concepts=("NetIncome", "Revenues"), limit=2)
    assert [(each.concept, each.fiscal_year) for each in found] == [
        ("NetIncome", 2026),
        ("NetIncome", 2025),
        ("Revenues", 2026),
        ("Revenues", 2025),
    ]


@pytest.mark.parametrize("name", sorted(RECIPES))
def test_every_part_of_a_recipe_is_a_recipe(name: str) -> None:
    """No formula names a line that is nowhere."""
    for way in RECIPES[name].ways:
        if isinstance(way, Formula):
            parts = {part.rstrip("?") for part in (*way.plus, *way.minus, *way.unless)}
            assert parts <= RECIPES.keys()


def test_no_twelve_months_are_made_across_a_change_of_year_end() -> None:
    """Six months of transition: the year before ended half a year earlier, and its own first half was never filed."""
    filer = Filer()
    before, transition = ("Revenues", "2022-01-01", "2022-12-31"), ("Revenues", "2023-01-01", "2023-06-30")
    filer.file("10-K", "2023-02-20", {before: 100})
    filer.file("10-KT", "2023-08-20", {transition: 60})
    filer.file("10-K", "2024-08-20", {("Revenues", "2023-07-01", "2024-06-30"): 130, transition: 60, before: 100})
    found = {cell.period_end: cell.value for cell in cells(filer.store(), period="ttm")}
    assert found == {"2024-06-30": "130", "2022-12-31": "100"}
