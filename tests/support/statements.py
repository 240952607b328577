"""Short ways to ask a store of facts for cells."""

from __future__ import annotations

from typing import Any

from dexter.data.company import Company
from dexter.data.provider import Statement, StatementQuery
from dexter.data.sec.facts import FactStore
from dexter.data.sec.lines import Lines
from dexter.data.sec.notes import notes_on
from dexter.data.sec.statements import Entry, cell, statement_entries, statement_lines
from dexter.results import Cell

ALL: tuple[Statement, ...] = ("income", "balance", "cash_flow")
EVERYTHING = 1000


def query_for(store: FactStore, **options: Any) -> StatementQuery:
    """A query of everything there is, unless `options` say otherwise; `kind` is the company's."""
    company = Company("X", store.name, store.cik, kind=options.pop("kind", "operating"))
    return StatementQuery(company, **{"statements": ALL, "limit": EVERYTHING, **options})


def entries(store: FactStore, **options: Any) -> tuple[list[Entry], Lines]:
    """The figures with their places, and the reader they come from."""
    query = query_for(store, **options)
    lines = statement_lines(store, query)
    return list(statement_entries(lines, query)), lines


def cells(store: FactStore, **options: Any) -> list[Cell]:
    """The cells of a query."""
    found, _ = entries(store, **options)
    return [cell(entry, query_for(store).company) for entry in found]


def notes(store: FactStore, **options: Any) -> str:
    """The notes beside the cells of a query, one a line."""
    return "\n".join(notes_on(*entries(store, **options)))


def values(store: FactStore, concept: str, **options: Any) -> dict[str, str]:
    """Period label (`Q3 FY2026`, `FY2025`) to value of one line."""
    return {label(found): found.value for found in cells(store, concepts=(concept,), **options)}


def one(store: FactStore, concept: str, period: str, **options: Any) -> Cell:
    """The cell of one line in the period so labelled: `FY2025`, `Q3 FY2026`, `TTM FY2026`."""
    kind = {"F": "annual", "Q": "quarterly", "T": "ttm"}[period[0]]
    found = [each for each in cells(store, concepts=(concept,), period=kind, **options) if label(each) == period]
    assert len(found) == 1, f"{len(found)} cells of {concept} in {period}"
    return found[0]


def label(found: Cell) -> str:
    """`FY2025`, `Q3 FY2026` or `TTM FY2026`."""
    year = f"FY{found.fiscal_year}"
    return year if found.fiscal_period == "FY" else f"{found.fiscal_period} {year}"
