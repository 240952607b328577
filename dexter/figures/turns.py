"""Comparisons that say it the wrong way round: ahead for behind, the most for the least.

Every number in such a sentence may be right; what is wrong is what the words make of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from dexter.figures.bound import Reader
from dexter.figures.directions import Direction
from dexter.figures.facts import Facts
from dexter.figures.judged import WAYS, Judged, Numbered, Passage, passages_of, way_pattern
from dexter.figures.moves import moves

# `has been above 48% since`: a mark that was passed, no other figure.
_THRESHOLD = re.compile(
    r"\b(?:been|stay(?:s|ed)|remain(?:s|ed)|held|kept|rose|fell|dropped|climbed|dipped|slipped|moved|went|got)"
    r"\s+(?:well |just |far |back )?$",
    re.IGNORECASE,
)
_AROUND = 24
_BACK = 4
_LONGEST_NAME = 40
_WRONG_WAY = "the comparison is the wrong way round"


def turned_round(text: str, judged: Sequence[Judged], reader: Reader, facts: Facts) -> Mapping[int, str]:
    """Which figures stand in a comparison that is the wrong way round, by their place in the list, and why."""
    found: dict[int, str] = {}
    for passage in passages_of(text, judged):
        for way, direction in WAYS:
            for rule in (_between, _at, _most, _first, _extreme):
                found |= rule(passage, way, direction, reader)
        found |= moves(passage, facts)
    return found


def _between(passage: Passage, way: str, direction: Direction, reader: Reader) -> dict[int, str]:
    """`A's $5 exceeds B's $3`, `A exceeds B: $5 against $3`, `$5, below $6 a year earlier`."""
    found: dict[int, str] = {}
    for match in way_pattern(way, "between").finditer(passage.text):
        if _THRESHOLD.search(passage.text[: match.start()]):
            continue
        left, right = passage.before(match.start()), passage.behind(match.end())
        names = _names_beside(passage, match, reader)
        if names and not left:
            found |= _of_names(right, names, direction)
            continue
        if match.start() < passage.sentence_start:
            continue
        earlier = [item for item in passage.earlier[-_BACK:] if not item[1].claim.bound.in_table]
        for one in left[-1:] or [item for item in earlier if right and _differ(item[1], right[0][1])][-1:]:
            end = passage.until(match.end())
            others = [i for i in right[:3] if _differ(one[1], i[1]) and passage.place(i) < end]
            beside = [item for item in right[:1] if left and _are_amounts(one[1], item[1])]
            found |= _contradicted(one, others or beside, direction)
    return found


def _names_beside(passage: Passage, match: re.Match[str], reader: Reader) -> tuple[str, ...]:
    """The companies on both sides of a word, or ()."""
    before = reader.companies.find(passage.text[: match.start()])
    after = reader.companies.find(passage.text[match.end() : match.end() + _LONGEST_NAME])
    return (before[-1].ticker, after[0].ticker) if before and after else ()


def _of_names(behind: Sequence[Numbered], names: Sequence[str], direction: Direction) -> dict[int, str]:
    """Two companies whose figures, or whose difference, follow a word between their names."""
    one, other = names
    own = [item for item in behind if item[1].company == one]
    others = [item for item in behind if item[1].company == other and own and _differ(own[0][1], item[1])]
    found = _contradicted(own[0], others[:1], direction) if others else {}
    for place, judged in behind:
        if judged.claim.direction:
            continue
        values = {fact.company: fact.value for fact in judged.facts}
        if len(values) > 1 and {one, other} <= set(values) and (values[one] - values[other]) * direction < 0:
            found[place] = _WRONG_WAY
    return found


def _at(passage: Passage, way: str, direction: Direction, reader: Reader) -> dict[int, str]:
    """`higher at A, $5 against $3 at B`: the company right behind the word against all others."""
    found: dict[int, str] = {}
    for match in way_pattern(way, "at").finditer(passage.text):
        behind = reader.companies.find(passage.text[match.end() : match.end() + _LONGEST_NAME])
        if behind and behind[0].start <= 1:
            found |= _of_company(passage, behind[0].ticker, match.end(), direction)
    return found


def _most(passage: Passage, way: str, direction: Direction, reader: Reader) -> dict[int, str]:
    """`A is the more profitable: 45% against 32% at B`: the company before the word against all others after it."""
    found: dict[int, str] = {}
    for match in way_pattern(way, "most").finditer(passage.text):
        before = [mention.ticker for mention in reader.companies.find(passage.text[: match.start()])]
        found |= _of_company(passage, before[-1] if before else "", match.end(), direction)
    return found


def _first(passage: Passage, way: str, direction: Direction, _reader: Reader) -> dict[int, str]:
    """`highest first: A $5, B $3`: each figure against the next."""
    if not way_pattern(way, "first").search(passage.text):
        return {}
    found: dict[int, str] = {}
    for one, other in pairwise(passage.judged):
        if _differ(one[1], other[1]):
            found |= _contradicted(one, [other], direction)
    return found


def _extreme(passage: Passage, way: str, direction: Direction, _reader: Reader) -> dict[int, str]:
    """`Highest: $5 in FY2025; lowest: $3 in FY2021`: the figure behind the word against those named before."""
    found: dict[int, str] = {}
    for match in way_pattern(way, "extreme").finditer(passage.text):
        for one in passage.near(match.end())[:1]:
            around = (*passage.earlier[-_AROUND:], *passage.judged)
            found |= _contradicted(one, [item for item in around if _differ_in_time(one[1], item[1])], direction)
    return found


def _of_company(passage: Passage, company: str, after: int, direction: Direction) -> dict[int, str]:
    """A company's first figure behind a place against those of the same kind of the others, here or before."""
    behind = passage.behind(after)
    own = [item for item in behind if item[1].company == company]
    if not own:
        return {}
    others = [item for item in behind if _differ(own[0][1], item[1])]
    before = [item for item in passage.earlier[-_AROUND:] if _differ(own[0][1], item[1])]
    return _contradicted(own[0], others or before[-1:], direction)


def _differ(one: Judged, other: Judged) -> bool:
    """Whether two figures are of one kind, and of two companies or periods."""
    if one.kind != other.kind or not one.company or not other.company:
        return False
    return one.company != other.company or _differ_in_time(one, other)


def _are_amounts(one: Judged, other: Judged) -> bool:
    """Whether two figures are amounts of one company that can be set against each other."""
    same = one.company == other.company and one.claim.sort == other.claim.sort == "level"
    return same and one.claim.bound.number.unit == other.claim.bound.number.unit and one.kind != other.kind


def _differ_in_time(one: Judged, other: Judged) -> bool:
    """Whether two figures are one company's figure of two periods."""
    if one.kind != other.kind or not one.facts or not other.facts:
        return False
    first, second = one.facts[0], other.facts[0]
    return first.name == second.name and first.months == second.months and first.period != second.period


def _contradicted(subject: Numbered, others: Iterable[Numbered], direction: Direction) -> dict[int, str]:
    """The figures that stand the other way round than the words say."""
    found: dict[int, str] = {}
    for at, other in others:
        if (subject[1].value - other.value) * direction < 0:
            found[subject[0]] = found[at] = _WRONG_WAY
    return found
