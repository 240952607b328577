"""Which XBRL tags and which sums stand for a line of the statements, in order of preference for each single period.

Filers change tags over the years and mix them within one, so no tag is chosen for a company: every period takes the
first way that has a figure for it. Plain names are of the taxonomy `us-gaap`; `ifrs-full` follows where it differs.
"""

from __future__ import annotations

from collections.abc import Mapping

from dexter.data.sec.balance_recipes import BALANCE, BALANCE_PARTS
from dexter.data.sec.cash_recipes import CASH_FLOW, CASH_FLOW_PARTS
from dexter.data.sec.income_recipes import CONTRACT_REVENUE, INCOME, INCOME_PARTS
from dexter.data.sec.recipe import Recipe

RECIPES: Mapping[str, Recipe] = {
    **INCOME,
    **INCOME_PARTS,
    **BALANCE,
    **BALANCE_PARTS,
    **CASH_FLOW,
    **CASH_FLOW_PARTS,
}

#: What of a line came from operations that the company has given up, which the line itself includes.
DISCONTINUED = {
    "NetIncome": "DiscontinuedIncome",
    "EPSBasic": "DiscontinuedPerShareBasic",
    "EPSDiluted": "DiscontinuedPerShareDiluted",
    "OperatingCashFlow": "DiscontinuedCashFlow",
}

#: The tags whose spans tell a company's fiscal years and quarters.
CALENDAR_TAGS = (
    "NetIncomeLoss",
    "ProfitLoss",
    "NetCashProvidedByUsedInOperatingActivities",
    "IncomeTaxExpenseBenefit",
    "Revenues",
    *CONTRACT_REVENUE,
    "SalesRevenueNet",
    "ifrs-full:ProfitLoss",
    "ifrs-full:Revenue",
    "ifrs-full:CashFlowsFromUsedInOperatingActivities",
)
