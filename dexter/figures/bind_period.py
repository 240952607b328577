"""Which period each number of a sentence is of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dexter.figures.bind_concept import Figure
from dexter.figures.bound import Context
from dexter.figures.directions import FROM, HEDGES, last_direction
from dexter.figures.period_words import PeriodMention
from dexter.figures.periods import NO_PERIOD, Period
from dexter.figures.sentence import Sentence

# What may stand between a number and the period that follows it: anything that opens no new thought.
_TO_PERIOD = re.compile(
    r"(?!.*(?:[,;:，；：、—–]|\b(?:and|while|but|versus|vs|against|from|than|over|since|compared|up|down|above|below|as(?!\s+of))\b|[较比至到为]))"
    r"[^()（）]{0,40}$|[^,;()（）]{0,24}[(（](?:in|for|period|ended|at|as of|the)?\s*$",
    re.IGNORECASE,
)
_TO_RELATION = re.compile(
    r"\s*(?:in|for|from|of|above|below|over|(?:\w+\s)?than|on|versus|compared with|the)?\s*(?:that of\s*)?"
    r"(?:(?:it|they|that|the company)\s+(?:had\s+|was\s+|were\s+)?[a-z]+\s+)?(?:in\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
_FROM_RELATION = re.compile(r"(?:['’]s)?\s*(?:为|的|是|:|it was|it had been|was|were)?\s*[(（]?\s*", re.IGNORECASE)
_COMPARED = re.compile(
    r"\b(?:from|after|following|compare[ds] (?:with|to)|as opposed to|versus|vs\.?|against|having been)"
    + HEDGES
    + r"|(?:而|较|低于|高于)\s*$",
    re.IGNORECASE,
)
# A number in brackets right behind another one: `151.9% (164.6%)`.
_BRACKET = re.compile(r"\s*[(（]\s*")
_THEN = re.compile(r"\s*(?:back\s+)?then\b|\s*at (?:the|that) time\b", re.IGNORECASE)
_OR = re.compile(r"\s*(?:[,，]?\s*(?:or|i\.e\.|that is)\b|[(（])" + HEDGES, re.IGNORECASE)
_TO = re.compile(r"^\s*(?:to|增至|升至|降至|提高到|下降到|[至到])" + HEDGES, re.IGNORECASE)
# Numbers in a row over time: `16.8% → 9.2% → 7.2%`.
_ARROW = re.compile(r"\s*(?:→|->|⟶|➝)\s*")
# A period that is of the number behind it: `2024年的7.2%`, `FY2023: $5`.
_OF_NEXT = re.compile(r"\s*(?:[:：]|[的为是]\s*[\d$¥€£-])")
_ADJOINS = re.compile(r"(?:['’]s)?\s*(?:的|为|是|:|：|[(（])?\s*")
_LISTED = re.compile(r"\s*(?:,|and|or|, and|、|和|及)\s*", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
# In a text that names no year it is the newest one.
_LAST = re.compile(r"(?:the\s+)?last\b|去年", re.IGNORECASE)
# `a quarter earlier, when revenue was $68 billion`.
_WHEN = re.compile(r"\s*,?\s*(?:when|at which point)\b", re.IGNORECASE)
_LATER = frozenset({"year_after", "quarter_after"})
# How far from its beginning a sentence is opened.
_OPENING = 12


def bind_periods(
    sentence: Sentence, companies: Sequence[tuple[str, ...]], figures: Sequence[Figure], context: Context
) -> list[tuple[Period, ...]]:
    """For each number the periods that it may belong to, the likeliest first.

    Args:
        sentence: The sentence.
        companies: For each number the company that it is of.
        figures: For each number what it is of.
        context: What is known before it.
    """
    reading = _Reading(sentence, _taken(sentence), companies)
    found: list[tuple[Period, ...]] = []
    for at in range(len(sentence.numbers)):
        if reading.is_put_another_way(at):
            found.append(found[-1])
            continue
        is_same = at == 0 or (companies[at], figures[at].names[:1]) == (companies[at - 1], figures[at - 1].names[:1])
        known = context.periods_of(companies[at])
        found.append(_periods(reading, at, replace(context, periods=known), goes_on=is_same))
    return found


def topics_in_time(sentence: Sentence) -> list[PeriodMention]:
    """The periods that the sentence is about: no number's own, none that something is compared with."""
    own = _taken(sentence).values()
    return [
        mention
        for mention in sentence.named.periods
        if not mention.period.relation
        and mention not in own
        and not (sentence.stands_against(mention) or sentence.is_aside(mention))
    ]


