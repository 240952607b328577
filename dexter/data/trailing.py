"""Trailing twelve months: four consecutive quarters added up, or the fiscal year itself where they are one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dexter.data.concepts import concept_named
from dexter.data.periods import FiscalQuarter
from dexter.results import Cell

Quarters = Mapping[FiscalQuarter, Cell]

_QUARTERS_PER_YEAR = 4


def trailing_twelve_months(cells: Iterable[Cell]) -> list[Cell]:
    """Every twelve-month value that the annual and quarterly cells of one company allow.

    Flows are summed. A fiscal year that ends with the quarter is taken as filed, since a sum of rounded quarters is no
    better. Quarterly earnings per share are summed as the convention is, and marked so; averages are never summed.
    Balances stay as they stand at the quarter's end. A quarter missing means no value, never a smaller one.
    """
    by_concept: dict[str, list[Cell]] = {}
    for cell in cells:
        by_concept.setdefault(cell.concept, []).append(cell)
    return [found for group in by_concept.values() for found in _of_one_concept(group)]


def _of_one_concept(cells: Sequence[Cell]) -> list[Cell]:
    concept = concept_named(cells[0].concept)
    quarters = {quarter: cell for cell in cells if (quarter := quarter_of(cell))}
    if concept and concept.nature == "balance":
        return list(quarters.values())
    years = {cell.period_end: cell for cell in cells if cell.fiscal_period == "FY"}
    ends = {cell.period_end: quarter for quarter, cell in quarters.items()}
    whole_years = {end: _year_as_trailing(cell) for end, cell in years.items()}
    if concept and concept.nature == "average":
        return list(whole_years.values())
    sums = {end: total for end, quarter in ends.items() if (total := _sum_to(quarter, quarters))}
    return list((sums | whole_years).values())


def quarter_of(cell: Cell) -> FiscalQuarter | None:
    """The fiscal quarter a quarterly cell belongs to; None for years and twelve-month values."""
    if cell.fiscal_year is None or not cell.fiscal_period.startswith("Q"):
        return None
    return FiscalQuarter(cell.fiscal_year, int(cell.fiscal_period[1:]))


def _year_as_trailing(year: Cell) -> Cell:
    how = f"fiscal year {year.fiscal_year}" + (f" ({year.derived})" if year.derived else "")
    return replace(year, fiscal_period="TTM", derived=how)


def _sum_to(last: FiscalQuarter, quarters: Quarters) -> Cell | None:
    """The four quarters up to `last` as one cell, or None where one is missing or in another unit."""
    four = [quarters.get(last.before(back)) for back in range(_QUARTERS_PER_YEAR)]
    parts = [cell for cell in four if cell]
    if len(parts) < _QUARTERS_PER_YEAR or len({(cell.unit, cell.currency) for cell in parts}) > 1:
        return None
    newest, oldest = parts[0], parts[-1]
    return replace(
        newest,
        value=str(sum(cell.number for cell in parts)),
        fiscal_period="TTM",
        period_start=oldest.period_start,
        derived=f"sum of the quarters {last.before(_QUARTERS_PER_YEAR - 1).label} to {last.label}",
        filed=max(cell.filed for cell in parts),
        source="filings " + ", ".join(dict.fromkeys(cell.accession for cell in parts if cell.accession)),
        provenance="derived",
    )
