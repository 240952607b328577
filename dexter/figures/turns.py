"""Comparisons that say it the wrong way round: rose for fell, ahead for behind, the most for the least.

Every number in such a sentence may be right; what is wrong is what the words make of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import groupby, pairwise

from dexter.figures.bound import Reader
from dexter.figures.claims import Claim
from dexter.figures.directions import Direction, is_loss, last_direction
from dexter.figures.facts import Fact, Facts
from dexter.figures.vocabulary import words_in

_LONGEST_LEAD = 240
_TO = re.compile(r"\bto\s*(?:about|roughly|just|only|a record)?\s*$|[至到为](?:\d{4}财?年的)?\s*$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s*(?:about|roughly|just|only)?\s*$|[从自由](?:\d{4}财?年的)?\s*$", re.IGNORECASE)
# `has been above 48% since`: a mark that was passed, no other figure.
_THRESHOLD = re.compile(
    r"\b(?:been|stay(?:s|ed)|remain(?:s|ed)|held|kept|rose|fell|dropped|climbed|dipped|slipped|moved|went|got)"
    r"\s+(?:well |just |far |back )?$",
    re.IGNORECASE,
)
_NEAR = 12
_AROUND = 24
_BACK = 4
_LONGEST_NAME = 40
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
_WRONG_WAY = "the comparison is the wrong way round"
_WAYS: tuple[tuple[str, Direction], ...] = (("more", 1), ("less", -1))


@dataclass(frozen=True)
class Judged:
    """A claim that was looked up, with the facts it states. `is_known`: the run says it."""

    claim: Claim
    facts: Sequence[Fact]
    is_known: bool = True

    @property
    def kind(self) -> tuple[object, ...]:
        """Claims of one kind can be compared."""
        bound = self.claim.bound
        return self.claim.sort, bound.concepts[:1], bound.whole, bound.number.unit in ("percent", "points")

    @property
    def company(self) -> str:
        """The company it is of."""
        if self.facts:
            return self.facts[0].company
        return self.claim.bound.companies[0] if self.claim.bound.companies else ""

    @property
    def value(self) -> Decimal:
        """The value of its fact, where it is written with that sign; else the number as it is written."""
        number = self.claim.bound.number
        if self.claim.sort == "level" and self.facts and (self.facts[0].value < 0) == (number.value < 0):
            return self.facts[0].value
        return -number.value if self.claim.direction < 0 and self.claim.sort == "growth" else number.value


Numbered = tuple[int, Judged]


@dataclass(frozen=True)
class _Passage:
    """A sentence with the words since the last one that had figures, its figures, and those before it."""

    text: str
    start: int
    judged: Sequence[Numbered]
    earlier: Sequence[Numbered]

    def behind(self, place: int) -> list[Numbered]:
        """The figures after a place, those in brackets left out if there are others."""
        return self._without_asides([item for item in self.judged if self.place(item) >= place])

    def before(self, place: int) -> list[Numbered]:
        """The figures before a place, those in brackets left out if there are others."""
        return self._without_asides([item for item in self.judged if self.place(item) < place])

    def until(self, place: int) -> int:
        """Where the next comparison begins."""
        starts = [m.start() for way, _ in _WAYS if (m := _pattern(way, "between").search(self.text, place))]
        return min(starts, default=len(self.text))

    def _without_asides(self, items: list[Numbered]) -> list[Numbered]:
        asides = [match.span() for match in _BRACKETS.finditer(self.text)]
        main = [item for item in items if not any(a < self.place(item) < b for a, b in asides)]
        return main or items

    def near(self, place: int) -> list[Numbered]:
        """The figures right behind a place."""
        return [item for item in self.judged if 0 <= self.place(item) - place <= _NEAR]

    def place(self, item: Numbered) -> int:
        """Where a figure stands in the text."""
        return item[1].claim.bound.number.start - self.start


def turned_round(text: str, judged: Sequence[Judged], reader: Reader, facts: Facts) -> Mapping[int, str]:
    """Which figures stand in a comparison that is the wrong way round, by their place in the list, and why."""
    found: dict[int, str] = {}
    for passage in _passages(text, judged):
        for way, direction in _WAYS:
            for rule in (_between, _at, _most, _first, _extreme):
                found |= rule(passage, way, direction, reader)
        found |= _moves(passage, facts)
    return found


def _passages(text: str, judged: Sequence[Judged]) -> Iterator[_Passage]:
    """The sentences with figures."""
    numbered = list(enumerate(judged))
    prose = [item for item in numbered if not item[1].claim.bound.in_table]
    end = 0
    for start, members in groupby(prose, key=lambda item: item[1].claim.bound.start):
        group = list(members)
        lead = max(end, start - _LONGEST_LEAD)
        end = group[0][1].claim.bound.end
        yield _Passage(text[lead:end], lead, group, numbered[: group[0][0]])


def _between(passage: _Passage, way: str, direction: Direction, reader: Reader) -> dict[int, str]:
    """`A's $5 exceeds B's $3`, `A exceeds B: $5 against $3`, `$5, below $6 a year earlier`."""
    found: dict[int, str] = {}
    for match in _pattern(way, "between").finditer(passage.text):
        if _THRESHOLD.search(passage.text[: match.start()]):
            continue
        left, right = passage.before(match.start()), passage.behind(match.end())
        names = _names_beside(passage, match, reader)
        if names and not left:
            found |= _of_names(right, names, direction)
            continue
        earlier = [item for item in passage.earlier[-_BACK:] if not item[1].claim.bound.in_table]
        for one in left[-1:] or [item for item in earlier if right and _differ(item[1], right[0][1])][-1:]:
            end = passage.until(match.end())
            others = [i for i in right[:3] if _differ(one[1], i[1]) and passage.place(i) < end]
            beside = [item for item in right[:1] if left and _are_amounts(one[1], item[1])]
            found |= _contradicted(one, others or beside, direction)
    return found


def _names_beside(passage: _Passage, match: re.Match[str], reader: Reader) -> tuple[str, ...]:
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


def _at(passage: _Passage, way: str, direction: Direction, reader: Reader) -> dict[int, str]:
    """`higher at A, $5 against $3 at B`: the company right behind the word against all others."""
    found: dict[int, str] = {}
    for match in _pattern(way, "at").finditer(passage.text):
        behind = reader.companies.find(passage.text[match.end() : match.end() + _LONGEST_NAME])
        if behind and behind[0].start <= 1:
            found |= _of_company(passage, behind[0].ticker, match.end(), direction)
    return found


def _most(passage: _Passage, way: str, direction: Direction, reader: Reader) -> dict[int, str]:
    """`A is the more profitable: 45% against 32% at B`: the company before the word against all others after it."""
    found: dict[int, str] = {}
    for match in _pattern(way, "most").finditer(passage.text):
        before = [mention.ticker for mention in reader.companies.find(passage.text[: match.start()])]
        found |= _of_company(passage, before[-1] if before else "", match.end(), direction)
    return found


def _first(passage: _Passage, way: str, direction: Direction, _reader: Reader) -> dict[int, str]:
    """`highest first: A $5, B $3`: each figure against the next."""
    if not _pattern(way, "first").search(passage.text):
        return {}
    found: dict[int, str] = {}
    for one, other in pairwise(passage.judged):
        if _differ(one[1], other[1]):
            found |= _contradicted(one, [other], direction)
    return found


def _extreme(passage: _Passage, way: str, direction: Direction, _reader: Reader) -> dict[int, str]:
    """`Highest: $5 in FY2025; lowest: $3 in FY2021`: the figure behind the word against those named before."""
    found: dict[int, str] = {}
    for match in _pattern(way, "extreme").finditer(passage.text):
        for one in passage.near(match.end())[:1]:
            around = (*passage.earlier[-_AROUND:], *passage.judged)
            found |= _contradicted(one, [item for item in around if _differ_in_time(one[1], item[1])], direction)
    return found


def _of_company(passage: _Passage, company: str, after: int, direction: Direction) -> dict[int, str]:
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


def _moves(passage: _Passage, facts: Facts) -> dict[int, str]:
    """`rose to $5 from $3`: which way the words say it went, and which way it did."""
    found: dict[int, str] = {}
    for at, (place, one) in enumerate(passage.judged):
        direction, bases = _move(passage, at, facts)
        is_turned = bool(one.facts) and one.facts[0].value < 0 < one.claim.bound.number.value
        ways = [_sign(one.value - (abs(base) if is_turned else base)) for base in bases]
        if is_loss(passage.text) and one.value < 0:
            ways = [-way for way in ways]
        if direction and ways and all(way == -direction for way in ways):
            found[place] = f"it went the other way, from {bases[0]:f} to {one.value:f}"
    return found


def _move(passage: _Passage, at: int, facts: Facts) -> tuple[Direction, Sequence[Decimal]]:
    """For a figure that something moved to: which way it is said to have moved, and from what it may have."""
    one = passage.judged[at][1]
    before = one.claim.bound.before
    following = passage.judged[at + 1][1] if at + 1 < len(passage.judged) else None
    base = (
        [following.value] if following and _FROM.search(following.claim.bound.before) and _alike(one, following) else []
    )
    if following and base and last_direction(following.claim.bound.before):
        return last_direction(following.claim.bound.before), base
    previous = passage.judged[at - 1][1] if at else None
    if _FROM.search(before) and not following:
        since = [previous.value] if previous and _alike(previous, one) else _later(one, facts)
        return _opposite(last_direction(before)), since
    if not _TO.search(before):
        return 0, ()
    if previous and _FROM.search(previous.claim.bound.before) and _alike(previous, one):
        return last_direction(previous.claim.bound.before) or last_direction(before), [previous.value]
    return last_direction(before), base or _before(one, facts)


def _before(one: Judged, facts: Facts) -> Sequence[Decimal]:
    """What a figure was a year and a quarter before."""
    if one.claim.sort != "level":
        return ()
    return [
        fact.value
        for own in one.facts[:1]
        for fact in (*facts.beside(own, "year_before"), *facts.beside(own, "quarter_before"))
    ]


def _later(one: Judged, facts: Facts) -> Sequence[Decimal]:
    """What a figure was a year and a quarter later."""
    if one.claim.sort != "level":
        return ()
    return [
        fact.value
        for own in one.facts[:1]
        for fact in (*facts.beside(own, "year_after"), *facts.beside(own, "quarter_after"))
    ]


def _alike(one: Judged, other: Judged) -> bool:
    """Whether two figures are one company's same figure."""
    return one.kind == other.kind and one.company == other.company and one.is_known and other.is_known


def _opposite(direction: Direction) -> Direction:
    ways: Mapping[Direction, Direction] = {1: -1, -1: 1, 0: 0}
    return ways[direction]


def _sign(value: Decimal) -> int:
    return (value > 0) - (value < 0)


@cache
def _pattern(way: str, name: str) -> re.Pattern[str]:
    words = words_in("dexter.figures.words", "claims")[way][name]
    return re.compile(
        "|".join(rf"\b(?:{word})(?!\w)" if word[0] in "(abcdefghijklmnopqrstuvwxyz" else word for word in words),
        re.IGNORECASE,
    )
