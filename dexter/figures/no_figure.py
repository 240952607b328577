"""Numbers that are no figure of a company: `of every $100`, `47% of that`, `the $400 billion mark`."""

from __future__ import annotations

import re

from dexter.figures.directions import HEDGES
from dexter.figures.sentence import Sentence
from dexter.figures.shares import whole_of

_OF_THAT = re.compile(r"\s*of\s+(?:that|it|this|them|these|those|which|the total|the whole)\b", re.IGNORECASE)
# A share of something that is no figure known here: `7.8% of the balance sheet total`.
_OF_OTHER = re.compile(r"\s*of\s+(?:the|its|their|all|our|every|each)\s+[a-z]", re.IGNORECASE)
# What is left after the figures before.
_LEFT = re.compile(
    r"\b(?:leav(?:ing|es)|left)\s+(?:it\s+|them\s+|the company\s+)?(?:with\s+)?" + HEDGES,
    re.IGNORECASE,
)
# A mark that something stayed on one side of: `has been above 48% since`.
_MARK = re.compile(
    r"\b(?:been|stay(?:s|ed)|remain(?:s|ed)|held|kept)\s+(?:well |just )?(?:above|below|over|under)\s*$", re.IGNORECASE
)
# `the $400 billion mark` is a line on the wall.
_LINE = re.compile(r"\s*(?:-?\s*)?(?:mark|threshold|milestone|barrier|level|line)\b", re.IGNORECASE)
# `24% of the $206.8 billion asset base`.
_OF_NEXT = re.compile(r"\s*of\s+(?:the|its|their|that|those)?\s*$", re.IGNORECASE)
_RATIO = re.compile(
    r"\b(?:the|its|their|this|that)\s+(?:ratio|share|proportion|percentage|portion)"
    r"\s+(?:had been|has been|was|is|were|stood at|came to)" + HEDGES,
    re.IGNORECASE,
)
_TIMES_OF = re.compile(r"的\s*$")
_EVERY = re.compile(r"(?:\bevery|\beach|\bper|give or take|plus or minus|±)\s*$|每\s*$", re.IGNORECASE)
_FEW_WORDS = 2
# `4 × WeightedSharesDiluted` is arithmetic.
_FACTOR = " ×"


def is_of_nothing(sentence: Sentence, at: int) -> bool:
    """Numbers that are no figure of a company: `of every $100`, `give or take 2%`, `47% of that`."""
    after = sentence.after(at)
    number, before = sentence.numbers[at], sentence.before(at)
    is_share = number.unit == "percent" and (
        _OF_THAT.match(after)
        or _OF_NEXT.fullmatch(after)
        or (_OF_OTHER.match(after) and not whole_of(sentence, at) and not _is_of_a_period(sentence, at))
    )
    is_share = is_share or (number.unit == "percent" and _RATIO.search(before))
    is_factor = number.text.endswith(_FACTOR) and bool(re.match(r"\s*[A-Za-z(]", after))
    is_line = _LINE.match(after) or is_factor or (number.unit == "times" and _TIMES_OF.search(before))
    is_rest = _LEFT.search(before) and not sentence.next_one(at, sentence.named.concepts)
    return bool(is_share or is_rest or is_line or _is_example(sentence, at) or _MARK.search(before))


def _is_of_a_period(sentence: Sentence, at: int) -> bool:
    """`the 60.5% of the year-ago quarter`."""
    period = sentence.next_one(at, sentence.named.periods)
    return bool(period) and len(sentence.gap(at, period).split()) <= _FEW_WORDS if period else False


def _is_example(sentence: Sentence, at: int) -> bool:
    """`of every $100`, and what is kept of them: `for every $100 it keeps $4`."""
    if _EVERY.search(sentence.before(at)):
        return True
    number = sentence.numbers[at]
    small = number.unit == "money" and not number.scaled and ":" not in sentence.text[: number.start]
    return small and any(_EVERY.search(sentence.before(earlier)) for earlier in range(at))
