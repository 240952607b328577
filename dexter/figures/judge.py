"""One figure of an answer against the run: what says it, or what it is derived from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import islice, product
from typing import Literal, TypeAlias, get_args

from dexter.figures.bind import reader_of
from dexter.figures.bound import Bound, Reader
from dexter.figures.claims import Claim, claim_of
from dexter.figures.directions import Direction
from dexter.figures.doubt import Doubts, is_sum
from dexter.figures.expected import expected_of
from dexter.figures.facts import Fact, Facts
from dexter.figures.fit import fits
from dexter.figures.outcomes import Outcome, outcomes_of
from dexter.figures.pairs import Known
from dexter.figures.passages import Passages
from dexter.figures.periods import Period
from dexter.figures.signs import states
from dexter.results import StoredResult

Status = Literal["found", "derived", "not_found", "unchecked"]
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True)
class Verdict:
    """What became of a figure: the facts it states or rests on, the result they are of (0: none), its derivation.

    `is_untrusted`: it rests on what anybody may have written.
    """

    status: Status
    facts: tuple[Fact, ...] = ()
    result: int = 0
    how: str = ""
    is_untrusted: bool = False

    @property
    def is_known(self) -> bool:
        """Whether the run says it."""
        return self.status in ("found", "derived")


# So few figures that one of them is not met by chance.
_FEW = 12
_MOST_READINGS = 24
UNCHECKED = Verdict("unchecked")
NOT_FOUND = Verdict("not_found")


Ruling: TypeAlias = tuple[Claim, Verdict]
"""A claim with what became of it."""


@dataclass(frozen=True)
class Run:
    """A run's results, read once for all figures of an answer."""

    results: Mapping[int, StoredResult]
    reader: Reader
    facts: Facts
    passages: Passages
    outcomes: Sequence[Outcome]

    @classmethod
    def of(cls, results: Sequence[StoredResult]) -> Run:
        """Read the results; what failed says nothing."""
        usable = [result for result in results if result.status in ("ok", "partial")]
        reader, facts = reader_of(usable), Facts(usable)
        by_id = {result.id: result for result in usable}
        return cls(by_id, reader, facts, Passages(usable, reader), outcomes_of(usable, reader, facts))

    def judge(self, claim: Claim, named: Sequence[Fact]) -> Verdict:
        """Found, derived, not found, or not to be told. `named`: the facts that the answer stated before."""
        is_bound = bool(claim.bound.companies and claim.bound.concepts)
        for way in (self._by_sum, self._by_facts, self._by_text, self._by_outcome, self._by_others, self._by_any_name):
            verdict = way(claim, named)
            if verdict:
                return verdict
        if is_bound:
            is_open = self._may_be_meant(claim, named) or self._may_be_of_any_time(claim, named)
            is_open = is_open or Doubts(self.reader, self.facts).leave_open(claim)
            return UNCHECKED if is_open else NOT_FOUND
        return NOT_FOUND if any(self.passages.speak_of(claim.bound)) else UNCHECKED

    def at(self, claim: Claim, period: Period) -> Verdict | None:
        """What a claim is if it is of that period; None where the run has no such fact."""
        return self._by_facts(replace(claim, bound=replace(claim.bound, periods=(period,), is_dated=True)), ())

    def _may_be_meant(self, claim: Claim, named: Sequence[Fact]) -> bool:
        """Whether a number whose sentence names no figure may be right: as any figure of its company and period.

        Changes cannot be told where several figures may be meant; one that only the sign makes wrong can.
        """
        number, doubt = claim.bound.number, claim.bound.doubt
        if not doubt or (claim.sort != "level" and doubt == "some"):
            return False
        if claim.sort != "level":
            return not any(self._by_facts(opposite, named) for opposite in _opposites(claim))
        names = [name for name in self.facts.names_of(claim.bound.companies[0]) if fits(number, name)]
        return bool(self._by_facts(replace(claim, bound=replace(claim.bound, concepts=tuple(names))), named))

    def _may_be_of_any_time(self, claim: Claim, named: Sequence[Fact]) -> bool:
        """Whether a number of a row without periods is its figure at some other time."""
        bound = claim.bound
        if not bound.is_loose or claim.sort != "level":
            return False
        facts = [fact for concept in bound.concepts for fact in self.facts.of(bound.companies[0], concept)]
        times = dict.fromkeys(fact.period for fact in facts if not fact.superseded)
        return bool(self._by_facts(replace(claim, bound=replace(bound, periods=tuple(times))), named))

    def _by_facts(self, claim: Claim, named: Sequence[Fact]) -> Verdict | None:
        if not claim.bound.companies or not claim.bound.concepts:
            return None
        for value in expected_of(claim, Known(self.facts, named)):
            if states(claim, value.value):
                status: Status = "derived" if value.how else "found"
                is_untrusted = any(fact.is_untrusted for fact in value.facts)
                return Verdict(status, value.facts, value.facts[0].result, value.how, is_untrusted)
        return None

    def _by_sum(self, claim: Claim, named: Sequence[Fact]) -> Verdict | None:
        """`combined, the three earned $5`: what the text has named last of each company."""
        if claim.sort != "level" or not is_sum(claim.bound):
            return None
        yearly = _over_the_years(claim.bound, self.facts)
        if yearly and states(claim, sum((fact.value for fact in yearly), Decimal(0))):
            return Verdict("derived", yearly, yearly[0].result, f"sum of {len(yearly)} years")
        for concept in claim.bound.concepts:
            latest = {fact.company: fact for fact in named if fact.concept == concept}
            if len(latest) > 1 and states(claim, sum((fact.value for fact in latest.values()), Decimal(0))):
                facts = tuple(latest.values())
                return Verdict("derived", facts, facts[0].result, f"{concept} of {' + '.join(latest)}")
        return None

    def _by_others(self, claim: Claim, named: Sequence[Fact]) -> Verdict | None:
        """As another figure, of another company or period that the sentence names, where it leaves room for that."""
        verdicts = (
            self._by_facts(claim_of(reading), named) for reading in islice(_readings(claim.bound), _MOST_READINGS)
        )
        return next((verdict for verdict in verdicts if verdict), None)

    def _by_any_name(self, claim: Claim, named: Sequence[Fact]) -> Verdict | None:
        """A figure that the text does not name, as any of the few that the run has of its company."""
        bound = claim.bound
        if bound.concepts or not bound.companies or claim.sort != "level":
            return None
        known = [name for name in self.facts.names_of(bound.companies[0]) if fits(bound.number, name)]
        if len(known) > _FEW:
            return None
        return self._by_facts(replace(claim, bound=replace(bound, concepts=tuple(known))), named)

    def _by_text(self, claim: Claim, _named: Sequence[Fact]) -> Verdict | None:
        said = next(self.passages.saying(claim.bound), None)
        return Verdict("found", result=said.result, is_untrusted=said.is_untrusted) if said else None

    def _by_outcome(self, claim: Claim, _named: Sequence[Fact]) -> Verdict | None:
        for outcome in self.outcomes:
            # A rate may have been calculated in percent.
            values = (outcome.value, outcome.value / 100) if claim.bound.number.is_rate else (outcome.value,)
            if outcome.may_be(claim.bound) and any(states(claim, value) for value in values):
                return Verdict("derived", (), outcome.result, f"{outcome.name} = {outcome.steps}")
        return None


