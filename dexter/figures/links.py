"""Figures that their words tie together: `grew 22% to $201 billion`, `to $8 from $5`, `$8, up from $5`.

What ties them says how their times stand to each other: a growth and the value that it led to are of one period, the
two ends of a move are of two. Tied figures that fit together are right although no word dates them; if they cannot fit,
one of them is wrong although each alone could be right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

from dexter.figures.claims import Claim
from dexter.figures.directions import FROM, HEDGES
from dexter.figures.facts import Fact
from dexter.figures.judge import Ruling, Run, Verdict
from dexter.figures.match import is_of_period
from dexter.figures.period_words import find_periods
from dexter.figures.periods import Period, Relation
from dexter.figures.signs import states
from dexter.figures.values import Value, derived, growth

Times = tuple[Period, Period]

# How two tied claims stand in time: of one period, of two, or the second is what the first grew from.
Tie = Literal["", "one_time", "ends", "grew_from"]

_WHEN = r"(?:\s+(?:in|for|at)\s[^,;.]{1,30})?"
_TO = re.compile(_WHEN + r"\s*[,，]?\s*(?:to|增至|升至|降至|提高到|下降到|[至到])" + HEDGES, re.IGNORECASE)
# `$8 (+22%)`, `$8, up 22%`.
_UP = re.compile(r"\s*[,，]?\s*[(（]?\s*(?:up|down)?\s*", re.IGNORECASE)
_AGAINST = re.compile(
    _WHEN + r"\s*[,，]?\s*[(（]?\s*(?:up|down|compared|as opposed|rising|falling)?\s*"
    r"(?:from|versus|vs\.?|with|to|against|after|较|低于|高于)" + HEDGES,
    re.IGNORECASE,
)
_BESIDE = re.compile(r"\s*[,，]?\s*[(（]?\s*(?:from|up|down|[由从])?\s*", re.IGNORECASE)
_CLAUSE = re.compile(r"[,;:，；：]|\b(?:and|but|while)\b", re.IGNORECASE)
_EARLIER: tuple[Relation, ...] = ("year_before", "quarter_before")
_ONE_TIME = "the growth beside it leads to another value"
_SAME = "both sides of the comparison are of {}"


def tied(judged: Sequence[Ruling], run: Run) -> tuple[list[Ruling], Mapping[int, str]]:
    """The verdicts that neighbours settle, and which figures contradict their neighbour, by their place in the list."""
    told = list(judged)
    wrong: dict[int, str] = {}
    for at in range(1, len(told)):
        claims = told[at - 1][0], told[at][0]
        if not _belong(*claims):
            continue
        after_ends = at > 1 and _belong(told[at - 2][0], claims[0]) and _tie(told[at - 2][0], claims[0]) == "ends"
        tie = "" if after_ends and claims[1].sort != "level" else _tie(*claims)
        fitting = _fitting(claims, (told[at - 1][1], told[at][1]), run, tie) if tie else ()
        if isinstance(fitting, str):
            wrong[at] = fitting
        else:
            for place, verdict in zip((at - 1, at), fitting, strict=False):
                told[place] = (told[place][0], verdict)
        if tie == "ends" and at not in wrong:
            wrong |= _growth_between(told, at)
    return told, wrong


def _growth_between(told: list[Ruling], at: int) -> Mapping[int, str]:
    """`grew 33% (from $5 to $7)`, `$7 versus $5, up 33%`: the growth beside two ends is theirs, or one is wrong."""
    one, other = (told[place][1].facts[:1] for place in (at - 1, at))
    if not one or not other:
        return {}
    old, new = sorted((*one, *other), key=lambda fact: fact.period.end)
    if old.months != new.months:
        return {}
    for place, behind in ((at - 2, at - 1), (at + 1, at + 1)):
        if not 0 <= place < len(told):
            continue
        claim, between = told[place][0], told[behind][0].bound.before
        if claim.sort != "growth" or not _belong(claim, told[at][0]) or not _BESIDE.fullmatch(between):
            continue
        for value in derived(growth, Value.of(new), Value.of(old), f"growth of {new.concept} between the two"):
            if not states(claim, value.value):
                return {at: _ONE_TIME}
            told[place] = (claim, Verdict("derived", value.facts, new.result, value.how, new.is_untrusted))
    return {}


def _belong(one: Claim, other: Claim) -> bool:
    """Whether two claims of one sentence are of one figure of one company."""
    mine, theirs = one.bound, other.bound
    alike = (mine.start, mine.companies, mine.concepts[:1]) == (theirs.start, theirs.companies, theirs.concepts[:1])
    return alike and len(mine.companies) == 1 and bool(mine.concepts) and not (mine.in_table or mine.whole)


def _tie(one: Claim, other: Claim) -> Tie:
    """`grew 22% to $201 billion` and `$201 billion (+22%)`; `from $5 to $8` and `$8, up from $5`; `22% from $5`."""
    before = other.bound.before
    if one.sort == other.sort == "level":
        return "ends" if _AGAINST.fullmatch(before) else ""
    if one.sort in ("growth", "change") and other.sort == "level":
        return "one_time" if _TO.fullmatch(before) else "grew_from" if _AGAINST.fullmatch(before) else ""
    is_more = one.sort == "level" and other.sort == "growth" and "(" not in one.bound.before
    return "one_time" if is_more and _UP.fullmatch(before) else ""


def _fitting(
    claims: tuple[Claim, Claim], verdicts: tuple[Verdict, Verdict], run: Run, tie: Tie
) -> tuple[Verdict, ...] | str:
    """The verdicts of two tied claims; () where nothing is settled, or why they contradict each other."""
    if all(verdict.facts for verdict in verdicts):
        one, other = (verdict.facts[0] for verdict in verdicts)
        if one.company != other.company:
            return ()
        old = verdicts[0].facts[-1] if tie == "grew_from" else one
        if (old.period == other.period) == (tie != "ends"):
            return ()
    for times in _times(claims, run, tie):
        found = [run.at(claim, period) for claim, period in zip(claims, times, strict=True)]
        if found[0] and found[1] and all(map(_may_be, claims, times)):
            return found[0], found[1]
    known = [verdict.facts or _at_any_time(claim, run) for claim, verdict in zip(claims, verdicts, strict=True)]
    if not all(known) or (tie == "ends" and _may_be_apart(*known)):
        return ()
    return _ONE_TIME if tie == "one_time" else _SAME.format(known[1][0].period.text)


def _at_any_time(claim: Claim, run: Run) -> Sequence[Fact]:
    """The facts that an amount may be, of whatever period."""
    if claim.sort != "level":
        return ()
    bound = claim.bound
    return [fact for fact in _facts(bound.companies[0], bound.concepts, run) if run.at(claim, fact.period)]


def _may_be_apart(some: Sequence[Fact], others: Sequence[Fact]) -> bool:
    """Whether two values may be of two periods of one length, however far apart."""
    return any(one.months == other.months and one.period != other.period for one, other in product(some, others))


def _times(claims: tuple[Claim, Claim], run: Run, tie: Tie) -> Iterator[Times]:
    """The times that two tied claims may be of, the newest first."""
    bound = claims[0].bound
    goes_up = tie == "ends" and bool(FROM.search(bound.before))
    for fact in _facts(bound.companies[0], bound.concepts, run):
        if tie == "one_time":
            yield fact.period, fact.period
            continue
        for old in _before(fact, bound.concepts, run):
            yield (old.period, fact.period) if goes_up else (fact.period, old.period)


def _before(fact: Fact, concepts: Sequence[str], run: Run) -> Iterator[Fact]:
    """What a value is compared with: that of a year or a quarter before, of a balance any one since the year before."""
    yield from (old for relation in _EARLIER for old in run.facts.beside(fact, relation))
    if fact.months == 0 and fact.period.end:
        since = f"{int(fact.period.end[:4]) - 1}{fact.period.end[4:]}"
        yield from (old for old in _facts(fact.company, concepts, run) if since < old.period.end < fact.period.end)


def _facts(company: str, concepts: Sequence[str], run: Run) -> Iterator[Fact]:
    return (
        fact
        for concept in concepts
        for name in run.facts.alike(company, concept)
        for fact in run.facts.of(company, name)
        if not fact.superseded
    )


def _may_be(claim: Claim, period: Period) -> bool:
    """Whether the claim's own clause names no other time."""
    bound = claim.bound
    words = f"{_CLAUSE.split(bound.before)[-1]} … {_CLAUSE.split(bound.after)[0]}"
    named = [mention.period for mention in find_periods(words) if not mention.period.relation]
    return not named or any(is_of_period(said, period) for said in named)
