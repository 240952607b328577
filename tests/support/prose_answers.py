"""Answers in prose with each figure marked, the results they rest on, and what each figure really is.

A file (`tests/figures/prose_answers.txt`) holds answers in blocks that begin with `===`: the question (`Q:`), calls
run by the real tools over the sample (`C:`), passages of a filing (`P:`), and below `---` the answer. In it,
`⟦$215.9 billion|NVDA Revenues FY2026⟧` marks a figure with what it is, `⟨up/down⟩` a word that turns round.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from dexter.results import Cell, StoredResult, ToolResult
from dexter.tools.tool import ToolContext
from tests.support.offline import Session

FOLDER = Path(__file__).parents[1] / "figures"
# The first file was written before anything checked it, the second after; its answers were not looked at while the
# first one's were being read right. The third is three sets, each checked once before anything was mended for it.
FILES = (FOLDER / "prose_answers.txt", FOLDER / "prose_answers_later.txt", FOLDER / "prose_answers_unseen.txt")
# Right answers without marks, whose alarms were not mended one by one: what the check does with text it meets first.
BLIND = FOLDER / "prose_answers_blind.txt"
# Four sets in a model's plain style, by an author who had not seen the checker: each checked once, then mended for.
FIRST_SIGHT = tuple(sorted((FOLDER / "first_sight").glob("*.txt")))
_FLOWS = ("Revenues", "GrossProfit", "OperatingIncome", "NetIncome", "OperatingCashFlow", "CapitalExpenditures")
_FIGURE = re.compile(r"⟦(?P<text>[^|⟧]*)\|(?P<truth>[^⟧]*)⟧")
_TURN = re.compile(r"⟨(?P<right>[^/⟩]*)/(?P<wrong>[^⟩]*)⟩")
_MARK = re.compile(f"{_FIGURE.pattern}|{_TURN.pattern}")


@dataclass(frozen=True)
class Marked:
    """A figure at `text[start:end]` of an answer, and what it is (`NVDA Revenues FY2026`, `growth …`, `text`)."""

    start: int
    end: int
    truth: str


@dataclass(frozen=True)
class Turn:
    """A word at `text[start:end]` that says which is more, and its opposite."""

    start: int
    end: int
    wrong: str


@dataclass(frozen=True)
class ProseAnswer:
    """An answer without marks, what was marked, and how its results come about."""

    question: str
    text: str
    figures: tuple[Marked, ...]
    turns: tuple[Turn, ...]
    calls: tuple[str, ...]
    passages: tuple[str, ...]


@cache
def prose_answers(file: Path = FILES[0]) -> tuple[ProseAnswer, ...]:
    """Every answer of a file."""
    blocks = file.read_text(encoding="utf-8").split("\n===\n")
    return tuple(_answer(block.removeprefix("===\n")) for block in blocks if block.strip())


def _answer(block: str) -> ProseAnswer:
    head, _, marked = block.partition("\n---\n")
    lines = [line.partition(": ") for line in head.splitlines() if line]
    figures: list[Marked] = []
    turns: list[Turn] = []
    text, at = "", 0
    for match in _MARK.finditer(marked := marked.strip("\n")):
        text += marked[at : match.start()]
        said = match["text"] if match["text"] is not None else match["right"]
        if match["text"] is not None:
            figures.append(Marked(len(text), len(text) + len(said), match["truth"]))
        else:
            turns.append(Turn(len(text), len(text) + len(said), match["wrong"]))
        text += said
        at = match.end()
    by_kind = {kind: tuple(value for key, _, value in lines if key == kind) for kind in "QCP"}
    return ProseAnswer(by_kind["Q"][0], text + marked[at:], tuple(figures), tuple(turns), by_kind["C"], by_kind["P"])


def arguments_of(call: str) -> tuple[str, dict[str, object]]:
    """The tool and arguments of a call line."""
    tool, *rest = call.split(" ")
    if tool == "get_financials":
        tickers, period, limit, concepts = rest
        return tool, {
            "tickers": tickers.split(","),
            "period": period,
            "limit": int(limit),
            "concepts": concepts.split(","),
        }
    if tool == "get_market_data":
        return tool, {"tickers": rest[0].split(",")}
    values, steps = rest[0].split(","), " ".join(rest[1:]).split(";")
    return tool, {
        "values": [dict(zip(("name", "value"), value.split("="), strict=True)) for value in values],
        "expressions": [dict(zip(("name", "expression"), step.split("=", 1), strict=True)) for step in steps],
    }


def stored(number: int, tool: str, arguments: Mapping[str, object], result: ToolResult) -> StoredResult:
    """A tool's result as the scratchpad gives it back."""
    return StoredResult(number, tool, arguments, result.status, result.text, result.cells)


