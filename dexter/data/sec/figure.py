"""One value with the filing it rests on, and the arithmetic of such values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

from dexter.data.sec.facts import Fact, Span


@dataclass(frozen=True, slots=True)
class Figure:
    """A value of the span `start` to `end`, cited from `fact`'s filing.

    `derived` says how it was computed, None as filed, and `also` has the facts of other filings that went into it.
    `tag` is the tag it stands under, '' for a sum of several; `detail` tells more of where it stands.
    """

    value: Decimal
    unit: str
    start: str
    end: str
    fact: Fact
    derived: str | None = None
    tag: str = ""
    detail: str = ""
    also: tuple[Fact, ...] = ()

    @property
    def span(self) -> Span:
        """First and last day."""
        return self.start, self.end


def as_filed(fact: Fact) -> Figure:
    """The fact's own value."""
    return Figure(fact.value, fact.unit, fact.start, fact.end, fact, tag=fact.tag)


def adjusted(figure: Figure, factor: Fraction, *, per_share: bool) -> Figure:
    """The figure counted in shares of today: counts times `factor`, values per share divided by it."""
    if factor == 1:
        return figure
    divide = per_share == (factor > 1)
    size = factor if factor > 1 else 1 / factor
    text = plain(figure.value)
    how = f"split-adjusted {'/' if divide else 'x'}{size}"
    origin = figure.detail or f"reported {text}"
    value = _divided(figure.value, size) if divide else figure.value * size.numerator / size.denominator
    return replace(figure, value=value, derived=f"{origin}, {how}", detail="")


def _divided(value: Decimal, size: Fraction) -> Decimal:
    """The exact quotient where it has an end, else two digits more than were given."""
    quotient = value * size.denominator / size.numerator
    if _ends(Fraction(value) / size):
        return quotient
    return quotient.quantize(Decimal(1).scaleb(-(places(value) + 2)), ROUND_HALF_EVEN)


def _ends(number: Fraction) -> bool:
    """Whether the number has a last decimal digit: its denominator is made of twos and fives."""
    rest = number.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    return rest == 1


def combined(parts: Iterable[tuple[Figure, int]], says: str) -> Figure:
    """The sum of figures with their signs, cited from the filing that came last; one figure alone stays itself."""
    terms = list(parts)
    if len(terms) == 1 and terms[0][1] > 0:
        return terms[0][0]
    newest = max((figure for figure, _ in terms), key=lambda figure: (figure.fact.filed, figure.fact.accession))
    value = sum((figure.value * sign for figure, sign in terms), Decimal(0))
    first = terms[0][0]
    also = others(newest.fact, (figure for figure, _ in terms))
    return Figure(value, first.unit, first.start, first.end, newest.fact, derived=says, also=also)


def others(cited: Fact, parts: Iterable[Figure]) -> tuple[Fact, ...]:
    """One fact of each filing that the parts rest on, beside the one that is cited."""
    filings = {fact.accession: fact for part in parts for fact in (part.fact, *part.also)}
    return tuple(fact for accession, fact in sorted(filings.items()) if accession != cited.accession)


def plain(value: Decimal) -> str:
    """The digits without an exponent, and as many as were given."""
    return format(value, "f")


def places(value: Decimal) -> int:
    """Digits after the point."""
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
