"""Which of a figure's vintages count, and which of two figures belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Literal

from dexter.data.sec.dates import day_number, days_between
from dexter.data.sec.facts import Fact, Span, Vintages

Vintage = Literal["latest", "first"]

_ONE_BASIS = range(330)  # days: what is filed within one fiscal year stands on one basis of accounting
_ANOTHER_LENGTH = 30  # days between starts: more is another period, less another spelling of it


def credible(facts: Vintages, series: Mapping[Span, Vintages]) -> Vintages:
    """The vintages of a span without those that are plainly of another; `series` is all that the tag has.

    A quarter tagged as six months repeats the quarter's own value. It is dropped where another vintage says otherwise.
    """
    if len({fact.value for fact in facts}) < 2:  # noqa: PLR2004 - nobody says otherwise
        return facts
    return [fact for fact in facts if not _is_of_another_span(fact, series)] or facts


def choose(facts: Vintages, vintage: Vintage = "latest") -> Fact | None:
    """The latest or the first of a span's vintages."""
    if not facts:
        return None
    return facts[-1] if vintage == "latest" else facts[0]


def on_one_basis(wholes: Vintages, parts: Vintages, vintage: Vintage = "latest") -> tuple[Fact, Fact] | None:
    """A whole and a part of it that may be subtracted: filed within a year of each other, the part before the whole.

    A year is restated in reports that no longer restate its nine months, and nine months before the year is. The newest
    pair that stands on one basis is taken; where no part was filed so shortly before a whole, the vintages asked for.
    """
    whole, part = choose(wholes, vintage), choose(parts, vintage)
    if whole is None or part is None:
        return None
    ordered = wholes[::-1] if vintage == "latest" else wholes
    for candidate in ordered:
        near = [other for other in parts if days_between(other.filed, candidate.filed) in _ONE_BASIS]
        if near:
            return (whole if whole.value == candidate.value else candidate), near[-1 if vintage == "latest" else 0]
    return whole, part


def in_one_filing(terms: Sequence[Vintages], vintage: Vintage = "latest") -> Sequence[Fact] | None:
    """One fact of each term, all of the newest (or first) filing that has them all; None where there is none."""
    by_filing = [{(fact.filed, fact.accession): fact for fact in facts} for facts in terms]
    shared = set(by_filing[0]).intersection(*by_filing[1:])
    if not shared:
        return None
    filing = max(shared) if vintage == "latest" else min(shared)
    return [facts[filing] for facts in by_filing]


def unscaled(fact: Fact, peers: Mapping[Span, Vintages]) -> Decimal | None:
    """The number of shares meant, where a filing gives it a thousand or a million times too large or too small.

    Judged by the nearest counts before and after, all of which must be so far away; None where nothing is wrong.
    """
    near = _neighbours(fact, peers)
    if not fact.value or not near:
        return None
    for factor in (Decimal(1000), Decimal(1_000_000)):
        for meant in (fact.value / factor, fact.value * factor):
            if all(_close(meant, other) for other in near):
                return meant
    return None


def _is_of_another_span(fact: Fact, series: Mapping[Span, Vintages]) -> bool:
    """Whether the value is the one of a period of another length that ends on the same day."""
    if not fact.start or not fact.value:
        return False
    own = day_number(fact.start)
    return any(
        end == fact.end
        and start
        and abs(day_number(start) - own) > _ANOTHER_LENGTH
        and any(other.value == fact.value for other in others)
        for (start, end), others in series.items()
    )


def _neighbours(fact: Fact, peers: Mapping[Span, Vintages]) -> list[Decimal]:
    """The counts of the days before and after, as far as there are any."""
    counts = [facts[-1] for facts in peers.values() if facts[-1].value]
    before = max((count for count in counts if count.end < fact.end), key=lambda count: count.end, default=None)
    after = min((count for count in counts if count.end > fact.end), key=lambda count: count.end, default=None)
    return [count.value for count in (before, after) if count]


def _close(meant: Decimal, other: Decimal) -> bool:
    return Decimal("0.2") < meant / other < Decimal(5)
