"""A company's cells from frames: each line by the first way of its recipe that has a figure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from dexter.data.company import Company
from dexter.data.concepts import label_of
from dexter.data.periods import fiscal_year
from dexter.data.screening.frames import FrameKey, FramePoint, Frames, balance_periods, flow_period
from dexter.data.sec.concepts import RECIPES
from dexter.data.sec.facts import Measure
from dexter.data.sec.recipe import Formula, Recipe
from dexter.results import Cell

_UNITS: dict[Measure, str] = {"money": "USD", "per_share": "USD/shares", "shares": "shares", "pure": "pure"}


@dataclass(frozen=True)
class FrameFigure:
    """A figure with where it stands, or how it was added up."""

    point: FramePoint
    source: str
    derived: str | None = None


class CompanyFrames:
    """One company's figures in the frames of the fiscal year that lies mostly in the calendar year `year`."""

    def __init__(self, frames: Frames, cik: int, year: int) -> None:
        self._frames = frames
        self._cik = cik
        self._year = year
        self._known: dict[str, FrameFigure | None] = {}
        self._open: set[str] = set()
        self._end = ""

    def cells(self, names: Sequence[str], company: Company) -> Iterator[Cell]:
        """The lines that have a figure; balances are of the day on which the year ends."""
        flows = [name for name in names if RECIPES[name].kind != "balance"]
        self._end = next((found.point.end for name in flows if (found := self.figure(name))), "")
        for name in names:
            found = self.figure(name)
            if found:
                yield _cell(name, found, company, self._end or found.point.end)

    def figure(self, name: str) -> FrameFigure | None:
        """The line, or None where no way of its recipe leads to a figure."""
        if name in self._open:  # a formula that comes back to the line it is for
            return None
        if name not in self._known:
            self._open.add(name)
            self._known[name] = self._work_out(RECIPES[name])
            self._open.discard(name)
        return self._known[name]

    def _work_out(self, recipe: Recipe) -> FrameFigure | None:
        for way in recipe.ways:
            found = self._formula(way) if isinstance(way, Formula) else self._tag(way, recipe)
            if found:
                return found
        return None

    def _tag(self, tag: str, recipe: Recipe) -> FrameFigure | None:
        if ":" in tag:
            return None
        periods = balance_periods(self._year) if recipe.kind == "balance" else (flow_period(self._year),)
        for period in periods:
            point = self._frames.point(self._cik, FrameKey(tag, recipe.measure, period))
            # Without a flow that tells the year's end, the balance of the calendar year's end is taken.
            if point and self._end in ("", point.end):
                return FrameFigure(point, f"us-gaap:{tag}")
            if recipe.kind == "balance" and not self._end:
                return None
        return None

    def _formula(self, formula: Formula) -> FrameFigure | None:
        if any(self.figure(name) for name in formula.unless):
            return None
        terms: list[tuple[FrameFigure, int]] = []
        for sign, names in ((1, formula.plus), (-1, formula.minus)):
            for name in names:
                found = self.figure(name.rstrip("?"))
                if found is None and not name.endswith("?"):
                    return None
                if found and not (formula.distinct and _has_twin(found, terms)):
                    terms.append((found, sign))
        if not terms or terms[0][1] < 0 or len({found.point.end for found, _ in terms}) > 1:
            return None
        return _added(terms, formula)


def _has_twin(figure: FrameFigure, terms: Sequence[tuple[FrameFigure, int]]) -> bool:
    return any(other.point.value == figure.point.value for other, _ in terms)


def _added(terms: Sequence[tuple[FrameFigure, int]], formula: Formula) -> FrameFigure:
    first = terms[0][0]
    if len(terms) == 1:
        return first
    value = sum((found.point.value * sign for found, sign in terms), Decimal(0))
    accessions = {found.point.accession for found, _ in terms}
    point = replace(first.point, value=value, accession=accessions.pop() if len(accessions) == 1 else "")
    return FrameFigure(point, " ".join(found.source for found, _ in terms), formula.says)


def _cell(name: str, found: FrameFigure, company: Company, end: str) -> Cell:
    unit = _UNITS[RECIPES[name].measure]
    return Cell(
        ticker=company.ticker,
        company=company.name,
        concept=name,
        label=label_of(name),
        value=format(found.point.value, "f"),
        unit=unit,
        currency="USD" if unit.startswith("USD") else "",
        fiscal_year=fiscal_year(date.fromisoformat(end)),
        fiscal_period="FY",
        period_start=found.point.start,
        period_end=found.point.end,
        derived=found.derived,
        accession=found.point.accession,
        source=f"EDGAR frames, {found.source}",
        provenance="derived" if found.derived else "reported",
    )
