"""Where a result's own words say a figure: found by its number, then bound like a figure of the answer.

Only lines that hold the digits are read, so that megabytes of results cost little.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from dexter.figures.bind import bind
from dexter.figures.bound import Bound, Context, Reader
from dexter.figures.claims import claim_of
from dexter.figures.companies import tickers_asked
from dexter.figures.compare import says
from dexter.figures.labels import label_words
from dexter.figures.match import agree_on_words, is_of_period
from dexter.figures.number_index import NumberIndex, is_written, values_of
from dexter.figures.origins import is_untrusted
from dexter.figures.period_words import find_periods
from dexter.figures.vocabulary import kind_of
from dexter.results import StoredResult

_HEAD = 400
_LONGEST_LINE = 2_000
_AROUND = 600
_HIGHEST_TABLE = 50_000
_MOST_LINES = 40
# A page may repeat a number without end. So many places of it are looked at in each result and in all, and so many
# different passages read, the likeliest first.
_MOST_OF_A_RESULT, _MOST_PLACES, _MOST_PASSAGES = 500, 1_000, 40
_NUMBER = re.compile(r"\d[\d,.]*\d")
_EDGE = re.compile(r"[.。;；\n}{]\s*")


@dataclass(frozen=True)
class Said:
    """A passage that says a figure: its result, the number as it stands there, whether anybody may have written it."""

    result: int
    bound: Bound
    is_untrusted: bool = False


class Passages:
    """The texts of results that are read for figures: those without cells, whose text is all there is."""

    def __init__(self, results: Iterable[StoredResult], reader: Reader) -> None:
        texts = [result for result in results if not result.cells and result.tool != "calculate" and result.text]
        self._results: Sequence[StoredResult] = sorted(texts, key=is_untrusted)
        self._reader = reader
        self._read: dict[tuple[int, str], tuple[Bound, ...]] = {}
        self._contexts: dict[int, Context] = {}

    def __bool__(self) -> bool:
        return bool(self._results)

    def saying(self, bound: Bound) -> Iterator[Said]:
        """The passages that state a number of the answer: the value, of the same company, figure and period."""
        for result, passage in islice(self._passages(bound), _MOST_PASSAGES):
            said = (other for other in self._bounds(result, passage) if is_said(bound, other))
            yield from (Said(result.id, other, is_untrusted(result)) for other in said)

    def speak_of(self, bound: Bound) -> Iterator[Said]:
        """The figures that passages call by the same words, whatever their value; the first lines that do."""
        words = sorted(label_words(bound.label), key=len, reverse=True)[:1]
        for word in words:
            pattern = re.compile(re.escape(word), re.IGNORECASE)
            for result in self._results:
                for at in islice(_lines_with(pattern, result.text), _MOST_LINES):
                    others = self._bounds(result, _passage(result.text, at))
                    yield from (Said(result.id, other) for other in others if _is_of(bound, other))

    def _passages(self, bound: Bound) -> Iterator[tuple[StoredResult, str]]:
        """The different passages that have a number which this one rounds; what repeats itself is read once."""
        given: set[tuple[int, str]] = set()
        for result, at in self._places(bound):
            passage = _passage(result.text, at)
            if (result.id, passage) not in given:
                given.add((result.id, passage))
                yield result, passage

    def _places(self, bound: Bound) -> Iterator[tuple[StoredResult, int]]:
        """Where a text has a number that this one rounds, whatever it is of.

        What can be trusted comes first, then what has most words and numbers in common with the answer's sentence.
        """
        tokens = frozenset(_NUMBER.findall(bound.said)) or label_words(bound.said)
        places = self._index.places(bound.number, _MOST_OF_A_RESULT)
        found = [(self._results[at], place) for at, place in places]
        for result, place in sorted(found, key=lambda place: _unlikeness(tokens, *place))[:_MOST_PLACES]:
            if is_written(bound.number, result.text, place):
                yield result, place

    @cached_property
    def _index(self) -> NumberIndex:
        return NumberIndex([result.text for result in self._results])

    def _bounds(self, result: StoredResult, passage: str) -> tuple[Bound, ...]:
        key = (result.id, passage)
        if key not in self._read:
            self._read[key] = tuple(bind(passage, self._reader, self._context(result), bare=True))
        return self._read[key]

    def _context(self, result: StoredResult) -> Context:
        """What a document says of itself: the company that was asked for, the period in its first lines."""
        if result.id not in self._contexts:
            only = self._reader.companies.only
            asked = tickers_asked(result) or ((only,) if only else ())
            periods = tuple(mention.period for mention in find_periods(result.text[:_HEAD]))
            self._contexts[result.id] = Context(companies=asked if len(asked) == 1 else (), periods=periods[:1])
        return self._contexts[result.id]


def _unlikeness(tokens: AbstractSet[str], result: StoredResult, at: int) -> tuple[bool, int]:
    line_start, line_end = result.text.rfind("\n", 0, at) + 1, result.text.find("\n", at)
    start, end = max(line_start, at - _AROUND), at + _AROUND
    line = result.text[start : end if line_end < 0 else min(end, line_end)].lower()
    return is_untrusted(result), -sum(token in line for token in tokens)


def is_said(bound: Bound, other: Bound) -> bool:
    """Whether a passage's number states the answer's: no coarser, and of the same things."""
    number, source = bound.number, other.number
    if source.step > number.step and source.value != number.value:
        return False
    kind = kind_of(bound.concepts[0]) if bound.concepts else ""
    return any(says(number, value, kind) for value in values_of(source, number)) and _is_of(bound, other)


def _is_of(bound: Bound, other: Bound) -> bool:
    if bound.companies and other.companies and not set(bound.companies) & set(other.companies):
        return False
    mine, theirs = claim_of(bound), claim_of(other)
    if not _units_agree(bound, other) or mine.sort != theirs.sort:
        return False
    if mine.sort in ("growth", "change") and mine.direction * theirs.direction < 0:
        return False
    if not _periods_agree(bound, other):
        return False
    return agree_on_words(bound, other)


def _units_agree(bound: Bound, other: Bound) -> bool:
    units = {bound.number.unit, other.number.unit}
    return len(units) == 1 or "plain" in units or units == {"money", "per_share"}


def _periods_agree(bound: Bound, other: Bound) -> bool:
    if not bound.periods or not other.periods:
        return True
    return any(
        (mine.relation == theirs.relation and is_of_period(mine, theirs)) or (mine.relation and theirs.relation)
        for mine in bound.periods
        for theirs in other.periods
    )


def _lines_with(pattern: re.Pattern[str], text: str) -> Iterator[int]:
    """A place in every line that the pattern is found in."""
    at = 0
    while match := pattern.search(text, at):
        yield match.start()
        end = text.find("\n", match.end())
        at = end if 0 <= end - match.end() <= _LONGEST_LINE else match.end() + _AROUND
        if end < 0 and at > len(text):
            return


def _passage(text: str, at: int) -> str:
    """What has to be read to know what a number is of: its line, and the head of the table it stands in."""
    start, end = _around(text, at)
    return _table_head(text, start) + text[start:end]


def _around(text: str, at: int) -> tuple[int, int]:
    """The line around a place; of a very long one the part around it."""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    end = len(text) if end < 0 else end
    if end - start <= _LONGEST_LINE:
        return start, end
    first = max(start, at - at % _AROUND - _AROUND)
    last = min(end, first + 3 * _AROUND)
    edge = _EDGE.search(text, first, at)
    return (edge.end() if edge and first > start else first), last


def _table_head(text: str, start: int) -> str:
    """The line above a table, its head and its rule, if the line that begins here is one of its rows."""
    if "|" not in text[start : start + _LONGEST_LINE].partition("\n")[0]:
        return ""
    rule = -1
    above = text[max(0, start - _HIGHEST_TABLE) : start].rsplit("\n", 400)
    for back in range(len(above) - 1, 0, -1):
        if above[back] and "|" not in above[back]:
            break
        if above[back] and not set(above[back]) - set("|-: "):
            rule = back
    if rule < 1:
        return ""
    named = next((line for line in reversed(above[: rule - 1]) if line.strip()), "")
    return "\n".join((named, above[rule - 1], above[rule], ""))
