"""Expected values of the blind questions, from the CSV files of the sample alone: run it to write, --check to compare.

Nothing of dexter is imported, so an error there can't hide here. The definitions are those of docs/definitions.md.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterator
from decimal import Context, Decimal
from pathlib import Path
from typing import Any, NamedTuple

QUESTIONS = Path(__file__).with_name("questions.jsonl")
SAMPLE = Path(__file__).parents[3] / "dexter" / "data" / "sample"

_PRECISION = Context(prec=28)
_BALANCES = {
    "CashAndEquivalents",
    "LongTermDebt",
    "SharesOutstanding",
    "StockholdersEquity",
    "TotalAssets",
    "TotalLiabilities",
}
_RATIOS = {
    "GrossMargin": ("GrossProfit", "Revenues"),
    "OperatingMargin": ("OperatingIncome", "Revenues"),
    "NetMargin": ("NetIncome", "Revenues"),
    "FCFMargin": ("FreeCashFlow", "Revenues"),
    "ResearchIntensity": ("ResearchAndDevelopment", "Revenues"),
    "CapexIntensity": ("CapitalExpenditures", "Revenues"),
    "CashConversion": ("OperatingCashFlow", "NetIncome"),
    "ReturnOnEquity": ("NetIncome", "StockholdersEquity"),
    "ReturnOnAssets": ("NetIncome", "TotalAssets"),
    "AssetTurnover": ("Revenues", "TotalAssets"),
    "LongTermDebtToEquity": ("LongTermDebt", "StockholdersEquity"),
    "LongTermDebtToAssets": ("LongTermDebt", "TotalAssets"),
    "LiabilitiesToAssets": ("TotalLiabilities", "TotalAssets"),
    "BookValuePerShare": ("StockholdersEquity", "SharesOutstanding"),
    "PriceToEarnings": ("Close", "EPSDiluted"),
    "PriceToSales": ("MarketCap", "Revenues"),
    "PriceToBook": ("MarketCap", "StockholdersEquity"),
    "PriceToFreeCashFlow": ("MarketCap", "FreeCashFlow"),
    "EVToSales": ("EnterpriseValue", "Revenues"),
    "FreeCashFlowYield": ("FreeCashFlow", "MarketCap"),
}
_DIFFERENCES = {
    "FreeCashFlow": ("OperatingCashFlow", "CapitalExpenditures"),
    "NetCash": ("CashAndEquivalents", "LongTermDebt"),
    "EnterpriseValue": ("MarketCap", "NetCash"),
}
_GROWTH = {
    "RevenueGrowth": "Revenues",
    "NetIncomeGrowth": "NetIncome",
    "OperatingIncomeGrowth": "OperatingIncome",
    "EPSGrowth": "EPSDiluted",
    "FreeCashFlowGrowth": "FreeCashFlow",
}

Cell = dict[str, Any]
Question = dict[str, Any]


class When(NamedTuple):
    """A fiscal year or quarter, twelve months `through` a quarter, or the day of a close."""

    year: int
    period: str
    through: str = ""
    day: str = ""


class MissingFigureError(LookupError):
    """The sample has no such figure, or the metric means nothing there."""


def _rows(name: str) -> list[dict[str, str]]:
    with (SAMPLE / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


class Sample:
    """The figures and closes of the CSV files by company."""

    def __init__(self) -> None:
        rows = _rows("figures.csv")
        self.tickers = sorted({row["ticker"] for row in rows})
        self.filed = {_key(row): Decimal(row["value"]) for row in rows}
        self.ends = {(row["ticker"], int(row["fiscal_year"]), row["fiscal_period"]): row["period_end"] for row in rows}
        self.closes = {(row["ticker"], row["date"]): Decimal(row["close"]) for row in _rows("prices.csv")}
        self.last_close = max(day for _, day in self.closes)

    def value(self, ticker: str, name: str, when: When) -> Decimal:
        """The exact value of a line, ratio, growth or multiple. Raises MissingFigureError."""
        if name in _GROWTH or name.endswith("QoQ"):
            return self._growth(ticker, name, when)
        if name in _RATIOS:
            left, right = (self.value(ticker, part, when) for part in _RATIOS[name])
            if right <= 0:
                raise MissingFigureError(f"{ticker} {name}: not meaningful")
            return _PRECISION.divide(left, right)
        if name in _DIFFERENCES:
            left, right = (self.value(ticker, part, when) for part in _DIFFERENCES[name])
            return left - right
        return self._line(ticker, name, when)

    def compute(self, cell: Cell) -> Decimal:
        """The value of an expected cell, with what is only asked for in questions: CAGR, changes and gaps."""
        ticker, name, when = cell["ticker"], cell["concept"], when_of(cell)
        if name.endswith("CAGR"):
            years = when.year - cell["from_year"]
            first, last = (
                self.value(ticker, name.removesuffix("CAGR"), When(year, "FY"))
                for year in (cell["from_year"], when.year)
            )
            return _PRECISION.power(_PRECISION.divide(last, first), _PRECISION.divide(Decimal(1), Decimal(years))) - 1
        if name.endswith("Change"):
            metric = name.removesuffix("Change")
            return self.value(ticker, metric, when) - self.value(ticker, metric, When(cell["from_year"], "FY"))
        if name.endswith("Gap"):
            line = name.removesuffix("Gap")
            return self.value(ticker, line, when) - self.value(cell["versus"], line, when)
        return self.value(ticker, name, when)

    def end_of(self, cell: Cell) -> str:
        """The day the cell's period ends."""
        when = when_of(cell)
        return when.day or self.ends[cell["ticker"], when.year, when.through or when.period]

    def _growth(self, ticker: str, name: str, when: When) -> Decimal:
        line = _GROWTH[name.removesuffix("QoQ")]
        before = _quarter_before(when) if name.endswith("QoQ") else when._replace(year=when.year - 1)
        base = self.value(ticker, line, before)
        if base <= 0:
            raise MissingFigureError(f"{ticker} {name}: base not positive")
        return _PRECISION.divide(self.value(ticker, line, when) - base, base)

    def _line(self, ticker: str, name: str, when: When) -> Decimal:
        if when.period == "close":
            return self._at_close(ticker, name, when.day)
        if when.period == "TTM":
            return self._twelve_months(ticker, name, when)
        return self._filed(ticker, name, when.year, when.period)

    def _filed(self, ticker: str, name: str, year: int, period: str) -> Decimal:
        try:
            return self.filed[ticker, name, year, period]
        except KeyError:
            raise MissingFigureError(f"{ticker} {name} {period} {year}") from None

    def _twelve_months(self, ticker: str, name: str, when: When) -> Decimal:
        if name in _BALANCES:
            return self._filed(ticker, name, when.year, when.through)
        if when.through == "Q4":
            return self._filed(ticker, name, when.year, "FY")
        quarters = [When(when.year, when.through)]
        while len(quarters) < 4:
            quarters.append(_quarter_before(quarters[-1]))
        return sum((self._filed(ticker, name, each.year, each.period) for each in quarters), Decimal(0))

    def _at_close(self, ticker: str, name: str, day: str) -> Decimal:
        if name == "Close":
            return self.closes[ticker, day]
        if name == "MarketCap":
            return self.closes[ticker, day] * self._newest_shares(ticker, day)
        last = max((end, year, period) for year, period, end in self._quarters(ticker) if end <= day)
        return self._twelve_months(ticker, name, When(last[1], "TTM", last[2]))

    def _newest_shares(self, ticker: str, day: str) -> Decimal:
        counts = {
            self.ends[ticker, year, period]: value
            for (company, name, year, period), value in self.filed.items()
            if company == ticker and name == "SharesOutstanding" and self.ends[ticker, year, period] <= day
        }
        if not counts:
            raise MissingFigureError(f"{ticker} SharesOutstanding")
        return counts[max(counts)]

    def _quarters(self, ticker: str) -> Iterator[tuple[int, str, str]]:
        for (company, year, period), end in self.ends.items():
            if company == ticker and period.startswith("Q"):
                yield year, period, end


