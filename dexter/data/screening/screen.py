"""Companies that meet criteria, with who was looked at: the work behind the tool `stock_screener`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from itertools import permutations

from dexter.data.chain import ask_in_order
from dexter.data.concepts import find_concept
from dexter.data.lookup import check_day
from dexter.data.metrics import find_metric, metric_named, name_for_people
from dexter.data.numbers import EXACT, MILLION, significant, written
from dexter.data.provider import (
    Comparison,
    Criterion,
    Match,
    Screened,
    ScreenProvider,
    ScreenQuery,
)
from dexter.data.screening.industries import is_sector, sector_names
from dexter.data.screening.judging import metrics_of
from dexter.data.tables import markdown
from dexter.errors import ToolError
from dexter.results import Cell, ToolResult

MOST_MATCHES = 100
MOST_CRITERIA = 12
_AT_LEAST, _AT_MOST = ("gt", "gte", "eq"), ("lt", "lte", "eq")
_SIGNS: Mapping[Comparison, str] = {"gt": ">", "gte": "≥", "lt": "<", "lte": "≤", "eq": "="}


@dataclass(frozen=True)
class Asked:
    """A criterion as it was typed."""

    metric: str
    op: Comparison
    value: Decimal


async def stock_screener(
    asked: Sequence[Asked],
    providers: Sequence[ScreenProvider],
    *,
    sector: str = "",
    limit: int = 20,
    year: int | None = None,
    as_of: str = "",
) -> ToolResult:
    """The companies that meet all criteria, the universe they are from, and how many could not be judged.

    Raises:
        ToolError: a metric is unknown, or the request is wrong.
    """
    check_day("as_of", as_of)
    if not 1 <= len(asked) <= MOST_CRITERIA:
        raise ToolError(f"{len(asked)} criteria were given.", remedy=f"Give 1 to {MOST_CRITERIA}.")
    criteria = tuple(_criterion(each) for each in asked)
    _check_possible(criteria)
    query = ScreenQuery(criteria, sector.strip(), min(limit, MOST_MATCHES), year, as_of)
    outcome = await ask_in_order(providers, "screen", lambda provider: provider.screen(query))
    if outcome.answer is None:
        return ToolResult(f"Error: no screen. {outcome.reason}", "error", tried=outcome.tried)
    found = outcome.answer
    before = (f"Screened by {outcome.tried[-1].provider}. Asked before: {outcome.reason}",) if outcome.errors else ()
    notes = (*_sector_note(query.sector), *found.notes, *before)
    return ToolResult(
        text=_text(found, query, notes),
        cells=tuple(cell for match in found.matches for cell in match.figures),
        data={
            "universe": found.universe,
            "total": found.total,
            "judged": found.judged,
            "unjudged": found.unjudged,
            "companies": [asdict(match.company) for match in found.matches],
        },
        sources=found.sources,
        notes=notes,
        tried=outcome.tried,
    )


def _criterion(asked: Asked) -> Criterion:
    found = find_concept(asked.metric) or find_metric(asked.metric)
    if found is None:
        raise ToolError(
            f"No line or ratio is called {asked.metric[:60]!r}.",
            remedy="E.g. Revenues, NetIncome, GrossMargin, RevenueGrowth, ReturnOnEquity, PriceToEarnings.",
        )
    if not asked.value.is_finite():
        raise ToolError(f"{asked.metric[:60]}: {asked.value} is no number to compare with.", remedy="Give a number.")
    return Criterion(found.name, asked.op, asked.value)


def _check_possible(criteria: Sequence[Criterion]) -> None:
    """Refuse criteria that no number meets: "none found" would be taken for a finding."""
    for one, other in permutations(criteria, 2):
        if one.metric == other.metric and one.op in _AT_LEAST and other.op in _AT_MOST:
            strict = "gt" in (one.op, other.op) or "lt" in (one.op, other.op)
            if one.value > other.value or (strict and one.value == other.value):
                raise ToolError(
                    f"Nothing can be both {_condition(one)} and {_condition(other)}.", remedy="Change one of the two."
                )


def _sector_note(sector: str) -> tuple[str, ...]:
    if not sector or is_sector(sector):
        return ()
    known = ", ".join(sector_names())
    return (f"No sector is known as {sector!r}: it was looked for in the names of SIC industries. Sectors: {known}.",)


def _text(found: Screened, query: ScreenQuery, notes: Sequence[str]) -> str:
    conditions = " and ".join(_condition(criterion) for criterion in query.criteria)
    sector = f" in the sector {query.sector!r}" if query.sector else ""
    shown = "" if found.total <= len(found.matches) else f"; the first {len(found.matches)} are shown"
    head = f"{found.total:,} companies with {conditions}{sector}{shown}."
    counts = f"Looked at: {found.universe}. {found.judged:,} could be judged"
    counts += f", {found.unjudged:,} lack a figure and could not." if found.unjudged else "."
    table = _table(found.matches, query.criteria) if found.matches else ""
    sources = "; ".join(f"{source.title} ({source.as_of or 'no date given'})" for source in found.sources)
    return "\n".join(filter(None, (head, counts, table, *notes, f"Sources: {sources}")))


def _condition(criterion: Criterion) -> str:
    metric = metric_named(criterion.metric)
    percent = metric is not None and metric.style == "percent"
    value = f"{significant(criterion.value * 100)}%" if percent else f"{criterion.value.normalize():,f}"
    return f"{name_for_people(criterion.metric)} {_SIGNS[criterion.op]} {value}"


def _table(matches: Sequence[Match], criteria: Sequence[Criterion]) -> str:
    head = ["ticker", "company", *map(name_for_people, metrics_of(criteria)), "period end"]
    return markdown([head, *(_row(match) for match in matches)])


def _row(match: Match) -> list[str]:
    name = match.company.name.replace("|", " ") + (f" ({match.industry})" if match.industry else "")
    ends = sorted({cell.period_end for cell in match.figures if cell.period_end})
    return [match.company.ticker, name, *(_shown(cell) for cell in match.figures), " / ".join(ends) or "not told"]


def _shown(cell: Cell) -> str:
    if cell.unit == "pure":
        return written(cell, EXACT)
    if "/" in cell.unit:
        return f"{written(cell, EXACT)} {cell.unit}"
    return f"{written(cell, MILLION)} {cell.unit} million"
