"""Numbers of a sentence, bound by where companies, figures and periods stand beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from dexter.figures.blocks import Span
from dexter.figures.bound import Bound, Context, Named
from dexter.figures.find import find_numbers
from dexter.figures.lexicon import Mention
from dexter.figures.numbers import Number
from dexter.figures.periods import Period
from dexter.figures.vocabulary import kind_of

# What may stand between a number and the period that follows it: anything that opens no new thought.
_TO_PERIOD = re.compile(
    r"(?!.*(?:[,;:，；：—–]|\b(?:and|while|but|versus|vs|against|from|than|over|since|compared|up|down)\b|较|比))[^()（）]{0,40}$"
    r"|[^,;()（）]{0,24}[(（](?:in|for|period|ended|at|as of|the)?\s*$",
    re.IGNORECASE,
)
_TO_COMPANY = re.compile(r"\s*(?:[(（]|for|at|by|from|of)\s*$|\s*$", re.IGNORECASE)
_TO_CONCEPT = re.compile(r"\s*(?:(?:in|of|as|的)\s+)?(?:(?:its|total|the|annual|quarterly)\s+)*$", re.IGNORECASE)
_OF = re.compile(r"\s*of\b", re.IGNORECASE)
# A number that sets two others in proportion, and belongs to both.
_COMPARES = re.compile(
    r"\s*(?:as (?:much|many|large|big|high)|more\b|less\b|higher\b|lower\b|larger\b|smaller\b|fewer\b|ahead\b|behind\b"
    r"|than\b|多|少|高|低)",
    re.IGNORECASE,
)
_DIFFERENCE_BEFORE = re.compile(
    r"(?:difference|gap|lead|advantage|margin|spread) of\s*$|\bby\s*$|相差|差距|差", re.IGNORECASE
)


class _Placed(Protocol):
    """Something that stands at a place of the sentence."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=_Placed)


@dataclass(frozen=True)
class _Sentence:
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
        end = self.numbers[at + 1].start if at + 1 < len(self.numbers) else len(self.text)
        return self.text[self.numbers[at].end : end]

    def next_one(self, at: int, placed: Sequence[P]) -> P | None:
        """The first of these after a number and before the next."""
        number = self.numbers[at]
        limit = self.numbers[at + 1].start if at + 1 < len(self.numbers) else len(self.text)
        return next((one for one in placed if number.end <= one.start < limit), None)

    def gap(self, at: int, one: _Placed) -> str:
        """The words between a number and what follows it."""
        return self.text[self.numbers[at].end : one.start]


def bind_sentence(span: Span, named: Named, context: Context, *, bare: bool = False) -> Iterator[Bound]:
    """Every figure of a sentence; with `bare` also those without a unit."""
    numbers = find_numbers(span.text, bare=bare)
    if not numbers:
        return
    named = _clear_of(named, numbers)
    sentence = _Sentence(span.text, numbers, named)
    companies = _companies(sentence, context)
    periods = _periods(sentence, context)
    for at, number in enumerate(numbers):
        concepts = _concepts(sentence, at, context)
        yield Bound(
            _placed(number, span),
            companies[at],
            concepts,
            periods[at],
            label=sentence.before(at).strip(),
            before=sentence.before(at),
            after=sentence.after(at),
            start=span.start,
            end=span.end,
        )


def compares(sentence_after: str, before: str, number: Number) -> bool:
    """Whether a number says how two others stand to each other."""
    if number.unit == "times" and _COMPARES.match(sentence_after):
        return True
    if _COMPARES.match(sentence_after) and number.unit in ("money", "points", "percent", "plain", "times"):
        return True
    return bool(_DIFFERENCE_BEFORE.search(before))


def _placed(number: Number, span: Span) -> Number:
    return replace(number, start=number.start + span.start, end=number.end + span.start)


def _clear_of(named: Named, numbers: Sequence[Number]) -> Named:
    """The names that are no part of a number (`24 million shares`)."""

    def clear(one: _Placed) -> bool:
        return all(one.end <= number.start or one.start >= number.end for number in numbers)

    return Named(
        [mention for mention in named.companies if clear(mention)],
        [mention for mention in named.concepts if clear(mention)],
        [mention for mention in named.periods if clear(mention)],
    )


def _companies(sentence: _Sentence, context: Context) -> list[tuple[str, ...]]:
    """For each number its company, or the two that it compares."""
    found = [_company(sentence, at, context) for at in range(len(sentence.numbers))]
    for first, last, tickers in _runs(sentence):
        single = [
            at
            for at in range(first, last)
            if not compares(sentence.after(at), sentence.before(at), sentence.numbers[at])
        ]
        if single and len(single) % len(tickers) == 0:
            for place, at in enumerate(single):
                found[at] = (tickers[place % len(tickers)],)
        for at in range(first, last):
            if at not in single:
                found[at] = tickers
    return found


