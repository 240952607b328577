"""What the vendor calls the lines of the statements, and where it has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dexter.data.provider import Period, Statement, StatementQuery


@dataclass(frozen=True)
class Table:
    """One statement as the vendor has it: where it is asked, under what name it comes, and what its fields are."""

    path: str
    key: str
    fields: Mapping[str, str]
    of_a_day: bool = False

    def period(self, query: StatementQuery) -> Period:
        """The period to ask for: a balance is of a quarter's end, whatever flows are summed beside it."""
        return "quarterly" if self.of_a_day and query.period == "ttm" else query.period


TABLES: Mapping[Statement, Table] = {
    "income": Table(
        "/financials/income-statements/",
        "income_statements",
        {
            "Revenues": "revenue",
            "CostOfRevenue": "cost_of_revenue",
            "GrossProfit": "gross_profit",
            "ResearchAndDevelopment": "research_and_development",
            "SellingGeneralAdministrative": "selling_general_and_administrative_expenses",
            "OperatingIncome": "operating_income",
            "InterestExpense": "interest_expense",
            "IncomeTax": "income_tax_expense",
            "NetIncome": "net_income",
            "EPSBasic": "earnings_per_share",
            "EPSDiluted": "earnings_per_share_diluted",
            "WeightedSharesBasic": "weighted_average_shares",
            "WeightedSharesDiluted": "weighted_average_shares_diluted",
            "DividendsPerShare": "dividends_per_common_share",
        },
    ),
    "balance": Table(
        "/financials/balance-sheets/",
        "balance_sheets",
        {
            "CashAndEquivalents": "cash_and_equivalents",
            "Inventory": "inventory",
            "CurrentAssets": "current_assets",
            "TotalAssets": "total_assets",
            "CurrentDebt": "current_debt",
            "CurrentLiabilities": "current_liabilities",
            "LongTermDebt": "non_current_debt",
            "TotalLiabilities": "total_liabilities",
            "StockholdersEquity": "shareholders_equity",
            "SharesOutstanding": "outstanding_shares",
        },
        of_a_day=True,
    ),
    "cash_flow": Table(
        "/financials/cash-flow-statements/",
        "cash_flow_statements",
        {
            "OperatingCashFlow": "net_cash_flow_from_operations",
            "DepreciationAndAmortization": "depreciation_and_amortization",
            "StockBasedCompensation": "share_based_compensation",
            "CapitalExpenditures": "capital_expenditure",
        },
    ),
}
# The vendor gives what flows out as a negative number; here a payment is an amount.
PAYMENTS = frozenset({"CapitalExpenditures"})
SHARES = frozenset({"WeightedSharesBasic", "WeightedSharesDiluted", "SharesOutstanding"})


def fields_of(statement: Statement, query: StatementQuery) -> dict[str, str]:
    """The fields of a statement that the query wants, by concept; empty where it wants none."""
    fields = TABLES[statement].fields
    if query.concepts:
        return {name: fields[name] for name in query.concepts if name in fields}
    return dict(fields) if statement in query.statements else {}
