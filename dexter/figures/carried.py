"""Figures whose period was carried on from a sentence before, and was misread: they are all of one other period.

One wrong figure is of another period than its neighbours. Where several that name no period themselves are right for
one and the same other period, it is the reading that is wrong, not they.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from dexter.figures.claims import Claim
from dexter.figures.judge import UNCHECKED, Run, Verdict

_SEVERAL = 2


def without_misread_periods(judged: Sequence[tuple[Claim, Verdict]], run: Run) -> list[tuple[Claim, Verdict]]:
    """The verdicts, where what is right for one other period is left unchecked."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for at, (claim, verdict) in enumerate(judged):
        bound = claim.bound
        if verdict.status == "not_found" and not bound.is_dated and bound.companies and bound.concepts:
            groups.setdefault((bound.companies[0], bound.periods), []).append(at)
    misread = {at for group in groups.values() for at in _of_another([(at, judged[at][0]) for at in group], run)}
    return [(claim, UNCHECKED if at in misread else verdict) for at, (claim, verdict) in enumerate(judged)]


def _of_another(group: Sequence[tuple[int, Claim]], run: Run) -> Iterator[int]:
    """Those of a group that are right for a period that several of them are right for."""
    if len(group) < _SEVERAL:
        return
    bounds = [claim.bound for _, claim in group]
    facts = (fact for bound in bounds for name in bound.concepts for fact in run.facts.of(bound.companies[0], name))
    for period in dict.fromkeys(fact.period for fact in facts if not fact.superseded):
        right = [
            at
            for at, claim in group
            if run.says(replace(claim, bound=replace(claim.bound, periods=(period,), is_dated=True)))
        ]
        if len(right) >= _SEVERAL:
            yield from right
