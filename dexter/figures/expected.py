"""What a claim should say if it is right, by what it claims."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dexter.figures.bound import Bound
from dexter.figures.claims import Claim, Sort
from dexter.figures.directions import Base, base_of, clause_before, clause_behind
from dexter.figures.facts import Facts
from dexter.figures.labels import label_words
from dexter.figures.pairs import (
    Known,
    Pair,
    between_companies,
    between_periods,
    of_last_two,
    of_two_figures,
    on_the_period_before,
)
from dexter.figures.periods import NO_PERIOD, Period
from dexter.figures.values import (
    Operation,
    Value,
    derived,
    difference,
    growth,
    levels,
    ratio,
    same_period,
    yearly_growth,
)
from dexter.figures.vocabulary import growth_of, growths_of, is_sequential, share_names

# `Sequentially, revenue was down 6%`.
_OPENER = re.compile(r"\s*[\w\s-]{1,48}[,:]")
# `over those four years`, `two-year view`.
_COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_YEARS = re.compile(
    rf"\b(?P<count>{'|'.join(_COUNTS[2:])}|[2-9])(?:\s+(?:fiscal\s+)?years\b|-year\b)(?!\s+(?:ago|earlier|before|prior))",
    re.IGNORECASE,
)
_EXCEEDS = re.compile(
    r"\b(?:exceed\w*|ahead of|beat\w*|outpac\w*|tops?|topped|above|below|behind|short of|trail\w*|than)\b",
    re.IGNORECASE,
)
_IN = re.compile(r"\s*(?:in|during)\s", re.IGNORECASE)
_FROM = re.compile(r"\s*from\s*(?:about|roughly|just|only)?\s*", re.IGNORECASE)


def expected_of(claim: Claim, known: Known) -> Iterator[Value]:
    """Every value that would make a claim right; its number has a company and a figure."""
    yield from _OF_SORT[claim.sort](claim.bound, known)


def periods_of(bound: Bound, facts: Facts) -> tuple[Period | None, ...]:
    """The periods that a number may belong to; None: the newest.

    What the text has been about so far is no period of a figure that is not known of it: a price has a day of its own.
    """
    if bound.is_dated or not bound.companies:
        return bound.periods or (None,)
    company = bound.companies[0]
    names = [name for concept in bound.concepts for name in facts.alike(company, concept)]
    if not any(facts.of(company, name) for name in names):
        return bound.periods or (None,)
    known = tuple(p for p in bound.periods if any(facts.at(company, name, p) for name in names))
    if known:
        return known
    relation = next((period for period in bound.periods if period.relation), None)
    return (replace(NO_PERIOD, relation=relation.relation, steps=relation.steps),) if relation else (None,)


def _levels(bound: Bound, known: Known) -> Iterator[Value]:
    for concept, period in _every(bound, known):
        company, grown = bound.companies[0], growth_of(concept)
        yield from (value for value in levels(company, concept, period, known.facts) if _is_called(bound, value))
        if grown:
            base: Base = "quarter" if is_sequential(concept) else base_of(bound.before) or "year"
            pairs = on_the_period_before(company, grown, period, base, known.facts)
            yield from _of_pairs(growth, pairs, f"growth of {grown} on the {base} before")


def _growths(bound: Bound, known: Known) -> Iterator[Value]:
    base = _base(bound)
    company = bound.companies[0]
    for concept, period in _every(bound, known):
        plain = period if period is None or _IN.match(bound.after) else replace(period, relation="")
        for name in growths_of(concept):
            if is_sequential(name) == (base == "quarter"):
                yield from levels(company, name, plain, known.facts)
        pairs = on_the_period_before(company, concept, plain, base or "year", known.facts)
        yield from _of_pairs(growth, pairs, f"growth of {concept} on the {base or 'year'} before")
        if not base:
            yield from _of_pairs(growth, between_periods(company, concept, bound, known), f"growth of {concept}")
    for years, new, old in _over_years(bound, known) if not base else ():
        yield from derived(growth, new, old, f"growth over {years} years")


def _over_years(bound: Bound, known: Known) -> Iterator[tuple[int, Value, Value]]:
    """For a growth over so many years, those years and the two values: the time spoken of, else the newest year's."""
    said = _YEARS.search(bound.said)
    if not said:
        return
    years = _COUNTS.index(said["count"].lower()) if said["count"].lower() in _COUNTS else int(said["count"])
    for concept, period in _every(bound, known):
        for new in levels(bound.companies[0], concept, period, known.facts):
            before = replace(new.facts[0].period, relation="year_before", steps=years)
            yield from ((years, new, Value.of(old)) for old in known.facts.at(*new.facts[0].name, before))


