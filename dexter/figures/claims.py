"""What a number claims: a figure's size, its growth, a change, a proportion — and which way it goes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from dexter.figures.bound import Bound
from dexter.figures.directions import HEDGES, Direction, claim_pattern, last_direction
from dexter.figures.fit import fits
from dexter.figures.sentence import compares
from dexter.figures.vocabulary import kind_of

# `level`: so much it is. `growth`: so many percent more, `cagr`: a year. `change`: so much more, in the figure's own
# unit (percentage points for a rate). `times`: so many times another one. `share`: so much of another figure.
Sort = Literal["level", "growth", "cagr", "change", "times", "share"]

_NEAR = 34
_CHANGE_OF = re.compile(r"\bchanges? of" + HEDGES + r"|变化为?\s*$", re.IGNORECASE)
# `ate up $5 billion` goes nowhere, nor does `less than` say that anything fell.
_PARTICLE = re.compile(
    r"\b(?:ate|eats?|eaten|eating|took|takes?|taken|taking|made|makes?|making|used|uses?|using|soak\w*|swallow\w*|came|end(?:s|ed)"
    r"|add(?:s|ed)|sum(?:s|med)|set|put|turn(?:s|ed)|rack(?:s|ed)|free(?:s|d)|tie(?:s|d)|bought|pa(?:ys|id))\s+(?:up|down)\b",
    re.IGNORECASE,
)
_A_YEAR = re.compile(r"\s*(?:a|per|each|every)\s+year\b(?!\s+(?:ago|earlier|before|later))", re.IGNORECASE)
# `$140 billion less $11 billion of capex` is arithmetic.
_LESS = re.compile(r"\bless" + HEDGES, re.IGNORECASE)
_BY_SO_MUCH = re.compile(r"\s+by\s*$", re.IGNORECASE)
_MORE_THAN = re.compile(r"\b(?:more|less|fewer) than\s*$", re.IGNORECASE)
# `fell faster`: how, not which way.
_MANNER = re.compile(
    r"(?<=[a-z])\s+(?:(?:even|much|still|far)\s+)?(?:faster|slower|further)\b(?!\s+than)", re.IGNORECASE
)
# `growth slowed to 65%` is growth of 65 %.
_GROWTH_TO = re.compile(r"\bgrowth\b[^.,;]{0,30}\bto" + HEDGES, re.IGNORECASE)
_BY = re.compile(
    r"(?:(?<!negative )(?<!positive )\bby|\b(?:difference|gap|lead|change|gain)\b[^.,;]{0,40}?\b(?:of|is|was)"
    r"|相差|差距为?)" + HEDGES,
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Claim:
    """A bound number and what it claims."""

    bound: Bound
    sort: Sort
    direction: Direction = 0


def claim_of(bound: Bound, before: Claim | None = None) -> Claim:
    """What a number claims, by its unit and the words around it.

    Args:
        bound: The number.
        before: The claim before it, with which it may go on: `added $5 billion, Alphabet $3 billion`.
    """
    if before and bound.continues and bound.start == before.bound.start and before.sort in ("change", "growth", "cagr"):
        return Claim(bound, before.sort, before.direction)
    return Claim(bound, _sort(bound), direction_of(bound))


def direction_of(bound: Bound) -> Direction:
    """Which way the words at a number go: those right after it, else the last ones before it."""
    after = claim_pattern("direction", "after").match(bound.after)
    if after:
        return 1 if claim_pattern("direction", "up").search(after.group()) else -1
    if bound.number.is_rate and _GROWTH_TO.search(bound.before):
        return 0
    return last_direction(_MANNER.sub("", _MORE_THAN.sub("", bound.before)))


def is_told_beside(bound: Bound) -> bool:
    """Whether a word of direction stands right beside the number: `down 5%`, `5% lower`."""
    before = claim_pattern("direction", "right_before").search(_BY_SO_MUCH.sub(" ", bound.before))
    return bool(before or claim_pattern("direction", "after").match(bound.after))


def is_change_of(text: str) -> bool:
    """Whether a number is called a change, which may be below zero, not a difference, which may not."""
    return bool(_CHANGE_OF.search(text))


def _sort(bound: Bound) -> Sort:
    if bound.whole:
        return "times" if len(bound.companies) > 1 and not bound.in_table else "share"
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
    if claim_pattern("base", "years").search(near) or _A_YEAR.match(bound.after):
        return "cagr"
    return "level" if bound.concepts and fits(bound.number, bound.concepts[0]) else "growth"


def _is_multiple(bound: Bound) -> bool:
    """A figure that comes in times (a P/E), not a comparison of two."""
    is_ratio = bool(bound.concepts) and kind_of(bound.concepts[0]) in ("ratio", "")
    return is_ratio and not compares(bound.before, bound.after)


def _is_change(bound: Bound) -> bool:
    before = _LESS.sub("", _PARTICLE.sub("", bound.before))
    if compares(before, bound.after) or _BY.search(before):
        return True
    if claim_pattern("direction", "noun_before").search(before) or claim_pattern("direction", "right_before").search(
        before
    ):
        return True
    return bound.number.signed and bound.number.value > 0 and not bound.in_table
