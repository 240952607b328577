"""Figures of single tags as they were filed for a day, a year, a quarter, or the year to date."""

from __future__ import annotations

from collections.abc import Sequence

from dexter.data.sec.dates import day_number, days_between
from dexter.data.sec.facts import ANNUAL_FORMS, Fact, FactStore, Measure, Span, Vintages, measure_of
from dexter.data.sec.figure import Figure, adjusted, as_filed
from dexter.data.sec.fiscal import QUARTER, SAME_DAY, YEAR, FiscalYear, Quarter
from dexter.data.sec.recipe import qualified
from dexter.data.sec.splits import Split, factor_between
from dexter.data.sec.vintages import Vintage, choose, credible

_USUAL_QUARTER = range(80, 101)


class FiledFigures:
    """Reads figures of tags from a store in one vintage; the latest in shares of today, the first as it was filed."""

    def __init__(self, store: FactStore, splits: Sequence[Split] = (), vintage: Vintage = "latest") -> None:
        self.store = store
        self.vintage = vintage
        self.splits = splits

    def instant(self, tag: str, measure: Measure, day: str) -> Figure | None:
        """The figure at the end of `day`."""
        return self._chosen(self.vintages(tag, measure, ("", day)))

    def year(self, tag: str, measure: Measure, year: FiscalYear) -> Figure | None:
        """The figure of a fiscal year, from annual reports only."""
        return self._chosen(self._since(tag, measure, year.start, year.end))

    def quarter(self, tag: str, measure: Measure, quarter: Quarter) -> Figure | None:
        """The figure of a quarter by itself."""
        for span in self.store.ending(qualified(tag), measure, quarter.end):
            length = days_between(*span)
            begins_right = abs(days_between(span[0], quarter.start)) <= SAME_DAY
            if length in _USUAL_QUARTER or (length in QUARTER and begins_right):
                return self._chosen(self.vintages(tag, measure, span))
        return None

    def to_date(self, tag: str, measure: Measure, quarter: Quarter) -> Vintages:
        """What was filed for the time from the start of the year to the end of a quarter."""
        return self._since(tag, measure, quarter.year_start, quarter.end)

    def vintages(self, tag: str, measure: Measure, span: Span) -> Vintages:
        """The credible vintages of a span."""
        series = self.store.series(qualified(tag), measure)
        return credible(series.get(span, ()), series)

    def of(self, fact: Fact) -> Figure:
        """The fact as a figure, in shares of today unless it is wanted as first filed."""
        return self.in_shares_of_today(as_filed(fact))

    def in_shares_of_today(self, figure: Figure) -> Figure:
        """The figure adjusted for the splits after its filing; a figure as first filed stays as it is."""
        return figure if self.vintage == "first" else self._adjusted(figure, "9999")

    def on_the_basis_of(self, other: Figure, figure: Figure) -> Figure:
        """The figure in shares of the day `other` was filed, so that the two may be added."""
        return self._adjusted(figure, other.fact.filed) if self.vintage == "first" else figure

    def _adjusted(self, figure: Figure, day: str) -> Figure:
        measure = measure_of(figure.unit)
        if not self.splits or measure not in {"shares", "per_share"}:
            return figure
        factor = factor_between(self.splits, figure.fact.filed, day)
        return adjusted(figure, factor, per_share=measure == "per_share")

    def _chosen(self, facts: Vintages) -> Figure | None:
        fact = choose(facts, self.vintage)
        return self.of(fact) if fact else None

    def _since(self, tag: str, measure: Measure, start: str, end: str) -> Vintages:
        """The vintages of the span that begins about `start`; of a whole year only those of annual reports."""
        annual = days_between(start, end) >= YEAR.start
        first = day_number(start)
        for span in self.store.ending(qualified(tag), measure, end):
            if abs(day_number(span[0]) - first) <= SAME_DAY:
                found = self.vintages(tag, measure, span)
                found = [fact for fact in found if fact.form in ANNUAL_FORMS] if annual else found
                if found:
                    return found
        return ()