def _key(row: dict[str, str]) -> tuple[str, str, int, str]:
    return row["ticker"], row["concept"], int(row["fiscal_year"]), row["fiscal_period"]


def _quarter_before(when: When) -> When:
    number = int(when.period[1:])
    return When(when.year, f"Q{number - 1}") if number > 1 else When(when.year - 1, "Q4")


def when_of(cell: Cell) -> When:
    """The period of an expected cell."""
    if cell["fiscal_period"] == "close":
        return When(0, "close", day=cell["period_end"])
    return When(cell["fiscal_year"], cell["fiscal_period"], cell.get("through", ""))


def unit_of(name: str) -> str:
    """What the value counts."""
    if name in {"EPSDiluted", "Close", "BookValuePerShare"}:
        return "USD/shares"
    if name == "SharesOutstanding":
        return "shares"
    pure = name in _RATIOS or name in _GROWTH or name.endswith(("QoQ", "CAGR", "Change"))
    return "pure" if pure else "USD"


def winner(sample: Sample, group: Question) -> str:
    """The company, or of one company the year, that has the most or least of what is ranked."""
    best: Callable[..., Cell] = max if group["winner_by"].startswith("max:") else min
    name = group["winner_by"].partition(":")[2]
    cells = [cell for cell in group["cells"] if cell["concept"] == name]
    if group.get("among") == "sample":
        cells = [_newest_year(sample, ticker, name) for ticker in sample.tickers]
    first = best(cells, key=sample.compute)
    one_company = len({cell["ticker"] for cell in cells}) == 1
    return f"FY{first['fiscal_year']}" if one_company else str(first["ticker"])


def _newest_year(sample: Sample, ticker: str, name: str) -> Cell:
    years = [key[2] for key in sample.filed if (key[0], key[1], key[3]) == (ticker, name, "FY")]
    return {"ticker": ticker, "concept": name, "fiscal_year": max(years), "fiscal_period": "FY"}


def with_values(sample: Sample, question: Question) -> Question:
    """The question with every expected value and winner computed anew."""
    if "cells" not in question:
        return question
    done = question | {"cells": [_with_value(sample, cell) for cell in question["cells"]]}
    if "winner_by" in question:
        done |= {"winner": winner(sample, question)}
    if "alternatives" in question:
        done |= {"alternatives": [with_values(sample, group) for group in question["alternatives"]]}
    return done


def _with_value(sample: Sample, cell: Cell) -> Cell:
    value = f"{sample.compute(cell):f}"
    return cell | {"period_end": sample.end_of(cell), "value": value, "unit": unit_of(cell["concept"])}


def read_questions() -> list[Question]:
    """The questions as they stand in the file."""
    return [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]


def written(questions: list[Question]) -> str:
    """The file's text: one object a line."""
    return "".join(json.dumps(question, ensure_ascii=False) + "\n" for question in questions)


def main(arguments: list[str]) -> int:
    """Write the file anew; with --check, say whether it would change."""
    sample = Sample()
    text = written([with_values(sample, question) for question in read_questions()])
    if arguments == ["--check"]:
        return int(text != QUESTIONS.read_text(encoding="utf-8"))
    QUESTIONS.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
