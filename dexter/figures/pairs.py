"""Two values that a change, a growth or a proportion is of: of two periods, of two companies, named or implied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dexter.figures.bound import Bound
from dexter.figures.directions import Base
from dexter.figures.facts import Fact, Facts
from dexter.figures.periods import Period, Relation
from dexter.figures.values import Value, levels
from dexter.figures.vocabulary import kind_of

_QUARTERS = 4
# How many of the figures named before a number may be what it is derived from.
_NAMED_BEFORE = 6


@dataclass(frozen=True)
class Known:
    """The run's facts, and those of them that the text has named so far, the latest last."""

    facts: Facts
    named: Sequence[Fact] = ()

    def named_of(self, company: str, concept: str) -> list[Fact]:
        """What the text has named of a company's figure."""
        names = {(company, name) for name in self.facts.alike(company, concept)}
        return [fact for fact in self.named if fact.name in names]


Pair = tuple[Value, Value]


def on_the_period_before(company: str, concept: str, period: Period | None, base: Base, facts: Facts) -> Iterator[Pair]:
    """A figure's values, each with that of the year or the quarter before."""
    relation: Relation = "quarter_before" if base == "quarter" else "year_before"
    for new in levels(company, concept, period, facts):
        if not new.how:
            before = facts.beside(new.facts[0], relation)
            yield from ((new, Value.of(old)) for old in before if not old.superseded)
        elif earlier := _earlier(new.facts[0].period, relation):
            yield from ((new, old) for old in levels(company, concept, earlier, facts))


def between_periods(company: str, concept: str, bound: Bound, known: Known) -> Iterator[Pair]:
    """A figure's values in two periods of one length that the text names, the later one first."""
    periods = dict.fromkeys((*bound.periods, *bound.spoken))
    facts = known.facts
    stated = [fact for period in periods for fact in facts.at(company, concept, period) if not fact.superseded]
    chosen = dict.fromkeys((*stated, *known.named_of(company, concept)[-_NAMED_BEFORE:]))
    ordered = sorted(chosen, key=lambda fact: fact.period.end, reverse=True)
    for at, new in enumerate(ordered):
        for old in ordered[at + 1 :]:
            if old.months == new.months and old.period.end < new.period.end:
                yield Value.of(new), Value.of(old)


def between_companies(bound: Bound, known: Known) -> Iterator[Pair]:
    """The first company's figure with the second's, each of the period in which the text named it last."""
    first, second = bound.companies[:2]
    for concept in bound.concepts:
        for one in _named_last(first, concept, bound, known):
            yield from ((one, other) for other in _named_last(second, concept, bound, known))


def of_last_two(bound: Bound, known: Known) -> Iterator[Pair]:
    """The two figures of one kind that were named last, of two companies also the larger one first: `$5 against $3`."""
    kin = [fact for fact in known.named if fact.concept in bound.concepts]
    if len(kin) > 1:
        one, other = kin[-2:]
        if one.company == other.company and one.period.end < other.period.end:
            one, other = other, one
        yield Value.of(one), Value.of(other)
        if one.company != other.company and abs(one.value) < abs(other.value):
            yield Value.of(other), Value.of(one)


def of_two_figures(concept: str, period: Period | None, bound: Bound, known: Known) -> Iterator[Pair]:
    """A figure, and before it another one of its sentence: `net income exceeds operating income by $5`."""
    company = bound.companies[0]
    last = known.named[-1:]
    names = dict.fromkeys((*bound.beside, *(fact.concept for fact in last if fact.company == company)))
    others = [name for name in names if name != concept and kind_of(name) == kind_of(concept)]
    for one in levels(company, concept, period, known.facts):
        for other in (value for name in others for value in levels(company, name, period, known.facts)):
            if one.facts[0].period.end == other.facts[0].period.end:
                yield other, one


def _named_last(company: str, concept: str, bound: Bound, known: Known) -> list[Value]:
    spoken = known.named_of(company, concept)
    if spoken:
        return [Value.of(spoken[-1])]
    stated = [value for period in bound.periods for value in levels(company, concept, period, known.facts)]
    return stated or list(levels(company, concept, None, known.facts))


def _earlier(period: Period, relation: Relation) -> Period | None:
    """The year or the quarter before a fiscal one; None where it cannot be told."""
    if period.year is None:
        return None
    if relation == "year_before":
        return Period(period.name, period.year - 1)
    if not period.name[1:].isdigit():
        return None
    quarter = int(period.name[1:])
    return Period(f"Q{quarter - 1}", period.year) if quarter > 1 else Period(f"Q{_QUARTERS}", period.year - 1)
