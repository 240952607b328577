"""One figure of an answer against the run: what says it, or what it is derived from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dexter.figures.bind import reader_of
from dexter.figures.bound import Reader
from dexter.figures.claims import Claim
from dexter.figures.expected import expected_of
from dexter.figures.facts import Fact, Facts
from dexter.figures.outcomes import Outcome, outcomes_of
from dexter.figures.pairs import Known
from dexter.figures.passages import Passages
from dexter.figures.signs import states
from dexter.results import StoredResult

Status = Literal["found", "derived", "not_found", "unchecked"]


@dataclass(frozen=True)
class Verdict:
    """What became of a figure: the facts it states or rests on, the result they are of (0: none), its derivation."""

    status: Status
    facts: tuple[Fact, ...] = ()
    result: int = 0
    how: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the run says it."""
        return self.status in ("found", "derived")


UNCHECKED = Verdict("unchecked")
NOT_FOUND = Verdict("not_found")


@dataclass(frozen=True)
class Run:
    """A run's results, read once for all figures of an answer."""

    reader: Reader
    facts: Facts
    passages: Passages
    outcomes: Sequence[Outcome]

    @classmethod
    def of(cls, results: Sequence[StoredResult]) -> Run:
        """Read the results; what failed says nothing."""
        usable = [result for result in results if result.status in ("ok", "partial")]
        reader, facts = reader_of(usable), Facts(usable)
        return cls(reader, facts, Passages(usable, reader), outcomes_of(usable, reader, facts))

    def judge(self, claim: Claim, named: Sequence[Fact]) -> Verdict:
        """Found, derived, not found, or not to be told. `named`: the facts that the answer stated before."""
        is_bound = bool(claim.bound.companies and claim.bound.concepts)
        verdict = (
            (self._by_facts(claim, named) if is_bound else None) or self._by_text(claim) or self._by_outcome(claim)
        )
        if verdict:
            return verdict
        return NOT_FOUND if is_bound or any(self.passages.speak_of(claim.bound)) else UNCHECKED

    def _by_facts(self, claim: Claim, named: Sequence[Fact]) -> Verdict | None:
        for value in expected_of(claim, Known(self.facts, named)):
            if states(claim, value.value):
                status: Status = "derived" if value.how else "found"
                return Verdict(status, value.facts, value.facts[0].result, value.how)
        return None

    def _by_text(self, claim: Claim) -> Verdict | None:
        said = next(self.passages.saying(claim.bound), None)
        return Verdict("found", result=said.result) if said else None

    def _by_outcome(self, claim: Claim) -> Verdict | None:
        for outcome in self.outcomes:
            # A rate may have been calculated in percent.
            values = (outcome.value, outcome.value / 100) if claim.bound.number.is_rate else (outcome.value,)
            if outcome.may_be(claim.bound) and any(states(claim, value) for value in values):
                return Verdict("derived", (), outcome.result, f"{outcome.name} = {outcome.steps}")
        return None
