"""Whether a figure that nothing in the run says is contradicted for certain, or only as one reading of its sentence.

What a number's own clause names is certain: company, figure, period. What it leaves out was carried on from the text
before, and may be something else that the run knows. A number that is right under one of those other readings cannot be
told to be wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations, permutations

from dexter.figures.bound import Bound, Named, Reader
from dexter.figures.claims import Claim
from dexter.figures.directions import LOOKS_BACK
from dexter.figures.facts import Fact, Facts
from dexter.figures.fit import fits
from dexter.figures.signs import states
from dexter.figures.values import Operation, Value, derived, difference, growth, ratio
from dexter.figures.vocabulary import growth_of, kind_of

_CLAUSE = re.compile(r"[,;:(（，；：]")
_SUM = re.compile(
    r"\b(?:combined|together|in total|all told|in aggregate|between them"
    r"|sum of|adds? up to|cumulative\w*|total (?:of|outflow|inflow))\b|合计|总共",
    re.IGNORECASE,
)
_OPERATIONS: Mapping[str, Operation] = {"growth": growth, "change": difference, "times": ratio}


@dataclass(frozen=True)
class Doubts:
    """What the sentences of an answer may mean besides what they were read as."""

    reader: Reader
    facts: Facts

    def leave_open(self, claim: Claim) -> bool:
        """Whether a number may be right as something that its own clause does not rule out."""
        bound = claim.bound
        if bound.in_table:
            return self._is_ratio_of(claim)
        if not bound.companies or is_sum(bound):
            return is_sum(bound)
        named = self.reader.named(_clause(bound))
        return self._is_ratio_of(claim) or any(self._is_said(claim, other) for other in self._readings(bound, named))

    def _readings(self, bound: Bound, named: Named) -> Iterator[Bound]:
        """The number at every time where nothing dates it; of every company where its clause names none."""
        if not named.periods and (not bound.periods or LOOKS_BACK.search(bound.before)):
            yield replace(bound, periods=())
        if not named.companies:
            for company in self.facts.companies():
                if company != bound.companies[0]:
                    yield replace(bound, companies=(company,))

    def _is_said(self, claim: Claim, bound: Bound) -> bool:
        """Whether a value, or one derived from two times of the figure, is the number."""
        reading = replace(claim, bound=bound)
        for concept in bound.concepts:
            facts = self._facts(bound, concept)
            if claim.sort == "level":
                if any(states(reading, fact.value) for fact in facts):
                    return True
            elif any(states(reading, value.value) for value in _of_two(claim, facts)):
                return True
        return False

    def _facts(self, bound: Bound, concept: str) -> Sequence[Fact]:
        company = bound.companies[0]
        if not bound.periods:
            return [fact for fact in self.facts.of(company, concept) if not fact.superseded]
        return [fact for period in bound.periods for fact in self.facts.at(company, concept, period)]

    def _is_ratio_of(self, claim: Claim) -> bool:
        """Whether a rate beside an amount is a ratio of the company: `FCF as % of sales`, `earned 34% on equity`."""
        bound = claim.bound
        if not bound.number.is_rate or claim.sort not in ("growth", "share") or not bound.companies or claim.direction:
            return False
        if any(kind_of(concept) == "rate" for concept in bound.concepts):
            return False
        company = bound.companies[0]
        names = [n for n in self.facts.names_of(company) if fits(bound.number, n) and not growth_of(n)]
        level = replace(claim, sort="level")
        values = (fact.value for name in names for fact in self._facts(bound, name))
        return any(states(level, value) for value in (*values, *self._shares(bound)))

    def _shares(self, bound: Bound) -> Iterator[Decimal]:
        """What one amount that the sentence or row names is of another one, at the number's time."""
        names = dict.fromkeys((*bound.concepts, *(mention.name for mention in self.reader.concepts(bound.said))))
        amounts = [fact for name in names if kind_of(name) == "money" for fact in self._facts(bound, name)]
        for part, whole in permutations(amounts, 2):
            if part.period.end == whole.period.end and whole.value:
                yield part.value / whole.value


def is_sum(bound: Bound) -> bool:
    """Whether a number's clause says that it is of several together."""
    return bool(_SUM.search(_clause(bound)))


def _clause(bound: Bound) -> str:
    """The words that are the number's own: from the comma before it to the one behind it."""
    is_first = bound.number.start - bound.start <= len(bound.before)
    before = bound.before if is_first else _CLAUSE.split(bound.before)[-1]
    return f"{before} … {_CLAUSE.split(bound.after)[0]}"


def _of_two(claim: Claim, facts: Sequence[Fact]) -> Iterator[Value]:
    """What two values of one figure, of periods of one length, give; the later one first."""
    operation = _OPERATIONS.get(claim.sort)
    ordered = sorted(facts, key=lambda fact: fact.period.end, reverse=True)
    for new, old in combinations(ordered, 2) if operation else ():
        if new.months == old.months and new.period.end != old.period.end:
            yield from derived(operation, Value.of(new), Value.of(old), "") if operation else ()
