"""How companies and figures are called in questions."""

from __future__ import annotations

from collections.abc import Mapping

COMPANIES: Mapping[str, str] = {
    "AAPL": "Apple",
    "AMD": "AMD",
    "AMZN": "Amazon",
    "AVGO": "Broadcom",
    "GOOGL": "Alphabet",
    "INTC": "Intel",
    "JPM": "JPMorgan Chase",
    "META": "Meta",
    "MSFT": "Microsoft",
    "NVDA": "NVIDIA",
    "TSLA": "Tesla",
    "WMT": "Walmart",
}
# As a registrant's name or a share class has it, so that a ranking by other names is read, too.
ALSO: Mapping[str, tuple[str, ...]] = {
    "AMD": ("Advanced Micro Devices",),
    "GOOGL": ("Google", "GOOG"),
    "JPM": ("JPMorgan", "JP Morgan"),
    "META": ("Meta Platforms",),
}
# What a figure of a period is called; the first is the plainest.
FIGURES: Mapping[str, tuple[str, ...]] = {
    "Revenues": ("revenue", "total revenue", "sales"),
    "NetIncome": ("net income", "profit after tax"),
    "OperatingIncome": ("operating income", "operating profit"),
    "GrossProfit": ("gross profit",),
    "ResearchAndDevelopment": ("R&D expense", "research and development spending"),
    "OperatingCashFlow": ("operating cash flow", "cash flow from operations"),
    "CapitalExpenditures": ("capital expenditures", "capex"),
    "EPSDiluted": ("diluted EPS", "diluted earnings per share"),
    "TotalAssets": ("total assets",),
    "StockholdersEquity": ("shareholders' equity",),
    "CashAndEquivalents": ("cash and cash equivalents",),
    "LongTermDebt": ("long-term debt",),
}
BALANCES = frozenset({"TotalAssets", "StockholdersEquity", "CashAndEquivalents", "LongTermDebt"})


def names_of(tickers: tuple[str, ...]) -> dict[str, list[str]]:
    """How else each company is called."""
    return {ticker: [COMPANIES[ticker], *ALSO.get(ticker, ())] for ticker in tickers}


def possessive(name: str) -> str:
    """`Apple's`."""
    return f"{name}'s"
