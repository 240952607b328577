"""What the run says where it does not say a figure of the answer: the same value of something else, or its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from dexter.figures.claims import Claim
from dexter.figures.compare import says
from dexter.figures.expected import periods_of
from dexter.figures.facts import Fact, Facts
from dexter.figures.fit import fits
from dexter.figures.passages import Passages
from dexter.figures.values import levels
from dexter.figures.vocabulary import kind_of


@dataclass(frozen=True)
class Nearest:
    """The nearest thing the run says, in words; if it is a fact, of what and how much, and in which result."""

    text: str
    company: str = ""
    concept: str = ""
    period: str = ""
    value: str = ""
    result: int = 0

    @classmethod
    def of(cls, fact: Fact, text: str) -> Nearest:
        """A fact, called so."""
        return cls(text, fact.company, fact.concept, fact.period.text, str(fact.value), fact.result)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Nearest:
        """What `to_json` gave; what is missing or no text is empty."""
        texts = {name: str(stored.get(name) or "") for name in ("text", "company", "concept", "period", "value")}
        return cls(**texts, result=whole(stored.get("result")))

    def to_json(self) -> dict[str, Any]:
        """A JSON object; without a fact only the words."""
        return {name: value for name, value in asdict(self).items() if value}


def _written(fact: Fact) -> str:
    """A rate in percent, anything else with its thousands parted, four decimals at most."""
    if kind_of(fact.concept) == "rate":
        return f"{fact.value:.2%}"
    return f"{fact.value:,f}" if fact.value == fact.value.to_integral_value() else f"{fact.value:,.4f}".rstrip("0")


def whole(value: object) -> int:
    """A whole number that was read from a file, 0 for anything else."""
    return value if isinstance(value, int) else 0


def nearest_to(claim: Claim, facts: Facts, passages: Passages) -> Nearest | None:
    """The nearest fact to a figure that is not found; None where the run has nothing like it."""
    bound = claim.bound
    if not bound.companies or not bound.concepts:
        said = next(iter(passages.speak_of(bound)), None)
        return Nearest(f"#{said.result} says {said.bound.number.text}") if said else None
    if claim.sort == "level":
        for fact in _same_value(claim, facts):
            return Nearest.of(fact, _what_it_is(claim, fact))
    for fact in _own(claim, facts):
        return Nearest.of(
            fact, f"{fact.company} {fact.label or fact.concept} of {fact.period.text} is {_written(fact)}"
        )
    if not any(company in facts.companies() for company in bound.companies):
        return Nearest(f"no result is about {bound.companies[0]}")
    return None


def _same_value(claim: Claim, facts: Facts) -> Iterator[Fact]:
    """Facts of just this value: of another period, filing, figure or company, in this order."""
    bound = claim.bound
    company, concept = bound.companies[0], bound.concepts[0]
    equal = [fact for fact in facts.every() if _has_value(claim, fact)]
    yield from (fact for fact in equal if fact.company == company and fact.concept in facts.alike(company, concept))
    yield from (fact for fact in equal if fact.company == company and fact.concept != concept)
    yield from (fact for fact in equal if fact.company != company and fact.concept == concept)


def _has_value(claim: Claim, fact: Fact) -> bool:
    return _may_be(claim, fact) and says(claim.bound.number, fact.value, kind_of(fact.concept))


def _may_be(claim: Claim, fact: Fact) -> bool:
    return claim.bound.number.unit == "points" or fits(claim.bound.number, fact.concept)


def _what_it_is(claim: Claim, fact: Fact) -> str:
    bound = claim.bound
    label = fact.label or fact.concept
    if fact.company != bound.companies[0]:
        return f"this is {fact.company}'s {label} of {fact.period.text}"
    if fact.concept not in bound.concepts:
        return f"this is {label} of {fact.period.text}"
    if fact.superseded:
        return f"this is {fact.period.text} as filed {fact.filed}; a later filing gives another value"
    return f"this is {fact.period.text}"


def _own(claim: Claim, facts: Facts) -> Iterable[Fact]:
    bound = claim.bound
    for company in bound.companies:
        for concept in bound.concepts:
            for period in periods_of(bound, facts):
                yield from (value.facts[0] for value in levels(company, concept, period, facts))
