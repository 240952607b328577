"""Revenue by segment, product and region, as a filing's own inline XBRL tags it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Literal, TypeVar

from dexter.data.company import Company
from dexter.data.filings.inline_xbrl import Fact, read_facts
from dexter.data.periods import fiscal_quarter, fiscal_year, span_of
from dexter.results import Cell

_Key = TypeVar("_Key")
Axis = Literal["segment", "product", "region"]

_AXES: dict[str, Axis] = {
    "us-gaap:StatementBusinessSegmentsAxis": "segment",
    "ifrs-full:SegmentsAxis": "segment",
    "srt:ProductOrServiceAxis": "product",
    "us-gaap:ProductOrServiceAxis": "product",
    "ifrs-full:ProductsAndServicesAxis": "product",
    "srt:StatementGeographicalAxis": "region",
    "us-gaap:StatementGeographicalAxis": "region",
    "ifrs-full:GeographicalAreasAxis": "region",
}
_OPERATING = {  # says only that a segment's figure is before eliminations
    ("srt:ConsolidationItemsAxis", "us-gaap:OperatingSegmentsMember"),
    ("us-gaap:ConsolidationItemsAxis", "us-gaap:OperatingSegmentsMember"),
}
_REVENUE = (  # in order of preference where one member has several
    "us-gaap:Revenues",
    "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax",
    "us-gaap:RevenueFromContractWithCustomerIncludingAssessedTax",
    "us-gaap:SalesRevenueNet",
    "us-gaap:RevenuesNetOfInterestExpense",
    "ifrs-full:Revenue",
)
_ROW_OF_ALL = re.compile(r"(?:total\s+)?(?:net\s+)?(?:revenues?|sales)(?:,?\s*net)?|total|[\W\d]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SegmentFigure:
    """Revenue of one segment, product line or region in one period. `member` is the tag, `label` for people."""

    axis: Axis
    member: str
    label: str
    tag: str
    value: Decimal
    currency: str
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class SegmentRevenue:
    """All such figures of a document, newest period first, and the totals they are parts of by (start, end)."""

    figures: tuple[SegmentFigure, ...]
    totals: dict[tuple[str, str], Decimal]

    def difference(self, axis: Axis, start: str, end: str) -> Decimal | None:
        """Total less the sum of an axis; None where the total is not tagged.

        0 where the parts are all there. Product lines that are parts of other lines make it negative.
        """
        total = self.totals.get((start, end))
        parts = [f.value for f in self.figures if (f.axis, f.start, f.end) == (axis, start, end)]
        return None if total is None or not parts else total - sum(parts, Decimal(0))


def read_segments(content: bytes) -> SegmentRevenue:
    """The revenue a document tags by segment, product and region; nothing where it has no inline XBRL."""
    facts = read_facts(content)
    labels = _labels(facts)
    best: dict[tuple[Axis, str, str, str], Fact] = {}
    totals: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        if fact.name not in _REVENUE or not fact.context.start:
            continue
        if not fact.context.dimensions:
            _keep(totals, (fact.context.start, fact.context.end), fact)
        elif place := _place(fact):
            _keep(best, (*place, fact.context.start, fact.context.end), fact)
    figures = [
        SegmentFigure(
            axis, member, labels.get(member) or _spelled_out(member), fact.name, fact.value, fact.unit, start, end
        )
        for (axis, member, start, end), fact in best.items()
    ]
    figures.sort(key=lambda figure: (figure.end, figure.start), reverse=True)
    return SegmentRevenue(tuple(figures), {period: fact.value for period, fact in totals.items()})


def segment_cells(
    revenue: SegmentRevenue, company: Company, *, form: str, accession: str, filed: str, source: str = ""
) -> tuple[Cell, ...]:
    """The figures as cells of concepts like `Revenues by product: Data Center`, a line each.

    Periods that are neither a quarter nor a year are left out.
    """
    filing = Cell(
        ticker=company.ticker,
        company=company.name,
        concept="Revenues",
        value="0",
        unit="",
        form=form,
        accession=accession,
        filed=filed,
        source=source,
    )
    cells = (_cell(figure, filing, company.fiscal_year_end) for figure in revenue.figures)
    return tuple(cell for cell in cells if cell is not None)


def _cell(figure: SegmentFigure, filing: Cell, fiscal_year_end: str) -> Cell | None:
    start, end = date.fromisoformat(figure.start), date.fromisoformat(figure.end)
    span = span_of(start, end)
    if span == "year":
        year, period = fiscal_year(end), "FY"
    elif span == "quarter" and fiscal_year_end:
        year, quarter = fiscal_quarter(end, fiscal_year_end)
        period = f"Q{quarter}"
    else:
        return None
    return replace(
        filing,
        concept=f"Revenues by {figure.axis}: {figure.label}",
        label=f"Revenue by {figure.axis}: {figure.label}",
        value=f"{figure.value:f}",
        unit=figure.currency,
        currency=figure.currency,
        fiscal_year=year,
        fiscal_period=period,
        period_start=figure.start,
        period_end=figure.end,
    )


def _place(fact: Fact) -> tuple[Axis, str] | None:
    """Axis and member of a fact that is cut in one way only."""
    cuts = [pair for pair in fact.context.dimensions if pair not in _OPERATING]
    if len(cuts) != 1 or cuts[0][0] not in _AXES:
        return None
    return _AXES[cuts[0][0]], cuts[0][1]


def _keep(best: dict[_Key, Fact], key: _Key, fact: Fact) -> None:
    seen = best.get(key)
    if seen is None or _REVENUE.index(fact.name) < _REVENUE.index(seen.name):
        best[key] = fact


def _labels(facts: Iterable[Fact]) -> dict[str, str]:
    """What the filing itself calls its members: the row in which their figures stand, where that row is theirs."""
    rows: dict[str, Counter[str]] = {}
    for fact in facts:
        for _, member in fact.context.dimensions:
            if _is_of_member(fact.row, member):
                rows.setdefault(member, Counter())[_plain_row(fact.row)] += 1
    return {member: counter.most_common(1)[0][0] for member, counter in rows.items()}


def _is_of_member(row: str, member: str) -> bool:
    """A country stands under a code; any other member shares a word with the row that is its own."""
    if _ROW_OF_ALL.fullmatch(_plain_row(row)):
        return False
    if member.startswith("country:") or (row.startswith("Other") and _spelled_out(member).startswith("Other")):
        return True
    spoken = set(re.findall(r"[a-z]{3,}", row.lower()))
    named = _spelled_out(member).lower().replace(" ", "")
    return any(word in named for word in spoken - {"and", "the", "other", "total", "revenue", "revenues", "sales"})


def _plain_row(row: str) -> str:
    """A row's label without footnote marks: `Singapore (1)` → Singapore."""
    return re.sub(r"\s*(?:\(\d\)|[*†‡:])+\s*$", "", row).strip()


def _spelled_out(member: str) -> str:
    """`nvda:ComputeAndNetworkingSegmentMember` → Compute and Networking."""
    name = member.rpartition(":")[2].removesuffix("Member").removesuffix("Segment")
    words: Sequence[str] = re.findall(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+", name)
    small = {"And", "Of", "The", "Including", "Excluding"}
    return " ".join(word.lower() if word in small and index else word for index, word in enumerate(words)) or name