def _over_the_years(bound: Bound, facts: Facts) -> tuple[Fact, ...]:
    """A figure's values of every fiscal year from the first that the sentence names to the last."""
    years = [period.year for period in bound.spoken if period.year and period.name in ("", "FY")]
    if not years or min(years) == max(years) or not bound.companies:
        return ()
    span = range(min(years), max(years) + 1)
    found = (facts.at(bound.companies[0], name, Period("FY", year)) for name in bound.concepts[:1] for year in span)
    values = [each[0] for each in found if each]
    return tuple(values) if len(values) == len(span) else ()


def _opposites(claim: Claim) -> Iterator[Claim]:
    """The claim with the other sign, in figures and in words."""
    number = claim.bound.number
    yield replace(claim, bound=replace(claim.bound, number=replace(number, value=-number.value)))
    ways: Mapping[Direction, Direction] = {1: -1, -1: 1, 0: -1}
    yield replace(claim, direction=ways[claim.direction])


def _readings(bound: Bound) -> Iterator[Bound]:
    """Every other way to read whose, which and when a number is; what changes least comes first."""
    others = bound.others
    concepts = [bound.concepts, *((concept,) for concept in others.concepts)]
    companies = [bound.companies, *((company,) for company in others.companies)]
    periods = [bound.periods, *((period,) for period in others.periods)]
    ways = product(range(len(concepts)), range(len(companies)), range(len(periods)))
    for concept, company, period in sorted(ways, key=lambda way: sum(map(bool, way)))[1:]:
        yield replace(bound, concepts=concepts[concept], companies=companies[company], periods=periods[period])
