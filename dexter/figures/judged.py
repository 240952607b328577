"""Claims that were looked up, by sentence: what comparisons of figures are judged on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import groupby

from dexter.figures.claims import Claim
from dexter.figures.directions import Direction
from dexter.figures.facts import Fact
from dexter.figures.vocabulary import words_in

_LONGEST_LEAD = 240
_NEAR = 12
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
# Words that say that what is named before them is more, or less, than what is named after.
WAYS: tuple[tuple[str, Direction], ...] = (("more", 1), ("less", -1))


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
    def fact(self) -> Fact | None:
        """The fact that it is; None for a change, a growth, or what was derived from several."""
        return self.facts[0] if self.claim.sort == "level" and len(self.facts) == 1 else None

    @property
    def company(self) -> str:
        """The company it is of."""
        if self.facts:
            return self.facts[0].company
        return self.claim.bound.companies[0] if self.claim.bound.companies else ""

    @property
    def value(self) -> Decimal:
        """The value of its fact, where it is written with that sign; else the number as it is written."""
        number, fact = self.claim.bound.number, self.fact
        if fact and (fact.value < 0) == (number.value < 0):
            return fact.value
        return -number.value if self.claim.direction < 0 and self.claim.sort == "growth" else number.value


Numbered = tuple[int, Judged]


@dataclass(frozen=True)
class Passage:
    """A sentence with the words since the last one that had figures, its figures, and those before it."""

    text: str
    start: int
    judged: Sequence[Numbered]
    earlier: Sequence[Numbered]

    @property
    def sentence_start(self) -> int:
        """Where the sentence of its figures begins in the text."""
        return self.judged[0][1].claim.bound.start - self.start

    def behind(self, place: int) -> list[Numbered]:
        """The figures after a place, those in brackets left out if there are others."""
        return self._without_asides([item for item in self.judged if self.place(item) >= place])

    def before(self, place: int) -> list[Numbered]:
        """The figures before a place, those in brackets left out if there are others."""
        return self._without_asides([item for item in self.judged if self.place(item) < place])

    def until(self, place: int) -> int:
        """Where the next comparison begins."""
        starts = [m.start() for way, _ in WAYS if (m := way_pattern(way, "between").search(self.text, place))]
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


def passages_of(text: str, judged: Sequence[Judged]) -> Iterator[Passage]:
    """The sentences with figures."""
    numbered = list(enumerate(judged))
    prose = [item for item in numbered if not item[1].claim.bound.in_table]
    end = 0
    for start, members in groupby(prose, key=lambda item: item[1].claim.bound.start):
        group = list(members)
        lead = max(end, start - _LONGEST_LEAD)
        end = group[0][1].claim.bound.end
        yield Passage(text[lead:end], lead, group, numbered[: group[0][0]])


@cache
def way_pattern(way: str, name: str) -> re.Pattern[str]:
    """The words of `words/claims.toml` that make a comparison of that kind go that way."""
    words = words_in("dexter.figures.words", "claims")[way][name]
    return re.compile(
        "|".join(rf"\b(?:{word})(?!\w)" if word[0] in "(abcdefghijklmnopqrstuvwxyz" else word for word in words),
        re.IGNORECASE,
    )