@dataclass(frozen=True)
class _Reading:
    """A sentence, the periods that stand behind their numbers, and the companies of the numbers."""

    sentence: Sentence
    taken: Mapping[int, PeriodMention]
    companies: Sequence[tuple[str, ...]]

    def before(self, at: int) -> list[PeriodMention]:
        """The periods before a number that may speak of it."""
        visible = self.sentence.visible(at, self.sentence.named.periods)
        return [mention for mention in visible if mention.end <= self.sentence.numbers[at].start]

    def stated(self, at: int) -> list[PeriodMention]:
        """Those of them that are told by themselves."""
        return [mention for mention in self.before(at) if not mention.period.relation]

    def free(self, at: int) -> list[PeriodMention]:
        """Those of them that are no other number's own."""
        if self.sentence.opens_bracket(at):
            return self.stated(at)
        own = (*self.taken.values(), *self.adjoining)
        return [mention for mention in self.stated(at) if mention not in own]

    def topic(self, at: int, context: Context, *, is_start: bool = False) -> Period:
        """The period that the sentence is about up to a number; `is_start`: from which something went on."""
        about = [m.period for m in self.stated(at) if is_start or not self.sentence.stands_against(m)]
        return about[-1] if about else context.periods[0] if context.periods else NO_PERIOD

    def is_put_another_way(self, at: int) -> bool:
        """Whether a number says the one before it in another unit: `$18.8 billion, or $4.38`."""
        sentence = self.sentence
        if (
            not at
            or at in self.taken
            or not _OR.fullmatch(sentence.before(at))
            or self.companies[at] != self.companies[at - 1]
        ):
            return False
        one, other = sentence.numbers[at - 1], sentence.numbers[at]
        return not (one.is_rate or other.is_rate) and (one.unit, one.scaled) != (other.unit, other.scaled)

    def is_in_row(self, at: int) -> bool:
        """Whether an arrow leads from a number to another one, or to it."""
        sentence = self.sentence
        return bool(_ARROW.fullmatch(sentence.before(at)) or _ARROW.fullmatch(sentence.after(at)))

    @cached_property
    def adjoining(self) -> list[PeriodMention]:
        """The periods that stand right before a number and say when it alone was: `2024年的5亿`, `FY2023: $5`."""
        sentence = self.sentence
        return [
            mention
            for at, number in enumerate(sentence.numbers)
            for mention in sentence.named.periods
            if sentence.place(at)[0] <= mention.start < number.start
            and _ADJOINS.fullmatch(sentence.text[mention.end : number.start])
        ]


def _taken(sentence: Sentence) -> dict[int, PeriodMention]:
    """The numbers that are followed by their period; of numbers in a list the last one's is that of all."""
    aligned = _aligned(sentence)
    if aligned:
        return aligned
    taken: dict[int, PeriodMention] = {}
    for at in reversed(range(len(sentence.numbers))):
        after = _period_behind(sentence, at)
        if after:
            taken[at] = after
        elif at + 1 in taken and _is_listed(sentence, at):
            taken[at] = taken[at + 1]
    return taken


