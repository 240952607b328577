"""Lines of the statements in a period, by the first way of their recipe that has a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from dexter.data.sec.concepts import RECIPES
from dexter.data.sec.facts import measure_of
from dexter.data.sec.figure import Figure, combined
from dexter.data.sec.filed import FiledFigures
from dexter.data.sec.fiscal import FiscalCalendar, FiscalYear, Period, Quarter, TwelveMonths, last_day
from dexter.data.sec.recipe import Formula, Recipe, Way, qualified
from dexter.data.sec.to_date import growth, twelve_months
from dexter.data.sec.vintages import in_one_filing

_AGREEMENT = Decimal("0.01")  # what two ways to one figure may differ by


class Lines:
    """Reads lines by name in any period; a balance is read at the period's last day.

    `recipes` replaces single recipes where a kind of company needs others.
    """

    def __init__(
        self, filed: FiledFigures, calendar: FiscalCalendar, recipes: Mapping[str, Recipe] | None = None
    ) -> None:
        self.filed = filed
        self.calendar = calendar
        self._recipes = {**RECIPES, **(recipes or {})}
        self._known: dict[tuple[str, Period], Figure | None] = {}
        self._open: set[str] = set()

    def figure(self, name: str, period: Period) -> Figure | None:
        """The line in the period, or None where no way of its recipe leads to a figure."""
        key = (name, period)
        if name in self._open:  # a formula that comes back to the line it is for
            return None
        if key not in self._known:
            self._open.add(name)
            try:
                self._known[key] = self._work_out(self._recipes[name], period)
            finally:
                self._open.discard(name)
        return self._known[key]

    def _work_out(self, recipe: Recipe, period: Period) -> Figure | None:
        for place, way in enumerate(recipe.ways):
            if isinstance(way, Formula):
                found = self._formula(way, period)
            else:
                found = self._tag(way, recipe, period)
                found = self._successor(found, recipe, recipe.ways[place + 1 :], period) if found else None
            if found:
                return self._checked(found, recipe, period)
        return self._across_tags(recipe, period) if recipe.kind == "flow" else None

    def _checked(self, found: Figure, recipe: Recipe, period: Period) -> Figure:
        other = self.figure(recipe.against, period) if recipe.against else None
        if other is None or abs(found.value - other.value) <= abs(other.value) * _AGREEMENT:
            return found
        return other

    def _successor(self, found: Figure, recipe: Recipe, others: Sequence[Way], period: Period) -> Figure:
        """The figure as restated under another tag: filed later than `found` (or first, where the first is wanted).

        A tag that has stood beside the first one in some filing, with another value, means something else.
        """
        if not recipe.one_meaning or found.also:
            return found
        for way in others:
            other = self._tag(way, recipe, period) if isinstance(way, str) and self._uses(way, recipe) else None
            if other and other.fact.value != found.fact.value and self._supersedes(other, found, recipe):
                found = other
        return found

    def _uses(self, tag: str, recipe: Recipe) -> bool:
        return bool(self.filed.store.series(qualified(tag), recipe.measure))

    def _supersedes(self, other: Figure, found: Figure, recipe: Recipe) -> bool:
        if other.fact.span != found.fact.span or other.also:
            return False
        later = other.fact.filed > found.fact.filed
        if later != (self.filed.vintage == "latest"):
            return False
        mine = {fact.accession for fact in self.filed.vintages(found.tag, recipe.measure, found.fact.span)}
        return not any(
            fact.accession in mine for fact in self.filed.vintages(other.tag, recipe.measure, other.fact.span)
        )

    def _formula(self, formula: Formula, period: Period) -> Figure | None:
        if any(self.figure(name, period) for name in formula.unless):
            return None
        terms: list[tuple[Figure, int]] = []
        for sign, names in ((1, formula.plus), (-1, formula.minus)):
            for name in names:
                figure = self.figure(name.rstrip("?"), period)
                if figure is None and not name.endswith("?"):
                    return None
                if figure and not (formula.distinct and _has_twin(figure, terms)):
                    terms.append((figure, sign))
        alike = len({figure.unit for figure, _ in terms}) == 1
        return combined(self._of_one_filing(terms), formula.says) if alike and terms[0][1] > 0 else None

    def _of_one_filing(self, terms: list[tuple[Figure, int]]) -> list[tuple[Figure, int]]:
        """The terms as the newest filing that has all of them gives them, where later ones restate only some."""
        figures = [figure for figure, _ in terms]
        if any(figure.derived for figure in figures) or len({figure.fact.accession for figure in figures}) == 1:
            return terms
        vintages = [self.filed.vintages(f.tag, measure_of(f.unit), f.span) for f in figures]
        facts = in_one_filing(vintages, self.filed.vintage)
        if not facts or all(fact.value == f.fact.value for fact, f in zip(facts, figures, strict=True)):
            return terms
        return [(self.filed.of(fact), sign) for fact, (_, sign) in zip(facts, terms, strict=True)]

    def _tag(self, tag: str, recipe: Recipe, period: Period) -> Figure | None:
        if recipe.kind == "balance":
            return self.filed.instant(tag, recipe.measure, last_day(period))
        if isinstance(period, FiscalYear):
            return self.filed.year(tag, recipe.measure, period)
        additive = recipe.kind == "flow"
        if isinstance(period, Quarter):
            direct = self.filed.quarter(tag, recipe.measure, period)
            return direct or (self._growth((tag,), recipe, period) if additive else None)
        closed = self.calendar.closed_by(period.last)
        if closed:
            return self._whole_year(tag, recipe, closed)
        return self._twelve_months((tag,), recipe, period.last) if additive else None

    def _across_tags(self, recipe: Recipe, period: Period) -> Figure | None:
        """What follows from figures for the year to date that stand under several tags of one meaning."""
        tags = [way for way in recipe.ways if isinstance(way, str)]
        if isinstance(period, Quarter):
            return self._growth(tags, recipe, period)
        return self._twelve_months(tags, recipe, period.last) if isinstance(period, TwelveMonths) else None

    def _whole_year(self, tag: str, recipe: Recipe, year: FiscalYear) -> Figure | None:
        found = self.filed.year(tag, recipe.measure, year)
        return replace(found, derived=f"fiscal year {year.number}") if found else None

    def _growth(self, tags: Sequence[str], recipe: Recipe, quarter: Quarter) -> Figure | None:
        found = growth(self.filed, self.calendar, tags, recipe.measure, quarter)
        closed = self.calendar.closed_by(quarter)
        return None if found and closed and self._differs(found, recipe, closed) else found

    def _differs(self, last_quarter: Figure, recipe: Recipe, year: FiscalYear) -> bool:
        """Whether the year itself stands under another tag with another value: its last quarter is no part of it."""
        own = next((found for way in recipe.ways if (found := self._of_year(way, recipe, year))), None)
        same = self.filed.year(last_quarter.tag, recipe.measure, year)
        return bool(own and same and own.tag != same.tag and own.value != same.value)

    def _of_year(self, way: Way, recipe: Recipe, year: FiscalYear) -> Figure | None:
        return self.filed.year(way, recipe.measure, year) if isinstance(way, str) else None

    def _twelve_months(self, tags: Sequence[str], recipe: Recipe, last: Quarter) -> Figure | None:
        return twelve_months(self.filed, self.calendar, tags, recipe.measure, last)


def _has_twin(figure: Figure, terms: Sequence[tuple[Figure, int]]) -> bool:
    return any(other.value == figure.value for other, _ in terms)
