"""How full the context was, turn by turn, and what happened to it: bars of text with the threshold as a line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dexter.replay.entries import Message, Response, Result, Resumed, Retry, Stage
from dexter.replay.events import tokens_of
from dexter.replay.timeline import Timeline, Turn
from dexter.ui.literal import literal_line
from dexter.ui.words import short

_HEIGHT = 8
_WIDEST_BAR = 4
_LABEL = 6
_EIGHTHS = " ▁▂▃▄▅▆▇█"
_ASCII_EIGHTHS = "    .::##"
# The threshold is part of the picture where the bars reach at least this share of it; else it would flatten them.
_LEAST_SHARE = 0.2
_MOST_MARKS = 3
_STEPS = (1, 2, 5, 10, 20)

# The letters below the bars, the gravest first.
MARKS: dict[str, str] = {
    "compact": "C",
    "compact failed": "F",
    "truncate": "T",
    "snip": "S",
    "memory_flush": "f",
    "microcompact": "m",
    "turn_budget": "b",
    "persist_results": "p",
    "strip_thinking": "t",
    "soft_limit": "l",
    "resumed": "R",
    "retry": "r",
    "queued line": "q",
    "other": "·",
}

Part = Literal["bar", "over", "threshold", "axis", "mark", "blank"]


@dataclass(frozen=True)
class ContextPoint:
    """A turn's request: tokens of its context (None: no request), and what happened in the turn, by name."""

    turn: int
    tokens: int | None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Piece:
    """A piece of a line of the chart, and what part of the picture it is."""

    text: str
    part: Part = "axis"


ChartLine = tuple[Piece, ...]


def context_points(timeline: Timeline) -> tuple[ContextPoint, ...]:
    """The turns with what they sent. Of a file without requests: what its results and texts add up to, estimated."""
    points, total = [], 0
    estimated = timeline.header.schema is None
    for turn in timeline.turns:
        if turn.number:
            tokens = total if estimated else turn.context_tokens
            points.append(ContextPoint(turn.number, tokens, tuple(dict.fromkeys(_marks(turn)))))
        if estimated:
            total += sum(
                tokens_of(entry.text) for entry in turn.entries if isinstance(entry, Result | Response | Message)
            )
    return tuple(points)


def _marks(turn: Turn) -> Iterator[str]:
    for entry in turn.entries:
        if isinstance(entry, Stage):
            failed = entry.name == "compact" and not entry.report.get("success")
            yield "compact failed" if failed else entry.name if entry.name in MARKS else "other"
        elif isinstance(entry, Retry):
            yield "retry"
        elif isinstance(entry, Resumed):
            yield "resumed"
        elif isinstance(entry, Message) and entry.origin == "queued":
            yield "queued line"


@dataclass(frozen=True)
class _Column:
    """One bar: the largest of its turns."""

    first: int
    tokens: int
    marks: tuple[str, ...]


def chart(timeline: Timeline, width: int, *, ascii_only: bool = False) -> Iterator[ChartLine]:
    """The chart in at most `width` cells; nothing where no request is on record."""
    points = context_points(timeline)
    if not any(point.tokens for point in points):
        return
    columns, cells = _columns(points, max(width - _LABEL - 2, 8))
    drawing = _Drawing(columns, cells, timeline.header.threshold, _EIGHTHS if not ascii_only else _ASCII_EIGHTHS)
    yield from _wrapped(_title(timeline, points, len(columns)), width, "")
    yield from drawing.bars()
    yield from drawing.axis()
    yield from _legend(points, width)