def _is_listed(sentence: Sentence, at: int) -> bool:
    """Whether a number and the next one stand in a list; one that only says how much more it is does not."""
    listed = _LISTED.fullmatch(sentence.before(at + 1)) and sentence.alike(at, at + 1)
    return bool(listed) and not sentence.compares(at + 1)


def _aligned(sentence: Sentence) -> dict[int, PeriodMention]:
    """`$5 and $3 in FY2025 and FY2024, respectively`."""
    mentions = [mention for mention in sentence.named.periods if not mention.period.relation]
    if len(mentions) != len(sentence.numbers) or len(mentions) < 2:  # noqa: PLR2004 - a list has two
        return {}
    apart = mentions[-1].end <= sentence.numbers[0].start or sentence.numbers[-1].end <= mentions[0].start
    return dict(enumerate(mentions)) if apart and _RESPECTIVELY.search(sentence.text) else {}


def _period_behind(sentence: Sentence, at: int) -> PeriodMention | None:
    """The period that follows a number and says when it was."""
    after = sentence.next_one(at, sentence.visible(at, sentence.named.periods))
    if after is None or _OF_NEXT.match(sentence.text, after.end):
        return None
    gap = sentence.gap(at, after)
    fits = _TO_RELATION.fullmatch(gap) if after.period.relation else _TO_PERIOD.match(gap)
    return after if fits else None


def _periods(reading: _Reading, at: int, context: Context, *, goes_on: bool) -> tuple[Period, ...]:
    """`goes_on`: the number is of the same figure and company as the one before."""
    own = _own(reading, at, context)
    if own:
        return _with_year(own, reading, at, context)
    span = _span(reading, at, context) or _in_line(reading, at, context)
    if span:
        return (span,)
    before = reading.sentence.before(at)
    leads_here = goes_on or reading.is_in_row(at) or (FROM.search(before) and last_direction(before))
    if leads_here and _is_compared(reading, at):
        return _earlier(reading, at, context)
    return _of_the_text(reading, at, context)


def _with_year(own: Period, reading: _Reading, at: int, context: Context) -> tuple[Period, ...]:
    """A quarter without a year may be of the year spoken of: `every quarter of 2025: $42 billion in Q1`."""
    if not own.name.startswith(("Q", "H")) or own.year is not None or own.end or own.relation:
        return (own,)
    said = [mention.period.year for mention in reading.stated(at) if mention.period.year]
    years = (*said[-1:], *(period.year for period in context.periods[:1]))
    return tuple(dict.fromkeys((*(replace(own, year=year) for year in years[:1] if year), own)))


def _own(reading: _Reading, at: int, context: Context) -> Period | None:
    """The period that stands at the number itself, behind it or before it."""
    topic = reading.topic(at, context)
    related = _relation(reading, at)
    if related and related.period.relation in _LATER:
        topic = reading.topic(at, context, is_start=True)
    is_latest = bool(related) and bool(_LAST.match(reading.sentence.text, related.start if related else 0))
    if related and is_latest and not reading.sentence.stands_against(related):
        return NO_PERIOD
    if related and (topic.year or topic.name or not is_latest):
        return replace(topic, relation=related.period.relation, steps=related.period.steps)
    if at in reading.taken and not reading.taken[at].period.relation:
        return reading.taken[at].period
    start = reading.sentence.place(at)[0]
    return next((m.period for m in reversed(reading.stated(at)) if m in reading.adjoining and m.start >= start), None)


def _relation(reading: _Reading, at: int) -> PeriodMention | None:
    """`a year earlier` at a number, or in front of all numbers of a sentence that names no period."""
    if at in reading.taken:
        return reading.taken[at] if reading.taken[at].period.relation else None
    before, sentence = reading.before(at), reading.sentence
    if not before or not before[-1].period.relation:
        return None
    gap = sentence.text[before[-1].end : sentence.numbers[at].start]
    is_first = before[-1].start <= _OPENING and len(before) == 1 and before[-1].end <= sentence.numbers[0].start
    opens = (is_first and not sentence.stands_against(before[-1])) or _WHEN.match(sentence.text, before[-1].end)
    return before[-1] if opens or _FROM_RELATION.fullmatch(gap) else None


