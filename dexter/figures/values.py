"""Values that the run's figures have, as they are given or by a formula, with the facts they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Context, Decimal, DivisionByZero, InvalidOperation, localcontext

from dexter.figures.facts import Fact, Facts
from dexter.figures.periods import Period
from dexter.figures.vocabulary import formulas_of

_DEEPEST = 3
_DIGITS = Context(prec=40)
# Of the day of a price: what they are computed of is the newest there was on it.
_OF_A_DAY = frozenset({"Close", "Price", "MarketCap", "EnterpriseValue"})

_QUARTERS_OF = {
    "H1": ("Q1", "Q2"),
    "6M": ("Q1", "Q2"),
    "H2": ("Q3", "Q4"),
    "9M": ("Q1", "Q2", "Q3"),
}

Operation = Callable[[Decimal, Decimal], Decimal | None]


@dataclass(frozen=True)
class Value:
    """A value, the facts it rests on, and how it comes about ('' for a fact itself)."""

    value: Decimal
    facts: tuple[Fact, ...]
    how: str = ""

    @classmethod
    def of(cls, fact: Fact) -> Value:
        """A fact's own value."""
        return cls(fact.value, (fact,))


def levels(company: str, concept: str, period: Period | None, facts: Facts) -> Iterator[Value]:
    """A figure's values in a period: as they are given, else computed. None: the newest, of a year or a quarter.

    Of the newest ones a year's may have to be computed where a quarter's is given.
    """
    given = [value for name in facts.alike(company, concept) for value in _given(company, name, period, facts)]
    yield from given
    if not given and period and period.name in _QUARTERS_OF:
        yield from _added_up(company, concept, period, facts)
    if not given or period is None:
        yield from _computed(company, concept, period, facts, 0)


def derived(operation: Operation, one: Value, other: Value, how: str) -> Iterator[Value]:
    """What an operation makes of two values; nothing where it has no result."""
    try:
        with localcontext(_DIGITS):
            value = operation(one.value, other.value)
    except (DivisionByZero, InvalidOperation):
        return
    if value is not None:
        yield Value(value, (*one.facts, *other.facts), how)


def difference(one: Decimal, other: Decimal) -> Decimal:
    """The first less the second."""
    return one - other


def ratio(one: Decimal, other: Decimal) -> Decimal | None:
    """How many times the second the first is."""
    return one / other if other else None


def growth(new: Decimal, old: Decimal) -> Decimal | None:
    """By what share of the old value the new one is more; on a loss, of its size."""
    return (new - old) / abs(old) if old else None


def yearly_growth(years: int) -> Operation:
    """The growth a year that leads from the old value to the new one in so many years."""

    def rate(new: Decimal, old: Decimal) -> Decimal | None:
        return (new / old) ** (Decimal(1) / years) - 1 if new > 0 and old > 0 else None

    return rate


def same_period(one: Value, other: Value) -> bool:
    """Whether two values are of one period; a balance is of the period that ends on its day."""
    first, second = one.facts[0], other.facts[0]
    if _OF_A_DAY & {first.concept, second.concept}:
        return True
    if first.period.end and second.period.end and first.period.end != second.period.end:
        return False
    return 0 in (first.months, second.months) or first.months == second.months


def _given(company: str, concept: str, period: Period | None, facts: Facts) -> list[Value]:
    found = facts.at(company, concept, period) if period else facts.newest(company, concept)
    return [Value.of(fact) for fact in found if not fact.superseded]


def _added_up(company: str, concept: str, period: Period, facts: Facts) -> Iterator[Value]:
    """Months of a year as the sum of their quarters, where the run has only these."""
    quarters = _QUARTERS_OF[period.name]
    year = period.year or next(
        (fact.period.year for fact in facts.of(company, concept) if fact.period.name == quarters[-1]), None
    )
    parts = [value for name in quarters for value in _given(company, concept, Period(name, year), facts)[:1]]
    if year and len(parts) == len(quarters) and all(part.facts[0].months for part in parts):
        total = sum((part.value for part in parts), Decimal(0))
        yield Value(total, tuple(fact for part in parts for fact in part.facts), f"{concept} of {' + '.join(quarters)}")


def _computed(company: str, concept: str, period: Period | None, facts: Facts, depth: int) -> Iterator[Value]:
    """By the formulas there are for a figure, of operands of the same company and period."""
    if depth >= _DEEPEST:
        return
    for formula in formulas_of(concept):
        for left in _operand(company, formula.left, period, facts, depth):
            for right in _operand(company, formula.right, period, facts, depth):
                if same_period(left, right):
                    yield from derived(formula.of, left, right, formula.text)


def _operand(company: str, concept: str, period: Period | None, facts: Facts, depth: int) -> list[Value]:
    return _given(company, concept, period, facts) or list(_computed(company, concept, period, facts, depth + 1))