def _columns(points: Sequence[ContextPoint], room: int) -> tuple[list[_Column], int]:
    """The bars and how many cells each is wide; where turns are more than cells, several share a bar."""
    share = -(-len(points) // room)
    groups = [points[start : start + share] for start in range(0, len(points), share)]
    columns = [
        _Column(
            group[0].turn,
            max(point.tokens or 0 for point in group),
            tuple(dict.fromkeys(mark for point in group for mark in point.marks)),
        )
        for group in groups
    ]
    return columns, min(room // len(columns), _WIDEST_BAR)


def _title(timeline: Timeline, points: Sequence[ContextPoint], bars: int) -> list[str]:
    peak = max(point.tokens or 0 for point in points)
    threshold = timeline.header.threshold
    told = ["context, tokens a turn", f"{short(peak)} at most"]
    if threshold:
        told.append(f"threshold {short(threshold)}")
    if timeline.header.schema is None:
        told.append("estimated from the results; nothing was ever taken away")
    if len(points) > bars:
        told.append(f"{-(-len(points) // bars)} turns a bar")
    return told


@dataclass(frozen=True)
class _Drawing:
    """The bars on their scale."""

    columns: Sequence[_Column]
    cells: int
    threshold: int
    steps: str

    @property
    def top(self) -> int:
        """Tokens at the upper edge."""
        peak = max(column.tokens for column in self.columns)
        shown = self.threshold if self.threshold * _LEAST_SHARE <= peak else 0
        return max(peak, shown, 1)

    def bars(self) -> Iterator[ChartLine]:
        """The rows from the top down, each with its label."""
        at = int(self.threshold / self.top * _HEIGHT - 1e-9) if 0 < self.threshold <= self.top else None
        for row in range(_HEIGHT - 1, -1, -1):
            label = short(self.threshold) if row == at else short(self.top) if row == _HEIGHT - 1 else ""
            edge = "┤" if label and self.steps == _EIGHTHS else "|" if self.steps != _EIGHTHS else "│"
            yield (Piece(f"{label:>{_LABEL}} {edge}"), *self._row(row, is_threshold=row == at))

    def _row(self, row: int, *, is_threshold: bool) -> Iterator[Piece]:
        empty = ("┄" if self.steps == _EIGHTHS else "-") if is_threshold else " "
        for column in self.columns:
            height = round(column.tokens / self.top * _HEIGHT * 8)
            step = self.steps[min(max(height - row * 8, 1 if row == 0 and column.tokens else 0), 8)]
            wide = max(self.cells - 1, 1)
            if step == " ":
                yield Piece(empty * self.cells, "threshold" if is_threshold else "blank")
                continue
            over = 0 < self.threshold < column.tokens
            yield Piece(step * wide, "over" if over else "bar")
            yield Piece(empty * (self.cells - wide), "threshold" if is_threshold else "blank")

    def axis(self) -> Iterator[ChartLine]:
        """The line below, what happened, and the turns' numbers."""
        unicode = self.steps == _EIGHTHS
        corner, line = ("└", "─") if unicode else ("+", "-")
        yield (Piece(f"{'0':>{_LABEL}} {corner}{line * (self.cells * len(self.columns))}"),)
        most = min(max((len(column.marks) for column in self.columns), default=0), _MOST_MARKS)
        for place in range(most):
            letters = "".join(self._letter(column, place, most).ljust(self.cells) for column in self.columns)
            yield (Piece(" " * (_LABEL + 2)), Piece(letters.rstrip(), "mark"))
        yield (Piece(" " * (_LABEL - 4) + "turn  " + self._numbers()),)

    @staticmethod
    def _letter(column: _Column, place: int, most: int) -> str:
        ordered = [mark for mark in MARKS if mark in column.marks]
        if place == most - 1 and len(ordered) > most:
            return "+"
        return MARKS[ordered[place]] if place < len(ordered) else " "

    def _numbers(self) -> str:
        """Turn numbers below their bars, as many as have room, at round distances."""
        room = len(str(self.columns[-1].first)) + 1
        every = next(step for step in _STEPS if step * self.cells >= room)
        text = ""
        for index in range(0, len(self.columns), every):
            text = text.ljust(index * self.cells) + str(self.columns[index].first)
        return text


def _legend(points: Sequence[ContextPoint], width: int) -> Iterator[ChartLine]:
    """The letters that occur, with how many turns have them."""
    counts = Counter(mark for point in points for mark in point.marks)
    words = [f"{MARKS[mark]} {literal_line(mark).replace('_', ' ')} ×{counts[mark]}" for mark in MARKS if counts[mark]]
    yield from _wrapped(words, width, " " * (_LABEL + 2))


def _wrapped(words: Sequence[str], width: int, indent: str) -> Iterator[ChartLine]:
    """The words side by side, in as many lines as they need."""
    line = ""
    for word in words:
        longer = f"{line} · {word}" if line else word
        if line and len(indent) + len(longer) > width:
            yield (Piece(indent + line),)
            longer = word
        line = longer
    if line:
        yield (Piece(indent + line),)