def _span(reading: _Reading, at: int, context: Context) -> Period | None:
    """For an end of `from 29.8% to 32.0%`, that end of the time spoken of, else the topic and the year before."""
    sentence = reading.sentence
    is_first = bool(FROM.search(sentence.before(at)))
    first, last = (at, at + 1) if is_first else (at - 1, at)
    if first < 0 or last >= len(sentence.numbers) or reading.companies[first] != reading.companies[last]:
        return None
    if not (FROM.search(sentence.before(first)) and _TO.match(sentence.before(last))):
        return None
    spoken = [mention.period for mention in reading.stated(at) if not sentence.stands_against(mention)][-2:]
    if len(spoken) < 2:  # noqa: PLR2004 - a span has two ends
        spoken = [] if reading.free(at) else list(context.span)
    if spoken:
        return spoken[0] if is_first else spoken[-1]
    since = [mention.period for mention in reading.stated(at) if sentence.stands_against(mention)]
    if since:
        return since[-1] if is_first else context.periods[0] if context.periods else NO_PERIOD
    topic = reading.topic(at, context)
    return replace(topic, relation="year_before") if is_first else topic


def _in_line(reading: _Reading, at: int, context: Context) -> Period | None:
    """For one of several numbers in a row that names no period, that of the periods named in a row before."""
    sentence = reading.sentence
    if sentence.named.periods or len(sentence.numbers) != len(context.spoken):
        return None
    is_row = all(
        _LISTED.fullmatch(sentence.before(n)) and sentence.alike(0, n) for n in range(1, len(sentence.numbers))
    )
    return context.spoken[at] if is_row else None


def _is_compared(reading: _Reading, at: int) -> bool:
    """Whether a number is what the one before it is compared with, without any period between them."""
    sentence = reading.sentence
    if any(mention.start >= sentence.place(at)[0] for mention in reading.stated(at)):
        return False
    if reading.is_in_row(at):
        return True
    in_brackets = at > 0 and bool(_BRACKET.fullmatch(sentence.before(at))) and sentence.alike(at - 1, at)
    return in_brackets or bool(_COMPARED.search(sentence.before(at)))


def _earlier(reading: _Reading, at: int, context: Context) -> tuple[Period, ...]:
    """What a number with nothing but `from` before it is of: the period before, or the topic's own."""
    topic = reading.topic(at, context)
    related = tuple(replace(topic, relation=relation) for relation in ("year_before", "quarter_before"))
    free = [mention.period for mention in reading.free(at)]
    spoken = context.spoken if reading.is_in_row(at) or _THEN.match(reading.sentence.after(at)) else ()
    return tuple(dict.fromkeys((*related, *free[-1:], *context.periods, *spoken)))


def _of_the_text(reading: _Reading, at: int, context: Context) -> tuple[Period, ...]:
    """The periods named before in the sentence, else those of the text, else one named later."""
    sentence = reading.sentence
    free = [m.period for m in reversed(reading.free(at)) if not sentence.stands_against(m)]
    if free:
        return tuple(dict.fromkeys(free[:2]))
    stated = [mention for mention in reversed(reading.stated(at)) if mention not in reading.adjoining]
    further = [mention.period for mention in stated if not sentence.stands_against(mention)]
    if further:
        return tuple(dict.fromkeys((*further[:2], *context.periods[:1])))
    if stated:
        return tuple(dict.fromkeys((*(context.periods[:1] or (NO_PERIOD,)), stated[0].period)))
    visible = sentence.visible(at, sentence.named.periods)
    later = [
        mention.period
        for mention in visible
        if mention.start >= sentence.numbers[at].end
        and not mention.period.relation
        and not sentence.stands_against(mention)
    ]
    return context.periods or tuple(later[:1])
