"""From what was typed to one company, or a sentence that says why not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from dexter.data.company import Company, CompanyKind
from dexter.data.provider import CompanyDirectory
from dexter.errors import ToolError

_TICKER = re.compile(r"[A-Z0-9^]{1,6}(?:[-.][A-Z0-9]{1,4})?")
_SHOWN_CANDIDATES = 6
_WITHOUT_STATEMENTS: dict[CompanyKind, str] = {
    "fund": "a fund files no income statement, balance sheet or cash flow statement",
    "index": "an index has no financial statements",
    "crypto": "financial statements are not applicable to a crypto asset",
}


def look_up(asked: str, directory: CompanyDirectory) -> Company | str:
    """The company meant, or why it is not clear. A ticker no list knows is passed on: a provider may know it."""
    candidates = directory.resolve(asked)
    if len(candidates) == 1:
        return candidates[0]
    if candidates:
        names = "; ".join(f"{company.ticker} ({company.name})" for company in candidates[:_SHOWN_CANDIDATES])
        return f"{asked!r} could be {names}. Ask again with one of these tickers."
    ticker = asked.strip().lstrip("$").upper()
    if _TICKER.fullmatch(ticker):
        return Company(ticker, name="", notes=("not in the packaged list of companies",))
    return f"No company is known as {asked!r}. Ask with its ticker."


def each_once(asked: Iterable[str], directory: CompanyDirectory) -> list[str]:
    """The names as they were typed, each company's first: "AAPL", "aapl" and "Apple" are one. Share classes are not."""
    first: dict[str, str] = {}
    for name in map(str.strip, asked):
        found = look_up(name, directory)
        first.setdefault(name if isinstance(found, str) else found.ticker, name)
    return list(first.values())


def not_applicable(company: Company) -> str:
    """Why that kind of instrument has no statements; '' where it may have."""
    reason = _WITHOUT_STATEMENTS.get(company.kind, "")
    return f"{company.ticker} ({company.name}): {reason}. Prices may be there." if reason else ""


def check_day(argument: str, day: str) -> None:
    """Raises `ToolError` unless `day` is '' or written as YYYY-MM-DD."""
    if day and not is_day(day):
        raise ToolError(f"{argument} is {day!r}.", remedy="Give a day as YYYY-MM-DD.")


def is_day(text: str) -> bool:
    """Whether a text is a day as YYYY-MM-DD. Days are compared as texts: no other ISO form (20260131) will do."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