def _company(sentence: _Sentence, at: int, context: Context) -> tuple[str, ...]:
    mentions = sentence.named.companies
    if len({mention.ticker for mention in mentions}) == 1:
        return (mentions[0].ticker,)
    after = sentence.next_one(at, mentions)
    if after and _TO_COMPANY.fullmatch(sentence.gap(at, after)):
        return (after.ticker,)
    number = sentence.numbers[at]
    before = [mention.ticker for mention in mentions if mention.end <= number.start]
    if before:
        return tuple(dict.fromkeys((before[-1], *before[:1] * _is_comparison(sentence, at))))
    return context.companies or tuple(mention.ticker for mention in mentions[:1])


def _is_comparison(sentence: _Sentence, at: int) -> bool:
    return compares(sentence.after(at), sentence.before(at), sentence.numbers[at])


def _runs(sentence: _Sentence) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Companies named in a row before any number, and the numbers up to the next company: first, last, tickers."""
    numbers, mentions = sentence.numbers, list(sentence.named.companies)
    while mentions:
        start = mentions[0].start
        first = next((at for at, number in enumerate(numbers) if number.start >= start), len(numbers))
        limit = numbers[first].start if first < len(numbers) else len(sentence.text)
        run = [mention for mention in mentions if mention.end <= limit]
        mentions = mentions[max(len(run), 1) :]
        following = mentions[0].start if mentions else len(sentence.text)
        last = next((at for at in range(first, len(numbers)) if numbers[at].start >= following), len(numbers))
        tickers = tuple(dict.fromkeys(mention.ticker for mention in run))
        if len(tickers) > 1 and last > first:
            yield first, last, tickers


def _periods(sentence: _Sentence, context: Context) -> list[tuple[Period, ...]]:
    """For each number the periods it may belong to."""
    mentions = sentence.named.periods
    taken: dict[int, int] = {}
    for at in range(len(sentence.numbers)):
        after = sentence.next_one(at, mentions)
        if after and _TO_PERIOD.match(sentence.gap(at, after)):
            taken[at] = mentions.index(after)
    return [_period(sentence, at, taken, context) for at in range(len(sentence.numbers))]


def _period(sentence: _Sentence, at: int, taken: dict[int, int], context: Context) -> tuple[Period, ...]:
    mentions = sentence.named.periods
    if at in taken:
        return (mentions[taken[at]].period,)
    used = set(taken.values())
    number = sentence.numbers[at]
    before = [m for place, m in enumerate(mentions) if m.end <= number.start and not m.period.relation]
    free = [m for place, m in enumerate(mentions) if m in before and place not in used]
    candidates = [mention.period for mention in reversed(free or before)]
    after = [m.period for m in mentions if m.start >= number.end and not m.period.relation]
    return tuple(dict.fromkeys(candidates[:2] or after[:1])) or context.periods


def _concepts(sentence: _Sentence, at: int, context: Context) -> tuple[str, ...]:
    """The figure that a number is of, and another that it may be of."""
    number = sentence.numbers[at]
    mentions = sentence.named.concepts
    after = sentence.next_one(at, mentions)
    if after and _belongs(sentence, at, after):
        return (after.name,)
    before = [mention.name for mention in mentions if mention.end <= number.start]
    fitting = [name for name in reversed(before) if fits(number, name)]
    if fitting or before:
        return tuple(dict.fromkeys((*fitting[:1], *before[-1:])))
    return tuple(name for name in context.concepts if fits(number, name)) or context.concepts


def _belongs(sentence: _Sentence, at: int, mention: Mention) -> bool:
    """`$26 billion in revenue`, `71.1% gross margin`; not `8.6% of revenue`, which is a share of it."""
    gap = sentence.gap(at, mention)
    number = sentence.numbers[at]
    if not _TO_CONCEPT.fullmatch(gap) or not fits(number, mention.name):
        return False
    return not (number.is_rate and _OF.match(gap))


def fits(number: Number, concept: str) -> bool:
    """Whether a number's unit is one that the figure comes in."""
    kind = kind_of(concept)
    if number.unit in ("percent", "points"):
        return kind in ("rate", "ratio", "")
    if number.unit == "times":
        return kind in ("ratio", "")
    if number.unit == "shares":
        return kind in ("shares", "")
    if number.unit == "per_share":
        return kind in ("per_share", "")
    if number.unit == "money":
        return kind in ("money", "per_share", "") if not number.scaled else kind in ("money", "")
    return True
