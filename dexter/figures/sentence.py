"""A sentence with its numbers and names, and what stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeVar

from dexter.figures.bound import Named, Reader
from dexter.figures.directions import HEDGES
from dexter.figures.find import find_numbers
from dexter.figures.numbers import Number

# Signs of Markdown that stand between words without meaning anything.
_EMPHASIS = str.maketrans("*`", "  ")
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]")
# A number that says how two others stand to each other: what follows it, and what stands before it.
_COMPARES_AFTER = re.compile(
    r"\s*(?:as (?:much|many|large|big|high)\b"
    r"|(?:more|less|higher|lower|larger|smaller|bigger|fewer|wider|narrower|ahead|behind|above|below)\b"
    r"(?=\s*(?:than|of\b|the\b|[,.;:)），。；]|$|and\b|on\b|at\b|year\b|a\b))"
    r"|than\b|(?:的)?(?:之多|以上))",
    re.IGNORECASE,
)
_COMPARES_BEFORE = re.compile(
    r"(?:\b(?:difference|gap|lead|advantage|spread)\b[^.,;]{0,40}?\b(?:of|is|was|amounts to|comes to|stands at)"
    r"|相差|差距为?|多出|高出|少了"
    r"|(?:比|较)[^，。；]{1,24}[高低多少大小])" + HEDGES,
    re.IGNORECASE,
)
_COMPARES_BY = re.compile(
    r"\b(?:larger|smaller|bigger|higher|lower|more|less|ahead|behind|beats?|beating|wins?|leads?|exceed\w*|trail\w*|lags?"
    r"|outpac\w*|outperform\w*|tops?)\b[^.;]*\bby" + HEDGES,
    re.IGNORECASE,
)
# What stands against another number: `from 75.0%`, `versus $2.94`.
_AGAINST = re.compile(
    r"(?:\b(?:from|than|against|versus|vs\.?|compare[ds] (?:with|to)|over|since|above|below"
    r"|ahead of|behind|as [a-z]+ as"
    r"|(?:increase|rise|gain|growth|improvement|decline|drop|decrease|up|down)\s+on)\b|低于|高于|超过|较|比|从|自)"
    r"(?:[^,;，；]|(?<=\d),(?=\d))*$",
    re.IGNORECASE,
)
_TOWARD = re.compile(r"\bto\b|至|到", re.IGNORECASE)


class Placed(Protocol):
    """Something that stands at a place of the sentence."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=Placed)


@dataclass(frozen=True)
class Sentence:
    """A sentence with its numbers and names; places are those in the sentence."""

    text: str
    numbers: Sequence[Number]
    named: Named

    def before(self, at: int) -> str:
        """The words between the number before and this one."""
        start = self.numbers[at - 1].end if at else 0
        return self.text[start : self.numbers[at].start]

    def after(self, at: int) -> str:
        """The words up to the next number."""
        return self.text[self.numbers[at].end : self._limit(at)]

    def place(self, at: int) -> tuple[int, int]:
        """From the end of the number before to the start of this one."""
        return self.numbers[at - 1].end if at else 0, self.numbers[at].start

    def next_one(self, at: int, placed: Sequence[P]) -> P | None:
        """The first of these after a number and before the next."""
        return next((one for one in placed if self.numbers[at].end <= one.start < self._limit(at)), None)

    def gap(self, at: int, one: Placed) -> str:
        """The words between a number and what follows it."""
        return self.text[self.numbers[at].end : one.start]

    def visible(self, at: int, placed: Sequence[P]) -> list[P]:
        """Those that speak of a number: what stands in brackets with numbers of its own speaks only of these."""
        place = self.numbers[at].start
        return [one for one in placed if self._reaches(one, place)]

    def compares(self, at: int) -> bool:
        """Whether a number says how two others stand to each other."""
        so_far = self.text[: self.numbers[at].start]
        return compares(self.before(at), self.after(at)) or bool(_COMPARES_BY.search(so_far))

    def stands_against(self, one: Placed) -> bool:
        """Whether something is what another thing is compared with: `down from 75.0% in fiscal 2025`."""
        before = self.text[: one.start]
        against = _AGAINST.search(before)
        return bool(against) and not _TOWARD.search(before, against.start() + 1 if against else 0)

    def alike(self, at: int, other: int) -> bool:
        """Whether two numbers are of one unit."""
        return self.numbers[at].unit == self.numbers[other].unit

    def follows_company(self, at: int) -> bool:
        """Whether a number stands right behind a company's name: `Nvidia $6 million`."""
        start = self.numbers[at].start
        return any(
            not self.text[mention.end : start].strip() for mention in self.named.companies if mention.end <= start
        )

    def opens_bracket(self, at: int) -> bool:
        """Whether a number stands in brackets, as what is said right before them: `at A in FY2026 ($5 of $9)`."""
        return any(start < self.numbers[at].start < end for start, end in self._brackets)

    def is_aside(self, one: Placed) -> bool:
        """Whether something stands in brackets with numbers of its own: `(FY2023: $96,773 million)`."""
        return any(start < one.start < end for start, end in self._brackets)

    def _limit(self, at: int) -> int:
        return self.numbers[at + 1].start if at + 1 < len(self.numbers) else len(self.text)

    def _reaches(self, one: Placed, place: int) -> bool:
        for start, end in self._brackets:
            if start < one.start < end:
                return start < place < end
        return True

    @cached_property
    def _brackets(self) -> list[tuple[int, int]]:
        """Brackets that hold numbers."""
        spans = [match.span() for match in _BRACKETS.finditer(self.text)]
        return [(a, b) for a, b in spans if any(a < number.start < b for number in self.numbers)]


def compares(before: str, after: str) -> bool:
    """Whether a number with these words around it says how two others stand to each other."""
    return bool(_COMPARES_AFTER.match(after) or _COMPARES_BEFORE.search(before))


def read_sentence(text: str, reader: Reader, *, bare: bool = False) -> Sentence:
    """A sentence's numbers (with `bare` also those without a unit) and the names that are no part of one."""
    text = text.translate(_EMPHASIS)
    numbers = find_numbers(text, bare=bare)
    named = reader.named(text)

    def clear(one: Placed) -> bool:
        return all(one.end <= number.start or one.start >= number.end for number in numbers)

    kept = Named(
        [mention for mention in named.companies if clear(mention)],
        [mention for mention in named.concepts if clear(mention)],
        [mention for mention in named.periods if clear(mention)],
    )
    return Sentence(text, numbers, kept)


def moved(numbers: Sequence[Number], by: int) -> Iterator[Number]:
    """The numbers at their places in the whole text."""
    return (replace(number, start=number.start + by, end=number.end + by) for number in numbers)
