"""Numbers in a row without periods: right if they are one figure's values in the order of time.

`rose from $5 to $8`, `$1.42, $1.91, $2.41 and $2.73`, `16.8% → 9.2% → 7.2%`: each of them alone may be of any time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from dexter.figures.claims import Claim
from dexter.figures.facts import Fact
from dexter.figures.judge import Ruling, Run, Verdict
from dexter.figures.signs import states


def in_order_of_time(judged: Sequence[Ruling], run: Run) -> list[Ruling]:
    """The same, but what could not be told of numbers in a row is told by their neighbours."""
    told = list(judged)
    for first, last in _rows(told):
        values = [_any_time(*told[at], run) for at in range(first, last)]
        for at, fact in zip(range(first, last), _in_time(values) or _in_time(values, step=-1), strict=False):
            if told[at][1].status == "unchecked":
                told[at] = (told[at][0], Verdict("found", (fact,), fact.result, is_untrusted=fact.is_untrusted))
    return told


def _rows(judged: Sequence[Ruling]) -> Iterator[tuple[int, int]]:
    """First and last (left out) of numbers side by side that may be one figure at several times."""
    start = 0
    for at, (one, other) in enumerate(pairwise(judged), 1):
        if not _belong(one[0], other[0]):
            yield start, at
            start = at
    yield start, len(judged)


def _belong(one: Claim, other: Claim) -> bool:
    mine, theirs = one.bound, other.bound
    alike = (mine.start, mine.companies[:1], mine.concepts[:1]) == (
        theirs.start,
        theirs.companies[:1],
        theirs.concepts[:1],
    )
    return alike and mine.is_loose and one.sort == other.sort == "level"


def _any_time(claim: Claim, verdict: Verdict, run: Run) -> list[Fact]:
    """What a number of a row may be: the fact it was found as, else its figure at any time."""
    bound = claim.bound
    if verdict.facts or not bound.companies:
        return [fact for fact in verdict.facts[:1] if not verdict.how]
    names = [name for concept in bound.concepts for name in run.facts.alike(bound.companies[0], concept)]
    facts = (fact for name in names for fact in run.facts.of(bound.companies[0], name))
    return [fact for fact in facts if not fact.superseded and states(claim, fact.value)]


def _in_time(values: Sequence[Sequence[Fact]], step: int = 1) -> list[Fact]:
    """One fact for each number so that their ends go on in time (back, with a step of -1); [] where that can't be."""
    chosen: list[Fact] = []
    for candidates in values:
        later = [fact for fact in candidates if not chosen or _follows(chosen[-1], fact, step)]
        if not later:
            return []
        chosen.append(min(later, key=lambda fact: fact.period.end))
    return chosen if len(chosen) > 1 else []


def _follows(one: Fact, other: Fact, step: int) -> bool:
    ends = (one.period.end, other.period.end)[::step]
    return ends[0] < ends[1] and one.months == other.months
