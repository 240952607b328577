"""The lines of the statements: one name, label and nature for each, whichever provider fills them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dexter.data.provider import Statement

# A flow adds up over quarters, a balance stands at a day, a per-share value and an average do neither.
Nature = Literal["flow", "balance", "per_share", "average"]


@dataclass(frozen=True)
class Concept:
    """One line: `name` as in cells, `label` for people, and how its values behave over time."""

    name: str
    label: str
    statement: Statement
    nature: Nature = "flow"


CONCEPTS: tuple[Concept, ...] = (
    Concept("Revenues", "Revenue", "income"),
    Concept("CostOfRevenue", "Cost of revenue", "income"),
    Concept("GrossProfit", "Gross profit", "income"),
    Concept("ResearchAndDevelopment", "R&D expense", "income"),
    Concept("SellingGeneralAdministrative", "SG&A expense", "income"),
    Concept("OperatingIncome", "Operating income", "income"),
    Concept("InterestExpense", "Interest expense", "income"),
    Concept("IncomeBeforeTax", "Income before tax", "income"),
    Concept("IncomeTax", "Income tax", "income"),
    Concept("NetIncome", "Net income", "income"),
    Concept("EPSBasic", "EPS, basic", "income", "per_share"),
    Concept("EPSDiluted", "EPS, diluted", "income", "per_share"),
    Concept("WeightedSharesBasic", "Weighted average shares, basic", "income", "average"),
    Concept("WeightedSharesDiluted", "Weighted average shares, diluted", "income", "average"),
    Concept("DividendsPerShare", "Dividends per share", "income", "per_share"),
    Concept("CashAndEquivalents", "Cash and equivalents", "balance", "balance"),
    Concept("ShortTermInvestments", "Short-term investments", "balance", "balance"),
    Concept("AccountsReceivable", "Accounts receivable", "balance", "balance"),
    Concept("Inventory", "Inventory", "balance", "balance"),
    Concept("CurrentAssets", "Current assets", "balance", "balance"),
    Concept("TotalAssets", "Total assets", "balance", "balance"),
    Concept("AccountsPayable", "Accounts payable", "balance", "balance"),
    Concept("CurrentDebt", "Current debt", "balance", "balance"),
    Concept("CurrentLiabilities", "Current liabilities", "balance", "balance"),
    Concept("LongTermDebt", "Long-term debt", "balance", "balance"),
    Concept("TotalLiabilities", "Total liabilities", "balance", "balance"),
    Concept("MinorityInterest", "Minority interest", "balance", "balance"),
    Concept("StockholdersEquity", "Stockholders' equity", "balance", "balance"),
    Concept("SharesOutstanding", "Shares outstanding", "balance", "balance"),
    Concept("OperatingCashFlow", "Operating cash flow", "cash_flow"),
    Concept("DepreciationAndAmortization", "Depreciation and amortization", "cash_flow"),
    Concept("StockBasedCompensation", "Stock-based compensation", "cash_flow"),
    Concept("CapitalExpenditures", "Capital expenditures", "cash_flow"),
    Concept("DividendsPaid", "Dividends paid", "cash_flow"),
    Concept("ShareRepurchases", "Share repurchases", "cash_flow"),
)

_BY_NAME = {concept.name: concept for concept in CONCEPTS}


def concept_named(name: str) -> Concept | None:
    """The concept of that exact name, or None."""
    return _BY_NAME.get(name)


def label_of(name: str) -> str:
    """The label people read; an unknown name stands for itself."""
    concept = _BY_NAME.get(name)
    return concept.label if concept else name


def concepts_of(statements: tuple[Statement, ...]) -> tuple[Concept, ...]:
    """The lines of those statements in the order a statement has them."""
    return tuple(concept for concept in CONCEPTS if concept.statement in statements)
