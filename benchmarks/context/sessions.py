"""Three sessions as recorded: what the model asked for turn by turn, and what the tools gave.

Results are financial JSON with figures of their own, so that every figure can be found again or missed.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass

TEXT_CHARS = 354
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


def sessions() -> tuple[Session, ...]:
    """The three sessions; the same every time."""
    chance = random.Random(20_260_320)
    plain = [financial_json(20_000, chance) for _ in range(40)]
    text = (_TEXT * 4)[:TEXT_CHARS]
    mixed = []
    sizes = [1_000, 4_000, 12_000, 20_000, 30_000, 48_000, 60_000, 109_000]
    while sum(len(turn.results) for turn in mixed) < 78:
        calls = chance.choice([1, 1, 2, 3, 4])
        chosen = chance.choices(sizes, weights=[6, 6, 5, 5, 3, 2, 2, 1], k=calls)
        mixed.append(SessionTurn(text, tuple(financial_json(size, chance) for size in chosen)))
    return (
        Session("1: 40 × 20 KB", tuple(SessionTurn("", (result,)) for result in plain)),
        Session("2: the same with text", tuple(SessionTurn(text, (result,)) for result in plain)),
        Session("3: mixed, parallel", tuple(mixed)),
    )


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


def figures_of(result: str) -> frozenset[str]:
    """The large figures of a result: nine digits or more, practically unique."""
    found = "".join(c if c.isdigit() else " " for c in result).split()
    return frozenset(word for word in found if len(word) >= 9)