def _yearly_growths(bound: Bound, known: Known) -> Iterator[Value]:
    for years, new, old in _over_years(bound, known):
        yield from derived(yearly_growth(years), new, old, f"growth a year over {years} years")
    for concept in bound.concepts:
        for new, old in between_periods(bound.companies[0], concept, bound, known):
            years = (new.facts[0].period.year or 0) - (old.facts[0].period.year or 0)
            if years > 0:
                yield from derived(yearly_growth(years), new, old, f"growth of {concept} a year over {years} years")


def _changes(bound: Bound, known: Known) -> Iterator[Value]:
    if len(bound.companies) > 1:
        yield from _of_pairs(difference, between_companies(bound, known), "difference")
        return
    base = _base(bound) or "year"
    for concept, period in _every(bound, known):
        plain = replace(period, relation="") if period else None
        company = bound.companies[0]
        yield from _of_pairs(difference, between_periods(company, concept, bound, known), f"change of {concept}")
        pairs = on_the_period_before(company, concept, plain, base, known.facts)
        yield from _of_pairs(difference, pairs, f"change of {concept} on the {base} before")
    yield from _of_pairs(difference, of_last_two(bound, known), "difference of the two named before")
    if _EXCEEDS.search(bound.said[: bound.number.start - bound.start]):
        for concept, period in _every(bound, known):
            pairs = of_two_figures(concept, period, bound, known)
            yield from _of_pairs(difference, pairs, f"difference of {concept} and another figure")


def _times(bound: Bound, known: Known) -> Iterator[Value]:
    if bound.whole:  # `67.7% of Apple's revenue` is a proportion of two revenues
        bound = replace(bound, concepts=(bound.whole,))
    if len(bound.companies) > 1:
        yield from _of_pairs(ratio, between_companies(bound, known), "ratio")
        return
    for concept in bound.concepts:
        yield from _of_pairs(ratio, between_periods(bound.companies[0], concept, bound, known), f"ratio of {concept}")
    yield from _of_pairs(ratio, of_last_two(bound, known), "ratio of the two named before")


def _shares(bound: Bound, known: Known) -> Iterator[Value]:
    company = bound.companies[0]
    for concept, period in _every(bound, known):
        for name in share_names(concept, bound.whole):
            yield from levels(company, name, period, known.facts)
        for part in levels(company, concept, period, known.facts):
            for whole in levels(company, bound.whole, period, known.facts):
                if same_period(part, whole):
                    yield from derived(ratio, part, whole, f"{concept} / {bound.whole}")


_OF_SORT: Mapping[Sort, Callable[[Bound, Known], Iterator[Value]]] = {
    "level": _levels,
    "growth": _growths,
    "cagr": _yearly_growths,
    "change": _changes,
    "times": _times,
    "share": _shares,
}


def _every(bound: Bound, known: Known) -> Iterator[tuple[str, Period | None]]:
    """The figures and periods that a number may be of."""
    return ((concept, period) for concept in bound.concepts for period in periods_of(bound, known.facts))


def _of_pairs(operation: Operation, pairs: Iterator[Pair], how: str) -> Iterator[Value]:
    for one, other in pairs:
        yield from derived(operation, one, other, how)


def _is_called(bound: Bound, value: Value) -> bool:
    """Whether the answer's words for the figure make no other one of it: `Gaming revenue` is not revenue."""
    return all(bound.own <= label_words(fact.label) for fact in value.facts) if bound.own else True


def _base(bound: Bound) -> Base:
    """What a change is on, as the period at the number says, the words before it, or those behind it."""
    named: Mapping[str, Base] = {"year_before": "year", "quarter_before": "quarter"}
    at_number: Base = next((named.get(period.relation, "") for period in bound.periods if period.relation), "")
    opener = _OPENER.match(bound.said)
    said = (clause_before(bound.before), clause_behind(_behind(bound)), opener.group() if opener else "")
    return at_number or next(filter(None, map(base_of, said)), "")


def _behind(bound: Bound) -> str:
    """The words behind a number; of `20% from $68 billion in the prior quarter` those behind what it came from."""
    if not _FROM.fullmatch(bound.after):
        return bound.after
    rest = bound.said[bound.number.end - bound.start + len(bound.after) :]
    return re.sub(r"^[^A-Za-z]*(?:billion|million|trillion|bn|[BMT])?\b", "", rest)