class Facts:
    """The cells of some results, and what a mark says in terms of them."""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self._values: dict[tuple[str, str, str], Decimal] = {}
        for cell in cells:
            for period in period_names(cell):
                self._values.setdefault((cell.ticker, cell.concept, period), cell.number)
        self._values |= dict(self._to_date())

    def _to_date(self) -> Iterator[tuple[tuple[str, str, str], Decimal]]:
        """Quarters added up from the first: `Revenues to date` of Q3 are nine months."""
        for ticker, concept, period in list(self._values):
            quarters = [f"Q{number}{period[2:]}" for number in range(1, int(period[1]) + 1)] if period[0] == "Q" else []
            values = [self.get(ticker, concept, quarter) for quarter in quarters]
            if len(values) > 1 and concept in _FLOWS and None not in values:
                yield (ticker, f"{concept} to date", period), sum(filter(None, values), Decimal(0))

    def known(self) -> Sequence[tuple[str, str, str]]:
        """Ticker, concept and period of every value."""
        return tuple(self._values)

    def get(self, ticker: str, concept: str, period: str) -> Decimal | None:
        """The value of a figure, or None."""
        return self._values.get((ticker, concept, period))

    def value(self, truth: str) -> Decimal:
        """What a mark is worth; `text` has no value."""
        words = truth.split(" ")
        kind, rest = (words[0], words[1:]) if words[0].islower() else ("level", words)
        if kind == "neg":
            return -self.value(" ".join(rest))
        return _KINDS[kind](self, rest)

    def need(self, ticker: str, concept: str, *period: str) -> Decimal:
        """The value of a figure that must be there."""
        return self._values[ticker, concept, " ".join(period).replace("_", " ")]

    def pair(self, words: Sequence[str]) -> tuple[Decimal, Decimal]:
        """Two companies' figures: `NVDA/AMD Revenues FY2026/FY2025`; or one's of two periods, or two of its figures."""
        one, two = words[0].partition("/")[::2]
        left, right = words[1].partition("/")[::2]
        if two:
            first, second = words[2].split("/")
            return self.need(one, left, first), self.need(two, left, second)
        if right:
            return self.need(one, left, *words[2:]), self.need(one, right, *words[2:])
        return self.need(one, left, words[2]), self.need(one, left, words[3])


def _growth(facts: Facts, words: Sequence[str]) -> Decimal:
    old, new = facts.pair(words)
    return new / old - 1


def _change(facts: Facts, words: Sequence[str]) -> Decimal:
    old, new = facts.pair(words)
    return new - old if "/" not in words[0] else old - new


def _change_of_two(facts: Facts, words: Sequence[str]) -> Decimal:
    one, other = facts.pair(words)
    return one - other


def _ratio(facts: Facts, words: Sequence[str]) -> Decimal:
    one, other = facts.pair(words)
    return one / other


def _cagr(facts: Facts, words: Sequence[str]) -> Decimal:
    old, new = facts.pair(words)
    years = int(words[3][-4:]) - int(words[2][-4:])
    return (new / old) ** (Decimal(1) / years) - 1


_KINDS = {
    "level": lambda facts, words: facts.need(*words),
    "growth": _growth,
    "points": _change,
    "change": _change,
    "diff": _change,
    "diffof": _change_of_two,
    "ratio": _ratio,
    "share": _ratio,
    "cagr": _cagr,
}


def period_names(cell: Cell) -> Iterator[str]:
    """How marks call a cell's period."""
    if cell.fiscal_period == "TTM":
        yield f"TTM{cell.period_end}"
    elif cell.fiscal_year is None:
        yield cell.period_end
    else:
        yield f"FY{cell.fiscal_year}" if cell.fiscal_period == "FY" else f"{cell.fiscal_period} FY{cell.fiscal_year}"


async def results_of(answer: ProseAnswer) -> tuple[StoredResult, ...]:
    """The results that an answer rests on: its calls run by the real tools, and its passages."""
    session = Session()
    found: list[StoredResult] = []
    for number, call in enumerate(answer.calls, 1):
        if call.startswith("passage "):
            _, tool, ticker = call.split(" ")
            found.append(StoredResult(number, tool, {"ticker": ticker}, "ok", "\n".join(answer.passages)))
            continue
        name, arguments = arguments_of(call)
        tool = session.tools.get(name)
        result = await tool.run(tool.arguments.model_validate(arguments), ToolContext(session.store))
        found.append(stored(number, name, arguments, result))
    return tuple(found)


async def world_facts() -> tuple[Facts, tuple[StoredResult, ...]]:
    """Everything the sample knows: as facts for marks and errors, and as results."""
    session = Session()
    tool = session.tools.get("get_financials")
    market = session.tools.get("get_market_data")
    statements = ["income", "balance", "cash_flow", "ratios"]
    found: list[StoredResult] = []
    for tickers in (_TICKERS[:6], _TICKERS[6:]):
        calls = [
            (tool, {"tickers": tickers, "period": period, "limit": limit, "statements": statements})
            for period, limit in (("annual", 6), ("quarterly", 12), ("ttm", 6))
        ]
        for called, arguments in (*calls, (market, {"tickers": tickers})):
            result = await called.run(called.arguments.model_validate(arguments), ToolContext(session.store))
            found.append(stored(100 + len(found), called.name, arguments, result))
    return Facts(cell for result in found for cell in result.cells), tuple(found)


_TICKERS = ["AAPL", "AMD", "AMZN", "AVGO", "GOOGL", "INTC", "JPM", "META", "MSFT", "NVDA", "TSLA", "WMT"]
