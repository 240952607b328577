"""The ratios, growth rates and multiples there are: one stated definition each, as data.

Computing them is `dexter.data.derive`'s business; the documentation's table is made from these lists.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from dexter.data.concepts import concept_named, label_of, plain
from dexter.data.provider import Period

Operation = Literal["ratio", "difference", "sum", "product", "growth"]
Group = Literal["margin", "growth", "return", "leverage", "cash", "multiple"]
Style = Literal["percent", "times", "amount"]

_SIGNS: dict[Operation, str] = {"ratio": "/", "growth": "/", "difference": "−", "sum": "+", "product": "×"}
_ALWAYS: frozenset[Period] = frozenset({"annual", "quarterly", "ttm"})
_FULL_YEARS: frozenset[Period] = frozenset({"annual", "ttm"})
_QUARTERS: frozenset[Period] = frozenset({"quarterly"})


@dataclass(frozen=True)
class Formula:
    """An operation on two concepts or metrics by name. Growth has one: `right` is 'year' or 'quarter' before."""

    operation: Operation
    left: str
    right: str

    @property
    def text(self) -> str:
        """As it is written in documentation: `GrossProfit / Revenues`."""
        if self.operation == "growth":
            return f"{self.left} / {self.left} of the {self.right} before − 1"
        return f"{self.left} {self.sign} {self.right}"

    @property
    def sign(self) -> str:
        """The sign between the operands."""
        return _SIGNS[self.operation]

    @property
    def operands(self) -> tuple[str, ...]:
        """The names it needs."""
        return (self.left,) if self.operation == "growth" else (self.left, self.right)


@dataclass(frozen=True)
class Metric:
    """One derived line: what it is called, how it is computed, and in which periods it means something."""

    name: str
    label: str
    group: Group
    formula: Formula
    style: Style = "amount"
    periods: frozenset[Period] = _ALWAYS
    note: str = ""

    @property
    def needs(self) -> tuple[str, ...]:
        """The concepts it rests on in the end, in the order of the formula."""
        names = (need for operand in self.formula.operands for need in _needs_of(operand))
        return tuple(dict.fromkeys(names))


def _percent(name: str, label: str, group: Group, left: str, right: str) -> Metric:
    return Metric(name, label, group, Formula("ratio", left, right), "percent")


def _times(name: str, label: str, group: Group, left: str, right: str) -> Metric:
    return Metric(name, label, group, Formula("ratio", left, right), "times")


def _growth(name: str, concept: str, label: str) -> tuple[Metric, ...]:
    """Year on year in every period, and quarter on quarter where there are quarters."""
    year = Metric(name, f"{label} growth, year on year", "growth", Formula("growth", concept, "year"), "percent")
    quarter = Formula("growth", concept, "quarter")
    quarterly = Metric(f"{name}QoQ", f"{label} growth, quarter on quarter", "growth", quarter, "percent", _QUARTERS)
    return year, quarterly


def _full_year(metric: Metric, note: str = "") -> Metric:
    """Of a year's flow and the balance at its end: a quarter's would be a quarter of it."""
    return replace(metric, periods=_FULL_YEARS, note=note)


_END_OF_PERIOD = "balance at period end"


def _per_share(name: str, label: str, left: str) -> Metric:
    """A value spread over the shares outstanding at the end of the period, not over their average."""
    metric = Metric(name, label, "return", Formula("ratio", left, "SharesOutstanding"))
    return _full_year(metric, "shares outstanding at period end")


METRICS: tuple[Metric, ...] = (
    _percent("GrossMargin", "Gross margin", "margin", "GrossProfit", "Revenues"),
    _percent("OperatingMargin", "Operating margin", "margin", "OperatingIncome", "Revenues"),
    _percent("NetMargin", "Net margin", "margin", "NetIncome", "Revenues"),
    _percent("ResearchIntensity", "R&D / revenue", "margin", "ResearchAndDevelopment", "Revenues"),
    _percent("SGAIntensity", "SG&A / revenue", "margin", "SellingGeneralAdministrative", "Revenues"),
    _percent("EffectiveTaxRate", "Effective tax rate", "margin", "IncomeTax", "IncomeBeforeTax"),
    Metric("FreeCashFlow", "Free cash flow", "cash", Formula("difference", "OperatingCashFlow", "CapitalExpenditures")),
    Metric("EBITDA", "EBITDA", "cash", Formula("sum", "OperatingIncome", "DepreciationAndAmortization")),
    _percent("FCFMargin", "Free cash flow margin", "cash", "FreeCashFlow", "Revenues"),
    _percent("OperatingCashFlowMargin", "Operating cash flow margin", "cash", "OperatingCashFlow", "Revenues"),
    _percent("FCFConversion", "Free cash flow / net income", "cash", "FreeCashFlow", "NetIncome"),
    _percent("CapexIntensity", "Capital expenditures / revenue", "cash", "CapitalExpenditures", "Revenues"),
    _times("CashConversion", "Operating cash flow / net income", "cash", "OperatingCashFlow", "NetIncome"),
    _percent("PayoutRatio", "Dividends / net income", "cash", "DividendsPaid", "NetIncome"),
    *_growth("RevenueGrowth", "Revenues", "Revenue"),
    *_growth("GrossProfitGrowth", "GrossProfit", "Gross profit"),
    *_growth("OperatingIncomeGrowth", "OperatingIncome", "Operating income"),
    *_growth("NetIncomeGrowth", "NetIncome", "Net income"),
    *_growth("EPSGrowth", "EPSDiluted", "Diluted EPS"),
    *_growth("OperatingCashFlowGrowth", "OperatingCashFlow", "Operating cash flow"),
    *_growth("FreeCashFlowGrowth", "FreeCashFlow", "Free cash flow"),
    _full_year(
        _percent("ReturnOnEquity", "Return on equity", "return", "NetIncome", "StockholdersEquity"), _END_OF_PERIOD
    ),
    _full_year(_percent("ReturnOnAssets", "Return on assets", "return", "NetIncome", "TotalAssets"), _END_OF_PERIOD),
    _full_year(_times("AssetTurnover", "Asset turnover", "return", "Revenues", "TotalAssets"), _END_OF_PERIOD),
    _per_share("BookValuePerShare", "Book value per share", "StockholdersEquity"),
    _per_share("RevenuePerShare", "Revenue per share", "Revenues"),
    _per_share("FreeCashFlowPerShare", "Free cash flow per share", "FreeCashFlow"),
    _per_share("OperatingCashFlowPerShare", "Operating cash flow per share", "OperatingCashFlow"),
    Metric(
        "NetCash",
        "Net cash",
        "leverage",
        Formula("difference", "CashAndEquivalents", "LongTermDebt"),
        note="neither short-term investments nor current debt",
    ),
    Metric("TotalDebt", "Total debt", "leverage", Formula("sum", "LongTermDebt", "CurrentDebt")),
    Metric(
        "WorkingCapital", "Working capital", "leverage", Formula("difference", "CurrentAssets", "CurrentLiabilities")
    ),
    _times("LongTermDebtToEquity", "Long-term debt / equity", "leverage", "LongTermDebt", "StockholdersEquity"),
    _times("LongTermDebtToAssets", "Long-term debt / assets", "leverage", "LongTermDebt", "TotalAssets"),
    _times("DebtToEquity", "Total debt / equity", "leverage", "TotalDebt", "StockholdersEquity"),
    _times("DebtToAssets", "Total debt / assets", "leverage", "TotalDebt", "TotalAssets"),
    _times("LiabilitiesToAssets", "Liabilities / assets", "leverage", "TotalLiabilities", "TotalAssets"),
    _times("EquityToAssets", "Equity / assets", "leverage", "StockholdersEquity", "TotalAssets"),
    _times("CurrentRatio", "Current ratio", "leverage", "CurrentAssets", "CurrentLiabilities"),
    _times("InterestCoverage", "Operating income / interest", "leverage", "OperatingIncome", "InterestExpense"),
)

MULTIPLES: tuple[Metric, ...] = (
    Metric("MarketCap", "Market capitalization", "multiple", Formula("product", "SharesOutstanding", "Close")),
    Metric(
        "EnterpriseValue",
        "Enterprise value",
        "multiple",
        Formula("difference", "MarketCap", "NetCash"),
        note="long-term debt added, cash and equivalents taken off",
    ),
    replace(
        _times("PriceToEarnings", "P/E, trailing", "multiple", "Close", "EPSDiluted"),
        note="the fiscal year's diluted EPS as filed where the twelve months are one, else four quarters' added up",
    ),
    _times("PriceToSales", "P/S, trailing", "multiple", "MarketCap", "Revenues"),
    _times("PriceToBook", "P/B", "multiple", "MarketCap", "StockholdersEquity"),
    _times("PriceToFreeCashFlow", "P/FCF, trailing", "multiple", "MarketCap", "FreeCashFlow"),
    _times("EVToSales", "EV / revenue, trailing", "multiple", "EnterpriseValue", "Revenues"),
    _times("EVToOperatingIncome", "EV / operating income, trailing", "multiple", "EnterpriseValue", "OperatingIncome"),
    _times("EVToEBITDA", "EV / EBITDA, trailing", "multiple", "EnterpriseValue", "EBITDA"),
    _percent("FreeCashFlowYield", "Free cash flow yield, trailing", "multiple", "FreeCashFlow", "MarketCap"),
)

_BY_NAME = {metric.name: metric for metric in (*METRICS, *MULTIPLES)}

_SAID_AS = {
    "FreeCashFlow": "fcf",
    "GrossMargin": "grossmargins grossprofitmargin",
    "OperatingMargin": "operatingmargins",
    "NetMargin": "netmargins profitmargin netprofitmargin",
    "RevenueGrowth": "salesgrowth revenuegrowthyoy",
    "ReturnOnEquity": "roe",
    "ReturnOnAssets": "roa",
    "PriceToEarnings": "pe peratio priceearnings",
    "PriceToSales": "ps psratio",
    "PriceToBook": "pb pbratio",
    "PriceToFreeCashFlow": "pfcf",
    "MarketCap": "marketcapitalisation",
    "EnterpriseValue": "ev",
}


def metric_named(name: str) -> Metric | None:
    """The metric of that exact name, or None."""
    return _BY_NAME.get(name)


def find_metric(said: str) -> Metric | None:
    """The metric meant by a name, a label or a usual word for it, however it is written; None where it is none."""
    return _said().get(plain(said))


def name_for_people(name: str) -> str:
    """The label of a concept or metric."""
    metric = _BY_NAME.get(name)
    return metric.label if metric else label_of(name)


@cache
def _said() -> dict[str, Metric]:
    said = {plain(name): metric for metric in _BY_NAME.values() for name in (metric.name, metric.label)}
    return {word: _BY_NAME[name] for name, words in _SAID_AS.items() for word in words.split()} | said


def _needs_of(name: str) -> tuple[str, ...]:
    metric = _BY_NAME.get(name)
    return metric.needs if metric else (name,)


def is_known(name: str) -> bool:
    """Whether cells may carry this name: a concept, a metric or a price."""
    return name in _BY_NAME or concept_named(name) is not None or name in ("Close", "Price")
