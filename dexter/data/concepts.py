"""The lines of the statements: one name, label and nature for each, whichever provider fills them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from dexter.data.company import CompanyKind
from dexter.data.provider import Statement

# A flow adds up over quarters, a balance stands at a day, a per-share value and an average do neither.
Nature = Literal["flow", "balance", "per_share", "average"]

# Banks and insurers sort neither costs by function nor assets by term.
_FINANCIALS: frozenset[CompanyKind] = frozenset({"bank", "insurer"})


@dataclass(frozen=True)
class Concept:
    """One line: `name` as in cells, `label` for people, how its values behave over time, and who has no such line."""

    name: str
    label: str
    statement: Statement
    nature: Nature = "flow"
    not_for: frozenset[CompanyKind] = frozenset()


CONCEPTS: tuple[Concept, ...] = (
    Concept("Revenues", "Revenue", "income"),
    Concept("CostOfRevenue", "Cost of revenue", "income", not_for=_FINANCIALS),
    Concept("GrossProfit", "Gross profit", "income", not_for=_FINANCIALS),
    Concept("ResearchAndDevelopment", "R&D expense", "income", not_for=_FINANCIALS),
    Concept("SellingGeneralAdministrative", "SG&A expense", "income"),
    Concept("OperatingIncome", "Operating income", "income", not_for=_FINANCIALS),
    Concept("InterestExpense", "Interest expense", "income"),
    Concept("IncomeBeforeTax", "Income before tax", "income"),
    Concept("IncomeTax", "Income tax", "income"),
    Concept("NetIncome", "Net income", "income"),
    Concept("EPSBasic", "Basic EPS", "income", "per_share"),
    Concept("EPSDiluted", "Diluted EPS", "income", "per_share"),
    Concept("WeightedSharesBasic", "Average basic shares", "income", "average"),
    Concept("WeightedSharesDiluted", "Average diluted shares", "income", "average"),
    Concept("DividendsPerShare", "Dividends per share", "income", "per_share"),
    Concept("CashAndEquivalents", "Cash and equivalents", "balance", "balance"),
    Concept("ShortTermInvestments", "Short-term investments", "balance", "balance"),
    Concept("AccountsReceivable", "Accounts receivable", "balance", "balance", not_for=_FINANCIALS),
    Concept("Inventory", "Inventory", "balance", "balance", not_for=_FINANCIALS),
    Concept("CurrentAssets", "Current assets", "balance", "balance", not_for=_FINANCIALS),
    Concept("TotalAssets", "Total assets", "balance", "balance"),
    Concept("AccountsPayable", "Accounts payable", "balance", "balance", not_for=_FINANCIALS),
    Concept("CurrentDebt", "Current debt", "balance", "balance", not_for=_FINANCIALS),
    Concept("CurrentLiabilities", "Current liabilities", "balance", "balance", not_for=_FINANCIALS),
    Concept("LongTermDebt", "Long-term debt", "balance", "balance"),
    Concept("TotalLiabilities", "Total liabilities", "balance", "balance"),
    Concept("MinorityInterest", "Minority interest", "balance", "balance"),
    Concept("StockholdersEquity", "Stockholders' equity", "balance", "balance"),
    Concept("SharesOutstanding", "Shares outstanding", "balance", "balance"),
    Concept("OperatingCashFlow", "Operating cash flow", "cash_flow"),
    Concept("DepreciationAndAmortization", "Depreciation and amortization", "cash_flow"),
    Concept("StockBasedCompensation", "Stock-based compensation", "cash_flow"),
    Concept("CapitalExpenditures", "Capital expenditures", "cash_flow", not_for=_FINANCIALS),
    Concept("DividendsPaid", "Dividends paid", "cash_flow"),
    Concept("ShareRepurchases", "Share repurchases", "cash_flow"),
)

_BY_NAME = {concept.name: concept for concept in CONCEPTS}

# What people and models write for a line, lower case, letters and digits only.
_SAID_AS = {
    "Revenues": "revenue sales netsales totalrevenue totalrevenues netrevenue",
    "CostOfRevenue": "cogs costofsales costofgoodssold costs",
    "ResearchAndDevelopment": "rd rnd research researchdevelopment researchanddevelopmentexpense rdspending",
    "SellingGeneralAdministrative": "sga sgaexpense sellinggeneralandadministrative",
    "OperatingIncome": "operatingprofit operatingearnings",
    "IncomeBeforeTax": "pretaxincome profitbeforetax",
    "IncomeTax": "incometaxexpense taxes",
    "NetIncome": "netprofit netearnings earnings profit",
    "EPSDiluted": "eps dilutedeps epsdiluted earningspershare",
    "EPSBasic": "basiceps epsbasic",
    "CashAndEquivalents": "cash cashandcashequivalents",
    "TotalAssets": "assets",
    "TotalLiabilities": "liabilities",
    "LongTermDebt": "debt",
    "StockholdersEquity": "equity shareholdersequity stockholdersequity bookvalue",
    "SharesOutstanding": "shares sharesoutstanding",
    "OperatingCashFlow": "ocf cfo cashfromoperations cashflowfromoperations netcashprovidedbyoperatingactivities",
    "DepreciationAndAmortization": "da depreciation",
    "StockBasedCompensation": "sbc",
    "CapitalExpenditures": "capex capitalexpenditure",
    "DividendsPaid": "dividends",
    "ShareRepurchases": "buybacks repurchases",
}


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


def find_concept(said: str) -> Concept | None:
    """The line meant by a name, a label or a usual word for it, however it is written; None where it is none."""
    return _said().get(plain(said))


def plain(said: str) -> str:
    """Letters and digits only, lower case: what two spellings of a name have in common."""
    return "".join(character for character in said.lower() if character.isalnum())


@cache
def _said() -> dict[str, Concept]:
    said = {plain(name): concept for concept in CONCEPTS for name in (concept.name, concept.label)}
    return {word: _BY_NAME[name] for name, words in _SAID_AS.items() for word in words.split()} | said
