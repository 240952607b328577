"""Which period each number of a sentence is of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from dexter.figures.bind_concept import Figure
from dexter.figures.bound import Context
from dexter.figures.period_words import PeriodMention
from dexter.figures.periods import NO_PERIOD, Period
from dexter.figures.sentence import Sentence

# What may stand between a number and the period that follows it: anything that opens no new thought.
_TO_PERIOD = re.compile(
    r"(?!.*(?:[,;:，；：—–]|\b(?:and|while|but|versus|vs|against|from|than|over|since|compared|up|down|above|below)\b|[较比至到为]))"
    r"[^()（）]{0,40}$|[^,;()（）]{0,24}[(（](?:in|for|period|ended|at|as of|the)?\s*$",
    re.IGNORECASE,
)
_RELATION_AFTER = re.compile(
    r"\s*(?:in|for|from|of|above|below|over|(?:\w+\s)?than|on|versus|compared with|the)?\s*(?:that of\s*)?"
    r"(?:in\s+)?(?:the\s+)?$",
    re.IGNORECASE,
)
_RELATION_BEFORE = re.compile(r"(?:['’]s)?\s*(?:为|的|是|:|it was|it had been|was|were)?\s*$", re.IGNORECASE)
_FROM = re.compile(
    r"\b(?:from|compare[ds] (?:with|to)|versus|vs\.?|against)\s*(?:about|roughly|just|only|a)?\s*$"
    r"|(?:而|较|低于|高于)\s*$",
    re.IGNORECASE,
)
_LISTED = re.compile(r"\s*(?:,|and|or|, and|、|和|及)\s*", re.IGNORECASE)
_RESPECTIVELY = re.compile(r"\brespectively\b|分别", re.IGNORECASE)
_FROM_ONLY = re.compile(r"\bfrom\s*(?:about|roughly|just|only)?\s*$", re.IGNORECASE)
_TO = re.compile(r"^\s*to\s*(?:about|roughly|just|only)?\s*$", re.IGNORECASE)
# A period before a number: `2024年的7.2%`, `FY2023: $5`.
_OF_NEXT = re.compile(r"\s*(?:[:：]|[的为是]\s*[\d$¥€£-])")


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
    taken = _taken(sentence)
    found: list[tuple[Period, ...]] = []
    for at in range(len(sentence.numbers)):
        known = replace(context, periods=context.periods_of(companies[at]))
        continues = at == 0 or (companies[at], figures[at]) == (companies[at - 1], figures[at - 1])
        found.append(_periods(sentence, at, taken, known, continues=continues))
    return found


def _taken(sentence: Sentence) -> dict[int, PeriodMention]:
    """The numbers that say themselves of which period they are; of numbers in a list the last one says it for all."""
    aligned = _aligned(sentence)
    if aligned:
        return aligned
    taken: dict[int, PeriodMention] = {}
    for at in reversed(range(len(sentence.numbers))):
        after = _period_after(sentence, at)
        if after:
            taken[at] = after
        elif at + 1 in taken and _LISTED.fullmatch(sentence.before(at + 1)):
            taken[at] = taken[at + 1]
    return taken


def _aligned(sentence: Sentence) -> dict[int, PeriodMention]:
    """`$5 and $3 in FY2025 and FY2024, respectively`."""
    mentions = [mention for mention in sentence.named.periods if not mention.period.relation]
    if len(mentions) != len(sentence.numbers) or len(mentions) < 2:  # noqa: PLR2004 - a list has two
        return {}
    apart = mentions[-1].end <= sentence.numbers[0].start or sentence.numbers[-1].end <= mentions[0].start
    return dict(enumerate(mentions)) if apart and _RESPECTIVELY.search(sentence.text) else {}


def _period_after(sentence: Sentence, at: int) -> PeriodMention | None:
    """The period that follows a number and says when it was."""
    after = sentence.next_one(at, sentence.visible(at, sentence.named.periods))
    if after is None or _OF_NEXT.match(sentence.text, after.end):
        return None
    gap = sentence.gap(at, after)
    if after.period.relation:
        return after if _RELATION_AFTER.fullmatch(gap) else None
    return after if _TO_PERIOD.match(gap) else None


def _periods(
    sentence: Sentence, at: int, taken: dict[int, PeriodMention], context: Context, *, continues: bool
) -> tuple[Period, ...]:
    """`continues`: the number is of the same figure and company as the one before."""
    mentions = sentence.visible(at, sentence.named.periods)
    number = sentence.numbers[at]
    before = [mention for mention in mentions if mention.end <= number.start]
    stated = [mention for mention in before if not mention.period.relation]
    topic = _topic(sentence, stated, context)
    if at in taken:
        period = taken[at].period
        return (_related(topic, period),) if period.relation else (period,)
    if (
        before
        and before[-1].period.relation
        and _RELATION_BEFORE.fullmatch(sentence.text[before[-1].end : number.start])
    ):
        return (_related(topic, before[-1].period),)
    used = list(taken.values())
    free = [mention.period for mention in reversed(stated) if mention not in used]
    spoken = [mention.period for mention in stated][-2:]
    span = tuple(spoken) if len(spoken) > 1 else context.span if not free else ()
    if len(span) > 1 and _spans(sentence, at):
        return (span[0] if _FROM_ONLY.search(sentence.before(at)) else span[-1],)
    if continues and _FROM.search(sentence.before(at)) and not _stands_between(sentence, at, stated):
        return _earlier(topic, free, context)
    candidates = free or [mention.period for mention in reversed(stated)]
    if candidates:
        return tuple(dict.fromkeys(candidates[:2]))
    return context.periods or tuple(m.period for m in mentions if m.start >= number.end and not m.period.relation)[:1]


def _earlier(topic: Period, free: list[Period], context: Context) -> tuple[Period, ...]:
    """What a number with nothing but `from` before it is of: the period before, or the topic's own."""
    related = tuple(replace(topic, relation=relation) for relation in ("year_before", "quarter_before"))
    return tuple(dict.fromkeys((*related, *free[:1], *context.periods)))


def _topic(sentence: Sentence, stated: list[PeriodMention], context: Context) -> Period:
    """The period that the sentence is about so far."""
    about = [mention.period for mention in stated if not sentence.stands_against(mention)]
    if about:
        return about[-1]
    return context.periods[0] if context.periods else NO_PERIOD


def _related(topic: Period, period: Period) -> Period:
    return replace(topic, relation=period.relation)


def _spans(sentence: Sentence, at: int) -> bool:
    """Whether a number is an end of `from 29.8% to 32.0%`."""
    if _FROM_ONLY.search(sentence.before(at)):
        return at + 1 < len(sentence.numbers) and bool(_TO.match(sentence.after(at)))
    return at > 0 and bool(_TO.match(sentence.before(at))) and bool(_FROM_ONLY.search(sentence.before(at - 1)))


def _stands_between(sentence: Sentence, at: int, stated: list[PeriodMention]) -> bool:
    """Whether a period is named between the number before and this one."""
    start = sentence.numbers[at - 1].end if at else 0
    return any(mention.start >= start for mention in stated)
