"""Two runs side by side, turn by turn: what each sent and cost, what happened to its context, what it still saw."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import zip_longest
from typing import Any

from dexter.replay.chart import MARKS
from dexter.replay.paper import Paper
from dexter.replay.rows import TurnRow, rows_of
from dexter.replay.timeline import Timeline
from dexter.text import one_line
from dexter.ui.cards import Line
from dexter.ui.literal import literal_line
from dexter.ui.words import cut, money, short

_NARROW = 90
_NAME_CELLS = 24
_NOTE_CELLS = 200
_NONE = "–"


@dataclass(frozen=True)
class Side:
    """One of the two: its name, its turns, and what is to be known of how it came about."""

    name: str
    rows: tuple[TurnRow, ...]
    notes: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Input tokens of all turns."""
        return sum(row.tokens or 0 for row in self.rows)

    @property
    def peak(self) -> int:
        """Those of the largest request."""
        return max((row.tokens or 0 for row in self.rows), default=0)

    @property
    def cost_usd(self) -> Decimal | None:
        """Cost of all turns; None where that of any is unknown."""
        costs = [row.cost_usd for row in self.rows]
        return None if None in costs else sum((cost for cost in costs if cost is not None), Decimal())

    @property
    def events(self) -> int:
        """How often something happened to the context: turns count once for each kind."""
        return sum(len(row.events) for row in self.rows)

    @property
    def in_view(self) -> float | None:
        """Which share of the known figures the last request held."""
        return next((row.share_in_view for row in reversed(self.rows) if row.known), None)


@dataclass(frozen=True)
class Comparison:
    """Two sides; `basis` says where tokens and cost come from."""

    left: Side
    right: Side
    basis: str

    @property
    def pairs(self) -> tuple[tuple[TurnRow | None, TurnRow | None], ...]:
        """The turns beside each other."""
        return tuple(zip_longest(self.left.rows, self.right.rows))

    def summary(self) -> str:
        """One line: the right side against the left."""
        left, right = self.left, self.right
        parts = [
            f"tokens in {short(left.tokens)} → {short(right.tokens)}{_change(left.tokens, right.tokens)}",
            _cost_change(left.cost_usd, right.cost_usd),
            f"largest request {short(left.peak)} → {short(right.peak)}",
            f"context events {left.events} → {right.events}",
            f"figures in the last view {_share(left.in_view)} → {_share(right.in_view)}",
        ]
        return f"{_name(right)} against {_name(left)}: {' · '.join(parts)}"

    def to_json(self) -> dict[str, Any]:
        """A JSON object: both sides with their turns, and the sums."""
        return {
            "basis": self.basis,
            "left": _side_json(self.left),
            "right": _side_json(self.right),
            "summary": self.summary(),
        }


def compare_runs(left: Timeline, right: Timeline) -> Comparison:
    """Two runs as they were.

    Raises:
        ScratchpadError: a file cannot be read.
    """
    return Comparison(_recorded(left), _recorded(right), "Tokens and cost as recorded.")


def _recorded(timeline: Timeline) -> Side:
    facts = (one_line(timeline.header.question), f"model {timeline.header.model}", f"policy {timeline.header.policy}")
    return Side(timeline.run, rows_of(timeline), (cut(" · ".join(facts), _NOTE_CELLS),))


def print_comparison(comparison: Comparison, paper: Paper) -> None:
    """Notes, a line a turn, the legend, the summary."""
    for side in (comparison.left, comparison.right):
        paper.told(Line("\n".join((literal_line(side.name), *map(literal_line, side.notes))), "quiet"))
    paper.told(Line(comparison.basis, "quiet"))
    paper.heading(f"{_name(comparison.left)} │ {_name(comparison.right)}")
    paper.text("\n".join(_table(comparison, wide=paper.width >= _NARROW)))
    used = [mark for mark in MARKS if any(mark in row.events for pair in comparison.pairs for row in pair if row)]
    if used:
        paper.told(Line(" · ".join(f"{MARKS[mark]} {mark.replace('_', ' ')}" for mark in used), "quiet"))
    paper.told(Line(comparison.summary(), "good", "="))


def _table(comparison: Comparison, *, wide: bool) -> list[str]:
    """Lines of columns; narrow ones leave cost and output out."""
    names = ("tokens", "out", "cost", "figures", "events") if wide else ("tokens", "figures", "events")
    rows = [["turn", *names, "│", *names]]
    for left, right in comparison.pairs:
        turn = str((left or right).turn)  # type: ignore[union-attr]  # one of them is there
        rows.append([turn, *_cells(left, wide=wide), "│", *_cells(right, wide=wide)])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    left_aligned = {index for index, name in enumerate(rows[0]) if name == "events"}
    return [
        "  ".join(
            cell.ljust(width) if index in left_aligned else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _cells(row: TurnRow | None, *, wide: bool) -> Iterator[str]:
    if row is None:
        yield from [_NONE] * (4 if wide else 2)
        yield ""
        return
    yield _NONE if row.tokens is None else short(row.tokens)
    if wide:
        yield short(row.output)
        yield _cost(row.cost_usd)
    yield _share(row.share_in_view)
    yield "".join(MARKS[mark] for mark in MARKS if mark in row.events)


def _cost(cost: Decimal | None) -> str:
    return "n/a" if cost is None else money(format(cost, "f"))


def _cost_change(before: Decimal | None, after: Decimal | None) -> str:
    if before is None and after is None:
        return "cost n/a"
    return f"cost {_cost(before)} → {_cost(after)}{_change(before, after)}"


def _share(share: float | None) -> str:
    return _NONE if share is None else f"{share:.0%}".replace("%", " %")


def _change(before: Decimal | int | None, after: Decimal | int | None) -> str:
    if not before or after is None:
        return ""
    return f" ({float(after / before) - 1:+.0%})".replace("%", " %").replace("-", "−")


def _name(side: Side) -> str:
    return cut(literal_line(side.name), _NAME_CELLS)


def _side_json(side: Side) -> dict[str, Any]:
    return {
        "name": side.name,
        "notes": list(side.notes),
        "tokens_in": side.tokens,
        "largest_request": side.peak,
        "cost_usd": None if side.cost_usd is None else format(side.cost_usd, "f"),
        "context_events": side.events,
        "figures_in_last_view": side.in_view,
        "turns": [_row_json(row) for row in side.rows],
    }


def _row_json(row: TurnRow) -> dict[str, Any]:
    return {
        "turn": row.turn,
        "tokens_in": row.tokens,
        "tokens_out": row.output,
        "cost_usd": None if row.cost_usd is None else format(row.cost_usd, "f"),
        "events": list(row.events),
        "figures_in_view": row.figures,
        "figures_known": row.known,
    }
