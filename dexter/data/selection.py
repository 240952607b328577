"""Which of a company's cells answer a query: as of a day, of these statements, in these periods, the newest few."""

from __future__ import annotations

from collections.abc import Sequence

from dexter.data.concepts import CONCEPTS, concepts_of
from dexter.data.provider import StatementQuery
from dexter.data.trailing import trailing_twelve_months
from dexter.results import Cell

_LINE_ORDER = {concept.name: order for order, concept in enumerate(CONCEPTS)}


def known_by(cells: Sequence[Cell], as_of: str) -> tuple[Cell, ...]:
    """The cells filed on that day or before; all of them where no day is given."""
    return tuple(cell for cell in cells if not as_of or cell.filed <= as_of)


def wanted_concepts(query: StatementQuery) -> tuple[str, ...]:
    """The names of the lines a query asks for: those it names, else all of its statements."""
    return query.concepts or tuple(concept.name for concept in concepts_of(query.statements))


def select(cells: Sequence[Cell], query: StatementQuery) -> tuple[Cell, ...]:
    """The cells that answer `query`, by line in statement order, newest period first within a line.

    `cells` are annual and quarterly cells of one company, at most one for each concept and period.
    """
    names = set(wanted_concepts(query))
    candidates = [cell for cell in known_by(cells, query.as_of) if cell.concept in names]
    in_period = _of_period(candidates, query.period)
    newest = set(sorted({cell.period_end for cell in in_period}, reverse=True)[: query.limit])
    chosen = sorted((cell for cell in in_period if cell.period_end in newest), key=_newest_first, reverse=True)
    return tuple(sorted(chosen, key=lambda cell: _LINE_ORDER.get(cell.concept, len(_LINE_ORDER))))


def _of_period(cells: Sequence[Cell], period: str) -> Sequence[Cell]:
    if period == "ttm":
        return trailing_twelve_months(cells)
    return [cell for cell in cells if (cell.fiscal_period == "FY") == (period == "annual")]


def _newest_first(cell: Cell) -> str:
    return cell.period_end
