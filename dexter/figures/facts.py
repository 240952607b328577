"""What a run's results say: figures by company, name and period, the newest filing's value of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cached_property

from dexter.figures.match import is_of_period
from dexter.figures.numbers import Unit
from dexter.figures.origins import is_untrusted
from dexter.figures.periods import Period, Relation, months_of, period_of
from dexter.figures.vocabulary import alike
from dexter.results import Cell, StoredResult

# Days between the ends of two periods that are a year or a quarter apart, 52- and 53-week years allowed for.
_APART: dict[Relation, tuple[int, int]] = {
    "year_before": (350, 380),
    "quarter_before": (77, 105),
    "year_after": (-380, -350),
    "quarter_after": (-105, -77),
}
# Filings round in other places, without anything having been restated.
_ROUNDING = Decimal("0.0005")
_UNITS: dict[str, Unit] = {"pure": "plain", "shares": "shares"}


@dataclass(frozen=True)
class Fact:
    """A figure of a result. `months` is the length of its period, 0 for a day.

    `superseded`: a later filing gives another value for the same period.
    """

    value: Decimal
    company: str
    concept: str
    period: Period
    months: int
    result: int
    unit: Unit = "money"
    label: str = ""
    filed: str = ""
    superseded: bool = False
    accession: str = ""
    is_untrusted: bool = False

    @property
    def name(self) -> tuple[str, str]:
        """Company and figure."""
        return self.company, self.concept


class Facts:
    """The figures of results, to be asked for by company, name and period."""

    def __init__(self, results: Iterable[StoredResult]) -> None:
        self.results: Sequence[StoredResult] = tuple(results)
        self._facts: dict[tuple[str, str], Sequence[Fact]] = {}

    def of(self, company: str, concept: str) -> Sequence[Fact]:
        """A company's values of a figure, the newest period first, each once."""
        name = (company, concept)
        if name not in self._facts:
            self._facts[name] = _newest_first(_fact(cell, result) for cell, result in self._cells.get(name, ()))
        return self._facts[name]

    def at(self, company: str, concept: str, period: Period) -> tuple[Fact, ...]:
        """The values of a period. Of one told from another (`a year earlier`) that one's neighbour's."""
        if period.relation:
            facts = self.at(company, concept, replace(period, relation="", steps=1))
            for _ in range(period.steps):
                facts = tuple(other for fact in facts for other in self.beside(fact, period.relation))
            return facts
        found = self.of(company, concept)
        matching = tuple(fact for fact in found if is_of_period(period, fact.period, months=fact.months))
        return matching[:1] if period.year is None and not period.end else matching

    def newest(self, company: str, concept: str) -> tuple[Fact, ...]:
        """The newest value of each length of period."""
        newest: dict[int, Fact] = {}
        for fact in self.of(company, concept):
            newest.setdefault(fact.months if fact.period.name != "TTM" else -1, fact)
        return tuple(newest.values())

    def beside(self, fact: Fact, relation: Relation) -> tuple[Fact, ...]:
        """The same figure of the year or the quarter before or after."""
        least, most = _APART[relation]
        return tuple(
            other
            for other in self.of(*fact.name)
            if other.months == fact.months
            and (other.period.name == "TTM") == (fact.period.name == "TTM")
            and least <= _days_between(other.period.end, fact.period.end) <= most
        )

    def every(self) -> Iterator[Fact]:
        """All of them."""
        for company, concept in self._cells:
            yield from self.of(company, concept)

    def companies(self) -> tuple[str, ...]:
        """The companies there are figures of."""
        return tuple(dict.fromkeys(company for company, _ in self._cells))

    def names_of(self, company: str) -> tuple[str, ...]:
        """The figures there are of a company."""
        return tuple(concept for ticker, concept in self._cells if ticker == company)

    def alike(self, company: str, concept: str) -> tuple[str, ...]:
        """The names under which the figure may be known here."""
        return tuple(name for name in alike(concept) if (company, name) in self._cells) or (concept,)

    def named(self, value: Decimal) -> tuple[str, str] | None:
        """Company and name of a figure that has just this value; None where none has."""
        return self._names.get(value)

    @cached_property
    def _cells(self) -> Mapping[tuple[str, str], Sequence[tuple[Cell, StoredResult]]]:
        found: dict[tuple[str, str], list[tuple[Cell, StoredResult]]] = {}
        for result in self.results:
            for cell in result.cells:
                found.setdefault((cell.ticker, cell.concept), []).append((cell, result))
        return found

    @cached_property
    def _names(self) -> Mapping[Decimal, tuple[str, str]]:
        return {cell.number: name for name, cells in self._cells.items() for cell, _ in cells}


def _fact(cell: Cell, result: StoredResult) -> Fact:
    return Fact(
        cell.number,
        cell.ticker,
        cell.concept,
        period_of(cell),
        months_of(cell),
        result.id,
        _UNITS.get(cell.unit) or ("per_share" if "/" in cell.unit else "money"),
        cell.label,
        cell.filed,
        accession=cell.accession,
        is_untrusted=is_untrusted(result, cell),
    )


def _newest_first(facts: Iterable[Fact]) -> Sequence[Fact]:
    """Each value once, the newest period first; what a later filing of the same period replaces stands last."""
    once: dict[tuple[Period, Decimal], Fact] = {}
    for fact in facts:
        known = once.get((fact.period, fact.value))
        once[fact.period, fact.value] = _same_twice(known, fact) if known else fact
    latest: dict[Period, Fact] = {}
    for fact in once.values():
        if fact.period not in latest or _weight(latest[fact.period]) < _weight(fact):
            latest[fact.period] = fact
    marked = [
        replace(fact, superseded=True) if _replaces(latest[fact.period], fact) else fact for fact in once.values()
    ]
    newest = sorted(marked, key=lambda fact: fact.period.end, reverse=True)
    return sorted(newest, key=lambda fact: (fact.superseded, fact.is_untrusted))


def _weight(fact: Fact) -> tuple[bool, str]:
    """Of two values for a period the later filed counts; what anybody may have written replaces nothing."""
    return not fact.is_untrusted, fact.filed


def _same_twice(known: Fact, fact: Fact) -> Fact:
    """One value from two places: as filed last, and as what can be trusted says it."""
    kept = known if fact.is_untrusted and not known.is_untrusted else fact
    return replace(kept, filed=max(known.filed, fact.filed))


def _replaces(later: Fact, fact: Fact) -> bool:
    """Whether a later filing gives another value, not only a differently rounded one."""
    return _weight(later) > _weight(fact) and abs(later.value - fact.value) > abs(later.value) * _ROUNDING


def _days_between(first: str, second: str) -> int:
    try:
        return (date.fromisoformat(second) - date.fromisoformat(first)).days
    except ValueError:
        return 0
