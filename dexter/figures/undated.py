"""Figures that no word of their sentence dates: their neighbours tell when they are.

An answer speaks of one time until it says otherwise. Where several figures are right for the time carried on, one that
is right for another time only is wrong; where several are right for one and the same other time, it is the time carried
on that was misread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dexter.figures.claims import Claim
from dexter.figures.directions import LOOKS_BACK
from dexter.figures.judge import NOT_FOUND, Ruling, Run, Verdict

_SEVERAL = 2


def dated_by_neighbours(judged: Sequence[Ruling], run: Run) -> list[Ruling]:
    """The verdicts, where those of figures without a time of their own follow from their neighbours'."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, (claim, _) in enumerate(judged):
        bound = claim.bound
        if not bound.is_dated and bound.companies and bound.concepts and not bound.in_table:
            groups.setdefault((bound.companies[0], bound.periods), []).append(at)
    told = list(judged)
    for group in groups.values():
        for at, verdict in _told([(at, judged[at]) for at in group], run):
            told[at] = (told[at][0], verdict)
    return told


def _told(group: Sequence[tuple[int, Ruling]], run: Run) -> Iterator[tuple[int, Verdict]]:
    """What becomes of those of a group, all carried on at one time, that are not known."""
    known = [at for at, (claim, verdict) in group if verdict.is_known and claim.sort == "level"]
    rest = [(at, claim) for at, (claim, verdict) in group if not verdict.is_known]
    if len(known) >= _SEVERAL:
        yield from ((at, NOT_FOUND) for at, claim in rest if _is_of_another_time(claim, run))
    elif len(rest) >= _SEVERAL:
        yield from _of_one_other_time(rest, run)


def _is_of_another_time(claim: Claim, run: Run) -> bool:
    """Whether an amount is its figure at another time than its text is about, and nothing says that it looks back."""
    bound = claim.bound
    if (
        claim.sort != "level"
        or bound.is_loose
        or LOOKS_BACK.search(bound.said)
        or any(p.relation for p in bound.periods)
    ):
        return False
    return any(run.at(claim, fact.period) for name in bound.concepts for fact in run.facts.of(bound.companies[0], name))


def _of_one_other_time(group: Sequence[tuple[int, Claim]], run: Run) -> Iterator[tuple[int, Verdict]]:
    """Those of a group that are right for a period that several of them are right for."""
    bounds = [claim.bound for _, claim in group]
    facts = (fact for bound in bounds for name in bound.concepts for fact in run.facts.of(bound.companies[0], name))
    for period in dict.fromkeys(fact.period for fact in facts if not fact.superseded):
        right = [(at, verdict) for at, claim in group if (verdict := run.at(claim, period))]
        if len(right) >= _SEVERAL:
            yield from right
