"""Numbers of a sentence, bound by where companies, figures and periods stand beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dexter.figures.bind_company import bind_companies
from dexter.figures.bind_concept import Figure, bind_concepts
from dexter.figures.bind_period import bind_periods, topics_in_time
from dexter.figures.bound import Bound, Context, Others, own_words
from dexter.figures.directions import FROM, HEDGES
from dexter.figures.labels import label_words
from dexter.figures.periods import NO_PERIOD, Period
from dexter.figures.sentence import Sentence, moved

_JOINS = re.compile(r"\s*(?:,|and|at|for|of|['’]s|by|，|、|和|\s)*", re.IGNORECASE)
_ARROW = re.compile(r"\s*(?:→|->|⟶|➝)\s*")
_ROW = re.compile(r"\s*(?:,|to|至|到|,?\s*and|,?\s*then|、|和)\s*", re.IGNORECASE)
_AGAINST = re.compile(r"\b(?:against|versus|vs\.?|compared (?:with|to))" + HEDGES, re.IGNORECASE)
_QUARTERS = re.compile(r"\b(?:two|three|four|those|these|successive|consecutive)\s+(?:quarters|years)\b", re.IGNORECASE)
# Whose it is stands before the pronoun, and may be any company of the sentence.
_ITS = re.compile(r"\b(?:its|their)\b", re.IGNORECASE)
# How far behind a number a name is still right at it.
_NEAR = 5


def bind_sentence(sentence: Sentence, start: int, context: Context) -> Iterator[Bound]:
    """Every figure of a sentence that begins at `start` of its text."""
    if not sentence.numbers:
        return
    companies = bind_companies(sentence, context)
    figures = bind_concepts(sentence, context)
    periods = bind_periods(sentence, companies, figures, context)
    label = ""
    for at, number in enumerate(moved(sentence.numbers, start)):
        label = sentence.before(at).strip() if label_words(sentence.before(at)) else label
        concepts = figures[at].names
        named = concepts[0] if concepts else ""
        yield Bound(
            number,
            companies[at],
            concepts,
            periods[at],
            label=label,
            own=own_words(sentence.text, sentence.named, named, sentence.place(at)),
            whole=figures[at].whole,
            beside=tuple(mention.name for mention in sentence.named.concepts),
            others=_others(sentence, at, (companies[at], figures[at], periods[at]), context),
            spoken=tuple(m.period for m in sentence.named.periods if not m.period.relation) or context.span,
            continues=at > 0 and _goes_on(sentence, at) and figures[at].names == figures[at - 1].names,
            doubt=figures[at].doubt,
            is_loose=_is_loose(sentence, at),
            is_dated=any(not m.period.relation for m in sentence.named.periods),
            before=sentence.before(at),
            after=sentence.after(at),
            said=sentence.text,
            start=start,
            end=start + len(sentence.text),
        )


def _is_loose(sentence: Sentence, at: int) -> bool:
    """Whether a number stands in a row, or as the first of two, and no period tells when: any time may be meant."""
    before = sentence.before(at)
    around = (before, sentence.before(at + 1) if at + 1 < len(sentence.numbers) else "")
    is_row = any(map(_ROW.fullmatch, around))
    if any(map(_ARROW.fullmatch, around)) or (is_row and _QUARTERS.search(sentence.text)):
        return True
    return not sentence.named.periods and (is_row or bool(FROM.search(before)))


def _goes_on(sentence: Sentence, at: int) -> bool:
    """Whether only names stand between a number and one of its unit: `added $5 billion, Alphabet $3 billion`."""
    start, end = sentence.place(at)
    companies = [(mention.start, mention.end) for mention in sentence.named.companies]
    concepts = [(mention.start, mention.end) for mention in sentence.named.concepts]
    named = {place for span in (*companies, *concepts) for place in range(*span)}
    words = "".join(sentence.text[place] for place in range(start, end) if place not in named)
    return sentence.alike(at - 1, at) and bool(_JOINS.fullmatch(words))


def _others(
    sentence: Sentence, at: int, bound: tuple[tuple[str, ...], Figure, tuple[Period, ...]], context: Context
) -> Others:
    """What else a number may be of: any company or period of its sentence, unless one stands right at it."""
    companies, figure, periods = bound
    owner = max((match.start() for match in _ITS.finditer(sentence.before(at))), default=0)
    here = range(sentence.place(at)[0] + owner, sentence.numbers[at].end + _NEAR)
    tickers = dict.fromkeys((*(mention.ticker for mention in sentence.named.companies), *context.all_companies))
    spoken = dict.fromkeys(m.period for m in topics_in_time(sentence))
    if _AGAINST.search(sentence.before(at)):  # each company's own year
        spoken |= dict.fromkeys(context.of_company[ticker] for ticker in tickers if ticker in context.of_company)
    if periods[:1] and periods[0].relation and not any(m.period.relation for m in sentence.named.periods):
        # What a figure is compared with may be another company's of the same time.
        spoken |= dict.fromkeys(context.periods[:1] or (NO_PERIOD,))
    has_company = any(mention.start in here for mention in sentence.named.companies)
    has_period = any(mention.start in here for mention in sentence.named.periods)
    return Others(
        () if has_company else tuple(ticker for ticker in tickers if ticker not in companies),
        figure.others,
        () if has_period else tuple(period for period in spoken if period not in periods),
    )
