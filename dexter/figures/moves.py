"""Moves that are told the wrong way round: `rose to $5 from $8`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from dexter.figures.directions import FROM, HEDGES, Direction, is_loss, last_direction, last_direction_word
from dexter.figures.facts import Facts
from dexter.figures.judged import Judged, Passage

_GROWTH = re.compile(r"\bgrowth\b|增长率|增速", re.IGNORECASE)
_SUM = re.compile(r"\b(?:add(?:s|ed|ing)?|sum(?:s|med|ming)?)\s+up\b", re.IGNORECASE)
_BETTER = re.compile(r"improv\w*|better|worse|recover\w*|改善|恶化", re.IGNORECASE)
_TO = re.compile(
    r"\bto" + HEDGES + r"|(?:[至到]|(?<!最高)(?<!最低)为)(?:\d{4}财?年的)?\s*$",
    re.IGNORECASE,
)


def moves(passage: Passage, facts: Facts) -> dict[int, str]:
    """`rose to $5 from $3`: which way the words say it went, and which way it did."""
    found: dict[int, str] = {}
    for at, (place, one) in enumerate(passage.judged):
        direction, bases = _move(passage, at, facts)
        is_turned = bool(one.facts) and one.facts[0].value < 0 < one.claim.bound.number.value
        bases = [abs(base) if is_turned else base for base in bases]
        ways = [_sign(one.value - base) for base in bases]
        if is_turned and _tells_better(passage, at):  # of a loss written without a sign
            ways = [-way for way in ways]
        if is_loss(passage.text) and one.value < 0:
            ways = [-way for way in ways]
        if direction and ways and all(way == -direction for way in ways):
            found[place] = f"it went the other way, from {bases[0]:f} to {one.value:f}"
    return found


def _tells_better(passage: Passage, at: int) -> bool:
    """Whether the word that says where a figure went says better or worse: `the loss improved to $5`."""
    befores = (judged.claim.bound.before for _, judged in passage.judged[at : at + 2])
    own, following = (*befores, "")[:2]
    return bool(_BETTER.fullmatch(last_direction_word(following if FROM.search(following) else own)))


def _move(passage: Passage, at: int, facts: Facts) -> tuple[Direction, Sequence[Decimal]]:
    """For a figure that something moved to: which way it is said to have moved, and from what it may have."""
    one = passage.judged[at][1]
    before = one.claim.bound.before
    following = passage.judged[at + 1][1] if at + 1 < len(passage.judged) else None
    base = (
        [following.value] if following and FROM.search(following.claim.bound.before) and _alike(one, following) else []
    )
    if following and base and _direction(following.claim.bound.before):
        return _direction(following.claim.bound.before), base
    previous = passage.judged[at - 1][1] if at else None
    if FROM.search(before) and not following:
        since = [previous.value] if previous and _alike(previous, one) else _later(one, facts)
        return _opposite(_direction(before)), since
    if not _TO.search(before):
        return 0, ()
    if previous and FROM.search(previous.claim.bound.before) and _alike(previous, one):
        return _direction(previous.claim.bound.before) or _direction(before), [previous.value]
    return _direction(before), base or _before(one, facts)


def _before(one: Judged, facts: Facts) -> Sequence[Decimal]:
    """What a figure was a year and a quarter before."""
    if not one.fact:
        return ()
    earlier = (*facts.beside(one.fact, "year_before"), *facts.beside(one.fact, "quarter_before"))
    return [fact.value for fact in earlier]


def _later(one: Judged, facts: Facts) -> Sequence[Decimal]:
    """What a figure was a year and a quarter later."""
    if not one.fact:
        return ()
    later = (*facts.beside(one.fact, "year_after"), *facts.beside(one.fact, "quarter_after"))
    return [fact.value for fact in later]


def _alike(one: Judged, other: Judged) -> bool:
    """Whether two figures are one company's same figure."""
    return one.kind == other.kind and one.company == other.company and one.is_known and other.is_known


def _opposite(direction: Direction) -> Direction:
    ways: Mapping[Direction, Direction] = {1: -1, -1: 1, 0: 0}
    return ways[direction]


def _sign(value: Decimal) -> int:
    return (value > 0) - (value < 0)


def _direction(text: str) -> Direction:
    """Which way the last word of direction goes; `growth` may itself rise or fall, and what adds up does not rise."""
    return last_direction(_SUM.sub(" ", _GROWTH.sub(" ", text)))
