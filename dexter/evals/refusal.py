"""Whether an answer says that there is no such figure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dexter.evals.grade import Check
from dexter.evals.numeric import is_about, period_of
from dexter.evals.questions import Question, Subject
from dexter.figures.blocks import Table, blocks, sentences
from dexter.figures.bound import Bound

_NO = (
    r"\b(?:not|no|none|nothing|cannot|unavailable|unable|unknown|missing|without|neither|nor|lacks?|outside|beyond|declined?)\b"
    r"|n['’]t\b"
)
# What is denied: that there is something, or that one could know or tell it.
_WHAT = (
    r"\b(?:data|figures?|numbers?|amounts?|values?|information|sources?|results?|records?|sample|coverage|periods?|years?"
    r"|avail\w*|find|found|report\w*|disclos\w*|cover\w*|know\w*|answer\w*|have|has|had|exist\w*|there"
    r"|includ\w*|fil(?:e|ed|ing|ings)|list\w*|yet|ended|publish\w*|determin\w*|provid\w*|access\w*|look\w*|say|tell|give|state"
    r"|predict\w*|forecast\w*|contain\w*|underst\w*|nam(?:e|ed)|meaningful|applicable|possible|begin\w*)\b"
)
_DECLINES = re.compile(
    rf"(?:{_NO})[^.!?]*?(?:{_WHAT})|(?:{_WHAT})[^.!?]*?(?:{_NO})|n/a\b|没有|不|无法|未|无", re.IGNORECASE
)


def check_refusal(question: Question, answer: str, found: Sequence[Bound]) -> Check:
    """Whether the answer says that there is no such figure, and gives none of what was asked."""
    what = "says that there is no such figure"
    given = next((bound for bound in found if any(_is_given(bound, subject) for subject in question.subjects)), None)
    if given is not None:
        return Check(what, met=False, why=f"given is {given.number.text}")
    lines = (block for block in blocks(answer) if not isinstance(block, Table))
    declines = any(_DECLINES.search(sentence.text) for line in lines for sentence in sentences(line))
    return Check(what, met=declines, why="" if declines else "nothing says so")


def _is_given(bound: Bound, subject: Subject) -> bool:
    """Whether a number is given for the company and period that there is nothing of.

    One without a period is where it is called what was asked for: the question named the period.
    """
    number = bound.number
    if number.unit == "plain" and not number.scaled:
        return False
    if not is_about(bound, subject) or (subject.concept and bound.concepts and subject.concept not in bound.concepts):
        return False
    if period_of(subject) is None or bound.periods or not bound.companies:
        return True
    return bool(subject.concept) and subject.concept in bound.concepts[:1]
