"""What a number claims: a figure's size, its growth, a change, a proportion — and which way it goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from dexter.figures.bind_concept import fits
from dexter.figures.bound import Bound
from dexter.figures.sentence import compares
from dexter.figures.vocabulary import kind_of, words_in

# `level`: so much it is. `growth`: so many percent more, `cagr`: a year. `change`: so much more, in the figure's own
# unit (percentage points for a rate). `times`: so many times another one. `share`: so much of another figure.
Sort = Literal["level", "growth", "cagr", "change", "times", "share"]
Direction = Literal[-1, 0, 1]
Base = Literal["", "year", "quarter"]

_NEAR = 34
_HEDGES = r"\s*(?:about|around|roughly|approximately|some|nearly|almost|了|约)?\s*$"
_CHANGE_OF = re.compile(r"\bchanges? of" + _HEDGES + r"|变化为?\s*$", re.IGNORECASE)
_BY = re.compile(r"(?:\bby|\b(?:difference|gap|lead|change|gain) of|相差|差距为?)" + _HEDGES, re.IGNORECASE)


@dataclass(frozen=True)
class Claim:
    """A bound number and what it claims."""

    bound: Bound
    sort: Sort
    direction: Direction = 0


def claim_of(bound: Bound) -> Claim:
    """What a number claims, by its unit and the words around it."""
    return Claim(bound, _sort(bound), direction_of(bound))


def direction_of(bound: Bound) -> Direction:
    """Which way the words at a number go: those right after it, else the last ones before it."""
    after = _pattern("direction", "after").match(bound.after)
    if after:
        return 1 if _pattern("direction", "up").search(after.group()) else -1
    return last_direction(bound.before)


def last_direction(text: str) -> Direction:
    """Which way the last word of direction in a text goes; 0 where there is none."""
    up = max((match.start() for match in _pattern("direction", "up").finditer(text)), default=-1)
    down = max((match.start() for match in _pattern("direction", "down").finditer(text)), default=-1)
    if up == down:
        return 0
    return 1 if up > down else -1


def is_told_beside(bound: Bound) -> bool:
    """Whether a word of direction stands right beside the number: `down 5%`, `5% lower`."""
    beside = _pattern("direction", "right_before").search(bound.before) or _pattern("direction", "after").match(
        bound.after
    )
    return bool(beside)


def is_loss(text: str) -> bool:
    """Whether a text speaks of a loss, so that an amount in it is below zero."""
    return bool(_pattern("loss", "words").search(text))


def is_change_of(text: str) -> bool:
    """Whether a number is called a change, which may be below zero, not a difference, which may not."""
    return bool(_CHANGE_OF.search(text))


def base_of(text: str) -> Base:
    """Whether a text says that a change is on the year or on the quarter before."""
    if _pattern("base", "quarter").search(text):
        return "quarter"
    return "year" if _pattern("base", "year").search(text) else ""


def _sort(bound: Bound) -> Sort:
    if bound.whole:
        return "share"
    match bound.number.unit:
        case "points":
            return "change"
        case "times":
            return "level" if _is_multiple(bound) else "times"
        case "percent":
            return _sort_of_percent(bound)
    return "change" if _is_change(bound) else "level"


def _sort_of_percent(bound: Bound) -> Sort:
    near = f"{bound.label[-60:]} {bound.before[-60:]} {bound.after[:_NEAR]}"
    if _pattern("base", "years").search(near):
        return "cagr"
    return "level" if bound.concepts and fits(bound.number, bound.concepts[0]) else "growth"


def _is_multiple(bound: Bound) -> bool:
    """A figure that comes in times (a P/E), not a comparison of two."""
    is_ratio = bool(bound.concepts) and kind_of(bound.concepts[0]) in ("ratio", "")
    return is_ratio and not compares(bound.before, bound.after)


def _is_change(bound: Bound) -> bool:
    if compares(bound.before, bound.after) or _BY.search(bound.before):
        return True
    if _pattern("direction", "noun_before").search(bound.before) or _pattern("direction", "right_before").search(
        bound.before
    ):
        return True
    return bound.number.signed and bound.number.value > 0 and not bound.in_table


@cache
def _pattern(part: str, name: str) -> re.Pattern[str]:
    either = f"{_words('direction', 'up')}|{_words('direction', 'down')}"
    built = {
        "after": rf"\s*(?:的\s*)?(?:{_words('direction', 'after')})",
        "noun_before": rf"(?:{_words('direction', 'nouns')})\s+of{_HEDGES}",
        "right_before": rf"(?:{either}){_HEDGES}",
    }
    return re.compile(built.get(name) or _words(part, name), re.IGNORECASE)


@cache
def _words(part: str, name: str) -> str:
    words = words_in("dexter.figures.words", "claims")[part][name]
    return "|".join(rf"\b(?:{word})\b" if word.isascii() else word for word in words)
