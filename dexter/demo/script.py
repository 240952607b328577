"""What the scripted model does in the demo, and why each turn is there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from dexter.context.compaction.parse import SECTIONS
from dexter.errors import ModelError
from dexter.messages import Messages, UserMessage
from dexter.models.protocol import ModelResponse
from dexter.models.scripted import Turn, calls, says
from dexter.results import Cell, ToolResult

QUESTION = "How profitable are NVDA and AMD, and how do they stand among ten large technology companies?"
TEN = ["AAPL", "AMD", "AMZN", "AVGO", "GOOGL", "INTC", "META", "MSFT", "NVDA", "TSLA"]
ALL = ["income", "balance", "cash_flow", "ratios"]
FINAL_CALL = (
    "get_financials",
    {"tickers": ["NVDA", "AMD"], "concepts": ["Revenues", "OperatingIncome", "NetIncome"], "limit": 1},
)


@dataclass(frozen=True)
class Typed:
    """A line the user types, and after which result."""

    after_result: int
    line: str


TYPED = Typed(4, "and say when their fiscal years ended")


def turns(answer: str) -> list[Turn]:
    """Turn by turn: what the model says and calls."""
    return [
        calls(_market(TEN[:2]), text="First their multiples."),
        # A result too large for the view goes to disk.
        calls(_financials(TEN, ALL, "quarterly", 8), text="Then the whole picture: ten companies, eight quarters."),
        # Two tools side by side; the user types meanwhile.
        calls(_financials(["NVDA", "AMD"], ["income"]), _market(["NVDA", "AMD"]), text="Now the two in question."),
        # The same tool again and again: a soft limit; and more than eight whole results, so that old ones are cleared.
        calls(*(_financials([ticker], ["income"]) for ticker in TEN[:6]), text="And some peers one by one."),
        # The provider says that the request is too long: cut down and asked again.
        ModelError(
            "prompt is too long: 33180 tokens > 32000 maximum", kind="context_overflow", used=33_180, limit=32_000
        ),
        # Results of one turn over the budget go to disk, the largest first; the rest is over the threshold: compaction.
        calls(
            *(_financials(TEN[n : n + 5], ALL, "quarterly", 8) for n in (0, 3, 5)),
            _financials(["NVDA"], ALL, "annual", 6),
            text="And all in groups.",
        ),
        says(answer),
    ]


def fast_turn(messages: Messages) -> ModelResponse:
    """What the fast model writes: notes about the user, or the nine sections of a summary."""
    asked = " ".join(message.text for message in messages if isinstance(message, UserMessage))
    return says(NOTES if "NOTHING" in asked else summary(), output_tokens=400)


NOTES = "- Compares NVDA with AMD and wants to know when fiscal years end."


def summary() -> str:
    """Nine sections; figures left out of the sixth are put back by the pipeline."""
    texts = {
        "Query and intent": "How profitable NVDA and AMD are, beside eight others; say when their fiscal years ended.",
        "Data retrieved": "Statements of ten companies (#2, #11 to #13), income of the two (#3), multiples (#1, #4).",
        "All numbers": "NVDA revenue 215,938 and AMD revenue 34,639, USD million, newest fiscal years.",
        "Next steps": "Answer.",
    }
    sections = (f"{number}. {title}\n{texts.get(title, 'Nothing.')}" for number, title in enumerate(SECTIONS, 1))
    return "<summary>\n" + "\n\n".join(sections) + "\n</summary>"


def _financials(tickers: list[str], statements: list[str], period: str = "annual", limit: int = 4) -> tuple[str, str]:
    return "get_financials", _json(tickers=tickers, statements=statements, period=period, limit=limit)


def _market(tickers: list[str]) -> tuple[str, str]:
    return "get_market_data", _json(tickers=tickers, parts=["multiples"])


def _json(**arguments: Any) -> str:
    return json.dumps(arguments)


def final_answer(figures: ToolResult) -> str:
    """The answer, its figures taken from the result of a real call."""
    cells = {(cell.ticker, cell.concept): cell for cell in figures.cells}
    rows = [_row(label, concept, cells) for label, concept in _LINES]
    ends = ", ".join(f"{ticker}'s on {cells[ticker, 'Revenues'].period_end}" for ticker in ("NVDA", "AMD"))
    return "\n".join(
        [
            f"**NVDA keeps {_margin('NVDA', cells)} of its revenue as operating income, AMD {_margin('AMD', cells)}.**",
            "",
            "| USD million, newest fiscal year | NVDA | AMD |",
            "| --- | ---: | ---: |",
            *rows,
            f"| Operating margin | {_margin('NVDA', cells)} | {_margin('AMD', cells)} |",
            "",
            f"Their fiscal years ended on different days: {ends}.",
        ]
    )


_LINES = (("Revenue", "Revenues"), ("Operating income", "OperatingIncome"), ("Net income", "NetIncome"))


def _row(label: str, concept: str, cells: dict[tuple[str, str], Cell]) -> str:
    values = " | ".join(f"{cells[ticker, concept].number / 1_000_000:,.0f}" for ticker in ("NVDA", "AMD"))
    return f"| {label} | {values} |"


def _margin(ticker: str, cells: dict[tuple[str, str], Cell]) -> str:
    share = cells[ticker, "OperatingIncome"].number / cells[ticker, "Revenues"].number
    return f"{share:.1%}"
