"""Which company each number of a sentence is of, or which two it compares."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dexter.figures.bound import Context
from dexter.figures.companies import CompanyMention
from dexter.figures.directions import HEDGES
from dexter.figures.sentence import Sentence

_TO_COMPANY = re.compile(r"\s*(?:[(（]|for|at|by|from|of)\s*$|\s*$", re.IGNORECASE)
_THAN = re.compile(
    r"\s*(?:as (?:much|many|large|big|high) as|(?:\w+\s)?than|above|below|of|times)?\s*(?:that of\s*)?$", re.IGNORECASE
)
_BETWEEN_TWO = re.compile(
    r"\b(?:exceed\w*|ahead of|beat\w*|outpac\w*|outsell\w*|top(?:s|ped)|trail\w*|behind|below|above|than|over|lag\w*)\b"
    r"|比|超过|高于|低于|领先",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"\b(?:difference|gap|spread)\b[^.,;]{0,40}?\b(?:of|is|was|amounts to|comes to)"
    + HEDGES
    + r"|相差\s*$|差距为?\s*$",
    re.IGNORECASE,
)
_TWO = 2
# `10% higher than in 2024` compares with another time.
_THAN_BEFORE = re.compile(
    r"\s*[a-z]+\s+than\s+(?:in|during|a\s|one\s|the\s+(?:year|quarter|prior|previous|same)|last|it\b|fiscal|(?:19|20)\d\d|Q[1-4])",
    re.IGNORECASE,
)
_VERSUS = re.compile(r"\s*(?:,\s*)?(?:versus|vs\.?|against|compared (?:with|to)|对比|对)\s*$", re.IGNORECASE)
# `67.7% of Apple's revenue`.
_OF = re.compile(r"\s*of\s*", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?\b", re.IGNORECASE)
_COLON = re.compile(r"\s*[:：]")


def bind_companies(sentence: Sentence, context: Context) -> list[tuple[str, ...]]:
    """For each number its company, or the two that it compares, the subject first."""
    used = _taken(sentence)
    found: list[tuple[str, ...]] = []
    for at in range(len(sentence.numbers)):
        found.append(_company(sentence, at, used, found, context))
    for first, last, tickers in _runs(sentence):
        single = [at for at in range(first, last) if not sentence.compares(at)]
        if len(tickers) == _TWO < len(single) and _VERSUS.fullmatch(sentence.before(single[1])):
            single = single[:_TWO]  # `A outspends B, $5 versus $3, and …`
        if single and len(single) % len(tickers) == 0 and not any(at in used for at in single[:1]):
            for place, at in enumerate(single):
                found[at] = (tickers[place % len(tickers)],)
        for at in range(first, last):
            if sentence.compares(at) and len(found[at]) < _TWO:
                found[at] = tickers
    return found


def _taken(sentence: Sentence) -> dict[int, CompanyMention]:
    """The numbers that are followed by their company: `$5 billion at AMD`."""
    taken: dict[int, CompanyMention] = {}
    for at in range(len(sentence.numbers)):
        after = sentence.next_one(at, sentence.visible(at, sentence.named.companies))
        if after and sentence.numbers[at].unit != "times" and _follows(sentence, at, after):
            taken[at] = after
    return taken


def _follows(sentence: Sentence, at: int, mention: CompanyMention) -> bool:
    """Whether a company stands behind a number as whose it is, not as whose the next one is (`Apple: $5`)."""
    gap = sentence.gap(at, mention)
    if not _TO_COMPANY.fullmatch(gap):
        return False
    return bool(gap.strip(" (（")) or not _COLON.match(sentence.text, mention.end)


def _company(
    sentence: Sentence, at: int, taken: dict[int, CompanyMention], found: list[tuple[str, ...]], context: Context
) -> tuple[str, ...]:
    number = sentence.numbers[at]
    mentions = sentence.visible(at, sentence.named.companies)
    pair = _pair(sentence, at, mentions, context)
    if pair:
        return pair
    if at in taken:
        return (taken[at].ticker,)
    before = [mention for mention in mentions if mention.end <= number.start]
    if not before:
        return context.companies or tuple(mention.ticker for mention in mentions[:1])
    used = set(taken.values())
    free = [mention for mention in before if mention not in used] if not sentence.opens_bracket(at) else before
    if _VERSUS.fullmatch(sentence.before(at)) and found:
        other = _other_side(sentence, at, found)
        if other:
            return (other,)
    return ((free or before)[-1].ticker,)


def _other_side(sentence: Sentence, at: int, found: list[tuple[str, ...]]) -> str:
    """In `A 45% versus 32% for B, and 36% versus 27%`: whom the last number is of, as the one after `versus` was."""
    for earlier in range(at - 1, 0, -1):
        if _VERSUS.fullmatch(sentence.before(earlier)) and found[earlier] and found[earlier] != found[at - 1]:
            return found[earlier][0]
    return ""


def _pair(sentence: Sentence, at: int, mentions: list[CompanyMention], context: Context) -> tuple[str, ...]:
    """The two companies that a number compares; () where it compares none."""
    number = sentence.numbers[at]
    after = sentence.next_one(at, mentions)
    before = [mention for mention in mentions if mention.end <= number.start]
    names_figure = any(mention.end <= number.start for mention in sentence.named.concepts)
    if number.unit == "percent" and after and _OF.fullmatch(sentence.gap(at, after)) and not names_figure:
        others = [mention.ticker for mention in (*reversed(before), *mentions) if mention.ticker != after.ticker]
        return (others[0], after.ticker) if others and _POSSESSIVE.match(sentence.text, after.end) else ()
    names_other = bool(after) and bool(_THAN.fullmatch(sentence.gap(at, after))) if after else False
    if (number.unit == "times" and after and names_other) or (sentence.compares(at) and after and names_other):
        subject = before[-1].ticker if before else context.companies[0] if context.companies else ""
        return (subject, after.ticker) if subject and subject != after.ticker else ()
    if not sentence.compares(at) or _THAN_BEFORE.match(sentence.after(at)):
        return ()
    if len({mention.ticker for mention in before}) < _TWO:
        so_far = context.all_companies if not sentence.named.companies else ()
        return so_far if len(so_far) == _TWO and _GAP.search(sentence.before(at)) else ()
    last = before[-1]
    other = next(mention for mention in reversed(before) if mention.ticker != last.ticker)
    # One that only says whose the number before is opens no comparison of its own.
    in_order = last in _taken(sentence).values() or _GAP.search(sentence.before(at))
    if in_order or _BETWEEN_TWO.search(sentence.text[other.end : last.start]):
        return (other.ticker, last.ticker)
    return (last.ticker, other.ticker)


def _runs(sentence: Sentence) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Companies named in a row before any number, and the numbers up to the next company: first, last, tickers."""
    numbers = sentence.numbers
    mentions = [m for m in sentence.named.companies if m in sentence.visible(0, sentence.named.companies)]
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
