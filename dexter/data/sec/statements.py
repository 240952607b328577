"""Cells of a company's statements from its facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from dexter.data.company import Company
from dexter.data.concepts import Concept, concept_named, concepts_of
from dexter.data.provider import StatementQuery
from dexter.data.sec.concepts import RECIPES
from dexter.data.sec.facts import FactStore
from dexter.data.sec.figure import Figure, plain
from dexter.data.sec.filed import FiledFigures
from dexter.data.sec.fiscal import FiscalCalendar, FiscalYear, Period, Quarter, TwelveMonths, fiscal_calendar
from dexter.data.sec.income_recipes import BANK_REVENUES, INSURER_REVENUES
from dexter.data.sec.lines import Lines
from dexter.data.sec.outstanding import shares_outstanding
from dexter.data.sec.per_share import earnings_per_share, sum_of_quarters, weighted_shares
from dexter.data.sec.recipe import Recipe, qualified
from dexter.data.sec.splits import find_splits
from dexter.results import Cell

_SPECIAL: Mapping[str, Callable[[Lines, str, Period], Figure | None]] = {
    "EPSBasic": earnings_per_share,
    "EPSDiluted": earnings_per_share,
    "WeightedSharesBasic": weighted_shares,
    "WeightedSharesDiluted": weighted_shares,
    "SharesOutstanding": lambda lines, _name, period: shares_outstanding(lines, period),
}


class Entry(NamedTuple):
    """A figure in its place: which line, which period."""

    concept: Concept
    period: Period
    figure: Figure


def statement_lines(store: FactStore, query: StatementQuery) -> Lines:
    """A reader of the store's lines as the query wants them: as of a day, in a vintage."""
    known = store.known_by(query.as_of)
    calendar = known.once(fiscal_calendar, query.company.fiscal_year_end)
    filed = FiledFigures(known, known.once(find_splits), query.vintage)
    return Lines(filed, calendar, _recipes_for(query.company, known))


def statement_entries(lines: Lines, query: StatementQuery) -> Iterator[Entry]:
    """The figures that answer the query, by line in statement order, newest period first within a line."""
    periods = _periods(lines.calendar, query)
    for concept in wanted(query):
        for period in periods:
            figure = line_value(lines, concept.name, period)
            if figure:
                yield Entry(concept, period, figure)


def line_value(lines: Lines, name: str, period: Period) -> Figure | None:
    """One line in one period; None for a line this layer does not know or has no figure for."""
    special = _SPECIAL.get(name)
    if special:
        return special(lines, name, period)
    if name not in RECIPES:
        return None
    found = lines.figure(name, period)
    if found or not isinstance(period, TwelveMonths) or RECIPES[name].kind != "flow":
        return found
    return sum_of_quarters(lines, period, lambda quarter: lines.figure(name, quarter))


def wanted(query: StatementQuery) -> Sequence[Concept]:
    """The lines asked for by name, else all of the statements asked for."""
    if query.concepts:
        return [concept for name in query.concepts if (concept := concept_named(name))]
    return concepts_of(query.statements)


def cell(entry: Entry, company: Company) -> Cell:
    """The entry as a cell."""
    concept, period, figure = entry
    year, label = period_label(period, concept)
    also = ", ".join(fact.accession for fact in figure.also)
    return Cell(
        ticker=company.ticker,
        company=company.name,
        concept=concept.name,
        label=concept.label,
        value=plain(figure.value),
        unit=figure.unit,
        currency="" if figure.unit == "shares" else figure.unit.partition("/")[0],
        fiscal_year=year,
        fiscal_period=label,
        period_start=figure.start,
        period_end=figure.end,
        derived=figure.derived,
        form=figure.fact.form,
        accession=figure.fact.accession,
        filed=figure.fact.filed,
        source=", ".join(filter(None, (figure.tag, figure.detail, also and f"with filings {also}"))),
        provenance="derived" if figure.derived else "reported",
    )


def period_label(period: Period, concept: Concept) -> tuple[int, str]:
    """Fiscal year and period of a cell; a balance is of the quarter it ends, whatever flows are summed beside it."""
    if isinstance(period, FiscalYear):
        return period.number, "FY"
    if isinstance(period, Quarter):
        return period.label.year, f"Q{period.label.quarter}"
    label = period.last.label
    return label.year, f"Q{label.quarter}" if concept.nature == "balance" else "TTM"


def _periods(calendar: FiscalCalendar, query: StatementQuery) -> Sequence[Period]:
    """The newest periods of the kind asked for, newest first."""
    if query.period == "annual":
        return calendar.years[::-1][: query.limit]
    newest = calendar.quarters[::-1][: query.limit]
    return [TwelveMonths(quarter) for quarter in newest] if query.period == "ttm" else newest


def _recipes_for(company: Company, store: FactStore) -> Mapping[str, Recipe]:
    """Recipes that a kind of company needs in place of the general ones, the kind read from the facts as well."""
    if company.kind == "insurer" or store.series(qualified("PremiumsEarnedNet"), "money"):
        return {"Revenues": INSURER_REVENUES}
    takes_deposits = store.series(qualified("Deposits"), "money")
    if company.kind == "bank" or (takes_deposits and store.series(qualified("InterestIncomeExpenseNet"), "money")):
        return {"Revenues": BANK_REVENUES}
    return {}
