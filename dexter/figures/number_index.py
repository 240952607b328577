"""Where megabytes of text write a number: found by its first characters and its size, without reading any sentence.

All but digits, points and commas is blanked out and what is left is split, piece by piece: no regular expression sees
the whole text, which would cost three times as much.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from itertools import accumulate, product

from dexter.figures.compare import says
from dexter.figures.find import find_numbers
from dexter.figures.notation import SCALES
from dexter.figures.numbers import Number

_WRITTEN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
# Every other character becomes a blank.
_BLANKED = bytes(byte if byte in b"0123456789.," else ord(" ") for byte in range(256))
_WIDE = re.compile("[０-９]")
_PIECE = 400
_KEY = 3
# What is read before and behind a number to tell its scale and unit.
_BEFORE, _BEHIND = 24, 48
_THOUSANDS = (0, 3, 6, 9)
# Halves are rounded up or down; words like `about` leave more room.
_ROOM, _MORE_ROOM = 0.505, 1.01
# Powers of ten by which a text may write a figure, the others only with Chinese words.
_OF_RATES = (0, -2, -4)
_OF_OTHERS = (0, 3, 6, 9, 12)
_CHINESE = re.compile("[十百千万亿]")
_IN_CHINESE = tuple(sorted({*_OF_OTHERS, *SCALES.values()}))


@dataclass(frozen=True)
class _Token:
    """Digits, points and commas between blanks, and where a number begins in them."""

    text: bytes
    offset: int
    written: str


class NumberIndex:
    """The numbers of some texts as they are written."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = [_only_numbers(text) for text in texts]
        self._begin = list(accumulate(map(len, self._texts), initial=0))
        self._pieces: Mapping[bytes, list[int]] = defaultdict(list)
        for begin, text in zip(self._begin, self._texts, strict=False):
            for start, end in _pieces_of(text):
                for token in text[start:end].split():
                    self._pieces[token].append(begin + start)
        self._tokens: Mapping[str, list[_Token]] = defaultdict(list)
        for text in self._pieces:
            for match in _WRITTEN.finditer(text.decode()):
                self._tokens[match[0][:_KEY]].append(_Token(text, match.start(), match[0]))
        self._powers = _IN_CHINESE if any(map(_CHINESE.search, texts)) else _OF_OTHERS

    def places(self, number: Number, most: int) -> Iterator[tuple[int, int]]:
        """Text and place of the numbers that may be this one, at whatever scale; `is_written` tells for certain.

        The first `most` of each text: one that repeats a number without end hides no other text's.
        """
        given: Counter[int] = Counter()
        sizes = _sizes(number, _OF_RATES if number.is_rate else self._powers)
        for beginning in _beginnings(number):
            for token in self._tokens.get(beginning, ()):
                size = float(token.written.replace(",", ""))
                if any(least <= size <= most for least, most in sizes):
                    yield from self._places_of(token, given, most)

    def _places_of(self, token: _Token, given: Counter[int], most: int) -> Iterator[tuple[int, int]]:
        for piece in dict.fromkeys(self._pieces[token.text]):
            at = bisect_right(self._begin, piece) - 1
            text, start = self._texts[at], piece - self._begin[at]
            end = _end_of_piece(text, start)
            while given[at] < most and (start := text.find(token.text, start, end)) >= 0:
                if text[max(start - 1, 0) : start] in (b"", b" ") and text[start + len(token.text)] in b" ":
                    given[at] += 1
                    yield at, start + token.offset
                start += len(token.text)


def _only_numbers(text: str) -> bytes:
    """The text with everything blanked out that is part of no number, character by character."""
    plain = text if text.isascii() else _WIDE.sub(lambda match: str(int(match[0])), text)
    return plain.encode("ascii", "replace").translate(_BLANKED) + b" "


def _pieces_of(text: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = _end_of_piece(text, start)
        yield start, end
        start = end


def _end_of_piece(text: bytes, start: int) -> int:
    """Behind the first blank that is far enough from a place."""
    end = text.find(b" ", start + _PIECE)
    return end + 1 if end >= 0 else len(text)


def _sizes(number: Number, powers: Sequence[int]) -> Sequence[tuple[float, float]]:
    """Between what and what a text's number is, at each scale, that rounds to this one."""
    value, room = abs(float(number.value)), float(number.step) * (_MORE_ROOM if number.hedge else _ROOM)
    return [((value - room) / 10.0**power, (value + room) / 10.0**power) for power in powers]


def is_written(number: Number, text: str, place: int) -> bool:
    """Whether the number at a place has the value of this one, at some scale where it has none of its own."""
    first = max(0, place - _BEFORE)
    window = text[first : place + _BEHIND]
    found = (other for other in find_numbers(window, bare=True) if other.start <= place - first < other.end)
    return any(says(number, value) or says(number, -value) for other in found for value in values_of(other, number))


def values_of(written: Number, number: Number) -> tuple[Decimal, ...]:
    """What a text's number may be worth as that one: without unit and scale it is any power of a thousand."""
    if written.unit != "plain" or written.scaled:
        return (written.value,)
    if number.is_rate:
        return (written.value, written.value / 100)
    return tuple(written.value.scaleb(power) for power in _THOUSANDS)


def _beginnings(number: Number) -> Iterator[str]:
    """The first characters of every number that rounds to this one: `215`, `21.`, `2.1`, `2,1`, `0.2`, `0.0`."""
    yield from dict.fromkeys(
        key
        for digits in _digits_of(number)
        for key in (
            *(digits[:length] for length in (1, 2, 3)),
            f"{digits[:2]}.",
            *(f"{one}{sign}{two}" for one, sign, two in product(digits[0], ".,", digits[1])),
            f"{digits[:2]},",
            f"0.{digits[0]}",
            "0.0",
        )
    )


def _digits_of(number: Number) -> Sequence[str]:
    """The digits that a number rounding to this one begins with: its own, or those of the upper half of the one below.

    Three of them, with zeros behind where it has fewer.
    """
    steps = int((abs(number.value) / number.step).to_integral_value(ROUND_HALF_EVEN))
    if steps == 0:
        return ()
    below = [f"{steps - 1}{digit}" for digit in "56789"] if steps > 1 else []
    return tuple(f"{digits:0<3}"[:_KEY] for digits in (str(steps), *below))
