"""The chart of the context's size over the turns, as the numbers of a drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dexter.ui.page.content import PageTurn
from dexter.ui.words import short

WIDTH, HEIGHT = 800, 200
_LEFT, _BOTTOM, _TOP = 52, 24, 14
# More bars than this are thinner than a hair; neighbours share one.
_MOST_BARS = 240
# The threshold is part of the picture where the context comes at least this near to it; else it would flatten the bars.
_LEAST_SHARE = 0.2
_STEPS = 4


@dataclass(frozen=True)
class Bar:
    """One turn, or several that share a bar: place, size, whether it is over the threshold, and what it stands for."""

    x: float
    y: float
    width: float
    height: float
    is_over: bool
    title: str


@dataclass(frozen=True)
class Mark:
    """A cut of the view, above its turn's bar."""

    x: float
    y: float
    title: str


@dataclass(frozen=True)
class Level:
    """A line across the drawing, and its label."""

    y: float
    label: str


@dataclass(frozen=True)
class Drawing:
    """Bars, marks and lines in a field of `WIDTH` × `HEIGHT`."""

    bars: tuple[Bar, ...]
    marks: tuple[Mark, ...]
    levels: tuple[Level, ...]
    threshold: Level | None
    first: int
    last: int


def drawing(turns: Sequence[PageTurn], threshold: int) -> Drawing | None:
    """The chart; None where no turn tells its size."""
    sized = [turn for turn in turns if turn.number and turn.tokens]
    if not sized:
        return None
    most = max(turn.tokens or 0 for turn in sized)
    top = max(most, threshold if most >= threshold * _LEAST_SHARE else 0)
    groups = _groups(sized)
    step = (WIDTH - _LEFT) / len(groups)
    bars = tuple(_bar(group, _LEFT + place * step, step, top, threshold) for place, group in enumerate(groups))
    return Drawing(
        bars,
        tuple(
            Mark(bar.x + bar.width / 2, bar.y - 5, _cuts(group))
            for bar, group in zip(bars, groups, strict=True)
            if any(turn.cuts for turn in group)
        ),
        tuple(Level(_y(top * part / _STEPS, top), short(round(top * part / _STEPS))) for part in range(_STEPS + 1)),
        Level(_y(threshold, top), f"threshold {short(threshold)}") if 0 < threshold <= top else None,
        sized[0].number,
        sized[-1].number,
    )


def _groups(turns: list[PageTurn]) -> list[list[PageTurn]]:
    size = -(-len(turns) // _MOST_BARS)
    return [turns[start : start + size] for start in range(0, len(turns), size)]


def _bar(group: list[PageTurn], x: float, step: float, top: int, threshold: int) -> Bar:
    tokens = max(turn.tokens or 0 for turn in group)
    y = _y(tokens, top)
    names = f"turn {group[0].number}" if len(group) == 1 else f"turns {group[0].number} to {group[-1].number}"
    title = f"{names}: {tokens:,} tokens"
    return Bar(round(x, 2), y, round(step * 0.8, 2), round(HEIGHT - _BOTTOM - y, 2), 0 < threshold < tokens, title)


def _cuts(group: list[PageTurn]) -> str:
    return "; ".join(
        f"turn {turn.number}: {name.replace('_', ' ')}, {short(before)} → {short(after)} tokens"
        for turn in group
        for name, before, after in turn.cuts
    )


def _y(tokens: float, top: int) -> float:
    return round(HEIGHT - _BOTTOM - (HEIGHT - _BOTTOM - _TOP) * tokens / max(top, 1), 2)
