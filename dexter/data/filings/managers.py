"""13F holdings of an institutional manager at the end of a quarter, its amendments taken in."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from dexter.data.company import Company
from dexter.data.filings.amounts import plain
from dexter.data.filings.archive import FilingArchive, FilingQuery
from dexter.data.filings.blocks import markdown_table
from dexter.data.filings.exhibits import FilingIndex
from dexter.data.filings.holdings import (
    Holding,
    HoldingsReport,
    holdings_report,
    positions,
    read_cover,
    read_table,
    with_amendments,
)
from dexter.data.sec.client import NAME
from dexter.data.sec.submissions import FilingEntry
from dexter.errors import ProviderError, ToolError
from dexter.results import Source, ToolResult

_LISTED = 60  # newest 13F filings among which a quarter is looked for
_XML_SINCE = "2013-05-20"  # earlier 13F tables are plain text


async def holdings(
    archive: FilingArchive, manager: Company, *, period: str = "", limit: int = 50, as_of: str = ""
) -> ToolResult:
    """The largest positions of a manager, with their share of the whole.

    Args:
        archive: Where to ask.
        manager: Who filed, e.g. Berkshire Hathaway; not the company whose shares are held.
        period: End of a quarter (2024-12-31 or 2024-12); '' for the newest.
        limit: How many positions.
        as_of: Nothing filed later (ISO, '' for no such day).

    Raises:
        ToolError: The manager filed no such report.
        ProviderError: EDGAR did not answer, or the report can't be read.
    """
    manager = await archive.identify(manager)
    entries = await archive.filings(manager, FilingQuery(("13F-HR",), end=as_of), limit=_LISTED)
    chosen = _of_quarter(entries, period)
    if not chosen:
        quarters = ", ".join(dict.fromkeys(entry.report_date for entry in entries)) or "none at all"
        raise ToolError(
            f"{manager.name} filed no 13F{f' for {period}' if period else ''}.",
            remedy=f"There are: {quarters}. Only managers of $100 million or more file one.",
        )
    read = [await _read(archive, manager, entry) for entry in chosen]
    report = with_amendments([found for found, _ in read])
    return _result(manager, report, [source for _, source in read], limit)


def _of_quarter(entries: Sequence[FilingEntry], period: str) -> list[FilingEntry]:
    """The report of a quarter and its amendments."""
    quarters = [entry.report_date for entry in entries if entry.report_date.startswith(period)]
    return [entry for entry in entries if quarters and entry.report_date == max(quarters)]


async def _read(archive: FilingArchive, manager: Company, entry: FilingEntry) -> tuple[HoldingsReport, Source]:
    if entry.filed < _XML_SINCE:
        raise ProviderError(
            NAME,
            f"The 13F of {entry.filed} is plain text; its table is not read as data.",
            kind="not_covered",
            remedy=f"Read it as a document: accession {entry.accession}.",
        )
    index = await archive.index(manager, entry)
    cover = read_cover((await archive.document(manager, entry, "primary_doc.xml")).content)
    table = await archive.document(manager, entry, _table_name(index))
    lines = await asyncio.to_thread(read_table, table.content, filed=entry.filed)
    report = holdings_report(cover, lines, accession=entry.accession, filed=entry.filed)
    return report, archive.source(manager, entry, table, what="information table")


def _table_name(index: FilingIndex) -> str:
    named = [d.name for d in index.documents if d.type.upper() == "INFORMATION TABLE" and d.name.endswith(".xml")]
    others = [d.name for d in index.documents if d.name.endswith(".xml") and d.name != "primary_doc.xml"]
    if not (named or others):
        raise ProviderError(
            NAME,
            f"The 13F {index.accession} has no information table (a notice names another manager's report).",
            kind="not_covered",
            remedy="Ask for the manager that reports for it.",
        )
    return (named or others)[0]


def _result(manager: Company, report: HoldingsReport, sources: Sequence[Source], limit: int) -> ToolResult:
    held = positions(report.holdings)
    shown = held[:limit]
    rows: list[tuple[str, ...]] = [("Issuer", "Class", "CUSIP", "Quantity", "Value", "Share", "Put/call")]
    rows += [_row(position, report.total) for position in shown]
    title = (
        f"{manager.name}, CIK {manager.cik}: 13F for {report.cover.period}, filed {report.filed} ({report.accession}). "
        f"{len(held):,} positions, ${report.total:,.0f} in all; the largest {len(shown)}:"
    )
    notes = [
        *report.notes,
        "A 13F lists US-listed shares, some options and convertible bonds: no shorts, cash or foreign shares.",
    ]
    data = {
        "manager": manager.name,
        "cik": manager.cik,
        "period": report.cover.period,
        "filed": report.filed,
        "accession": report.accession,
        "total_usd": f"{report.total:f}",
        "positions": [_position_json(position) for position in shown],
    }
    return ToolResult(f"{title}\n\n{markdown_table(rows)}", data=data, sources=tuple(sources), notes=notes)


def _row(position: Holding, total: Decimal) -> tuple[str, ...]:
    quantity = f"{plain(position.quantity)}{' (principal)' if position.kind == 'PRN' else ''}"
    value = "" if position.value is None else f"${position.value:,.0f}"
    share = f"{position.value / total:.1%}" if position.value is not None and total else ""
    return (position.issuer, position.title, position.cusip, quantity, value, share, position.option)


def _position_json(position: Holding) -> dict[str, Any]:
    return {
        "issuer": position.issuer,
        "class": position.title,
        "cusip": position.cusip,
        "quantity": None if position.quantity is None else f"{position.quantity:f}",
        "kind": position.kind,
        "value_usd": None if position.value is None else f"{position.value:f}",
        "option": position.option,
    }
