"""Three sessions as recorded: what the model asked for turn by turn, and what the tools gave.

Results are financial JSON with figures of their own, so that every figure can be found again or missed.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SYSTEM = "You are a test."
QUESTION = "compare NVDA vs AMD"
ANSWER = "The answer."
TOOL = "get_financials"
TEXT_CHARS = 354
MIXED_RESULTS = 78
# Characters of a mixed session's results and how often each size comes up.
_SIZES = {1_000: 6, 4_000: 6, 12_000: 5, 20_000: 5, 30_000: 3, 48_000: 2, 60_000: 2, 109_000: 1}
_LARGE_FIGURE = re.compile(r"[0-9]{9,}")
_TEXT = (
    "Next I look at the filings of the following quarter, because the growth of the segment has to be set beside it. "
)


@dataclass(frozen=True)
class SessionTurn:
    """One turn: the text before the calls, and the results of its calls."""

    text: str
    results: tuple[str, ...]


@dataclass(frozen=True)
class Session:
    """A session by name; after its turns the model answers."""

    name: str
    turns: tuple[SessionTurn, ...]

    @property
    def results(self) -> tuple[str, ...]:
        """All results in order."""
        return tuple(result for turn in self.turns for result in turn.results)

    def to_json(self) -> dict[str, Any]:
        """Prompt, question, the tool, turns with their results, the answer: what a peer's driver plays."""
        return {
            "system": SYSTEM,
            "question": QUESTION,
            "tool": TOOL,
            "turns": [{"text": turn.text, "results": list(turn.results)} for turn in self.turns],
            "answer": ANSWER,
        }


def sessions() -> tuple[Session, ...]:
    """The three sessions; the same every time."""
    chance = random.Random(20_260_320)
    plain = [financial_json(20_000, chance) for _ in range(40)]
    text = (_TEXT * 4)[:TEXT_CHARS]
    return (
        Session("1: 40 × 20 KB", tuple(SessionTurn("", (result,)) for result in plain)),
        Session("2: the same with text", tuple(SessionTurn(text, (result,)) for result in plain)),
        Session("3: mixed, parallel", tuple(_mixed_turns(text, chance))),
    )


def _mixed_turns(text: str, chance: random.Random) -> Iterator[SessionTurn]:
    """Turns of one to four parallel calls until there are `MIXED_RESULTS` results."""
    left = MIXED_RESULTS
    while left:
        calls = min(chance.choice([1, 1, 2, 3, 4]), left)
        sizes = chance.choices(list(_SIZES), weights=list(_SIZES.values()), k=calls)
        yield SessionTurn(text, tuple(financial_json(size, chance) for size in sizes))
        left -= calls


def financial_json(chars: int, chance: random.Random) -> str:
    """Rows of statements as compact JSON, about `chars` long."""
    rows: list[dict[str, object]] = []
    length = 0
    while length < chars:
        row = {
            "ticker": chance.choice(["NVDA", "AMD", "INTC", "AVGO"]),
            "report_period": f"20{chance.randint(18, 26)}-{chance.randint(1, 12):02d}-28",
            "revenue": chance.randint(10**9, 10**11),
            "operating_income": chance.randint(10**8, 10**10),
            "earnings_per_share": round(chance.uniform(0.1, 9.9), 2),
        }
        rows.append(row)
        length += len(json.dumps(row, separators=(",", ":"))) + 1
    return json.dumps({"income_statements": rows}, separators=(",", ":"))[:chars]


def figures_of(text: str) -> frozenset[str]:
    """The large figures in a text: nine digits or more, practically unique."""
    return frozenset(_LARGE_FIGURE.findall(text))
