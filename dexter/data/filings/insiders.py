"""Insider trades of a company: its newest Forms 3, 4 and 5, read and added up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from dexter.data.company import Company
from dexter.data.filings.amounts import plain
from dexter.data.filings.archive import FilingArchive, FilingQuery
from dexter.data.filings.blocks import markdown_table
from dexter.data.filings.ownership import InsiderTransaction, OwnershipReport, mark_superseded, read_ownership
from dexter.data.sec.submissions import FilingEntry
from dexter.errors import ProviderError, ToolError
from dexter.results import Source, ToolResult

_FORMS = ("3", "4", "5")
_AT_ONCE = 4
_FOOTNOTE = 200  # characters of a footnote shown in the table


@dataclass(frozen=True, slots=True)
class InsiderRequest:
    """Which reports: the newest `reports` filed from `start` to `end`.

    `trades_only` leaves out grants, gifts and shares withheld for tax. `as_of`: nothing filed later.
    """

    company: Company
    start: str = ""
    end: str = ""
    reports: int = 20
    trades_only: bool = False
    as_of: str = ""


async def insider_trades(archive: FilingArchive, request: InsiderRequest) -> ToolResult:
    """What insiders bought, sold and were given, line by line, with the sums of their trades.

    Raises:
        ToolError: There are no such reports.
        ProviderError: EDGAR did not answer, or no report could be read.
    """
    company = await archive.identify(request.company)
    end = min((day for day in (request.end, request.as_of) if day), default="")
    entries = await archive.filings(company, FilingQuery(_FORMS, request.start, end), limit=request.reports)
    if not entries:
        when = f" between {request.start or '…'} and {end or 'now'}" if request.start or end else ""
        raise ToolError(f"{company.name} has no Forms 3, 4 or 5{when}.", remedy="Give a longer time.")
    read = await _read_all(archive, company, entries)
    reports = mark_superseded([report for report, _ in read if isinstance(report, OwnershipReport)])
    failures = [error for error, _ in read if isinstance(error, ProviderError)]
    if not reports:
        raise failures[0]
    text, notes = _text(company, reports, trades_only=request.trades_only)
    notes += [f"One report could not be read: {error.message}" for error in failures]
    sources = tuple(source for report, source in read if isinstance(report, OwnershipReport))
    data = {"company": company.name, "reports": [_report_json(report) for report in reports]}
    return ToolResult(text, "partial" if failures else "ok", data=data, sources=sources, notes=notes)


async def _read_all(
    archive: FilingArchive, company: Company, entries: Sequence[FilingEntry]
) -> list[tuple[OwnershipReport | ProviderError, Source]]:
    room = asyncio.Semaphore(_AT_ONCE)

    async def read(entry: FilingEntry) -> tuple[OwnershipReport | ProviderError, Source]:
        source = Source("filing", f"{company.name} {entry.form}", "", entry.accession, as_of=entry.filed)
        try:
            async with room:
                fetched = await archive.document(company, entry)
            report = await asyncio.to_thread(
                read_ownership, fetched.content, accession=entry.accession, filed=entry.filed
            )
        except ProviderError as error:
            return error, source
        return replace(report, form=entry.form), archive.source(company, entry, fetched)

    return list(await asyncio.gather(*(read(entry) for entry in entries)))


def _text(company: Company, reports: Sequence[OwnershipReport], *, trades_only: bool) -> tuple[str, list[str]]:
    rows: list[tuple[str, ...]] = [
        ("Date", "Insider", "What", "Security", "Shares", "Price", "Value", "Held after", "Form, filed")
    ]
    lines = [(report, line) for report in reports for line in report.transactions if line.is_trade or not trades_only]
    lines.sort(key=lambda pair: pair[1].date, reverse=True)
    rows += [_row(report, line) for report, line in lines]
    notes = [f"{r.form} {r.accession}: {note}" for r in reports for note in r.notes]
    notes += [f"{r.accession} is amended by {r.superseded_by} and not counted." for r in reports if r.superseded_by]
    title = f"{company.name} ({company.ticker}): insider reports filed {reports[-1].filed} to {reports[0].filed}"
    table = markdown_table(rows) if lines else "No transactions in these reports."
    return "\n\n".join((title, table, _sums(reports), *_explained(lines))), notes


def _row(report: OwnershipReport, line: InsiderTransaction) -> tuple[str, ...]:
    what = f"{line.code or '–'}: {line.meaning}, {line.direction or 'direction not given'}"
    indirect = "" if line.ownership == "direct" else f", {line.ownership}"
    form = f"{report.form}, {report.filed}{' (amended later)' if report.superseded_by else ''}"
    price = "" if line.price is None else f"${plain(line.price)}"
    value = "" if line.value is None else f"${line.value:,.0f}"
    security = line.security + (f" at ${plain(line.exercise_price)}" if line.exercise_price is not None else "")
    held = f"{plain(line.owned_after)}{indirect}"
    return (line.date, _who(report), what, security, plain(line.shares), price, value, held, form)


def _who(report: OwnershipReport) -> str:
    return "; ".join(f"{o.name} ({o.relationship})" if o.relationship else o.name for o in report.owners)


def _sums(reports: Iterable[OwnershipReport]) -> str:
    """Purchases and sales for insiders' own account; reports amended later are left out, so nothing counts twice."""
    trades = [line for report in reports if not report.superseded_by for line in report.transactions if line.is_trade]
    said = []
    for code, name in (("P", "Purchases"), ("S", "Sales")):
        lines = [line for line in trades if line.code == code]
        shares = sum((line.shares for line in lines if line.shares is not None), Decimal(0))
        value = sum((line.value for line in lines if line.value is not None), Decimal(0))
        unpriced = sum(line.value is None for line in lines)
        rest = f" ({unpriced} without a price)" if unpriced else ""
        said.append(f"{name} in the market or in private: {plain(shares)} shares for ${value:,.0f}{rest}")
    return ". ".join(said) + ". Grants, exercises, gifts and shares withheld for tax are not among them."


def _explained(lines: Iterable[tuple[OwnershipReport, InsiderTransaction]]) -> Iterable[str]:
    """Footnotes of the lines shown, each once."""
    notes = dict.fromkeys(note for _, line in lines for note in line.footnotes)
    if notes:
        yield "Footnotes:\n" + "\n".join(
            f"- {note[:_FOOTNOTE]}{'…' if len(note) > _FOOTNOTE else ''}" for note in notes
        )


def _report_json(report: OwnershipReport) -> dict[str, Any]:
    return {
        "form": report.form,
        "accession": report.accession,
        "filed": report.filed,
        "period": report.period,
        "owners": [{"name": o.name, "cik": o.cik, "relationship": o.relationship} for o in report.owners],
        "planned_10b5_1": report.planned,
        "superseded_by": report.superseded_by,
        "transactions": [_line_json(line) for line in report.transactions],
        "holdings": [
            {"security": h.security, "shares": _string(h.shares), "ownership": h.ownership} for h in report.holdings
        ],
    }


def _line_json(line: InsiderTransaction) -> dict[str, Any]:
    return {
        "date": line.date,
        "code": line.code,
        "meaning": line.meaning,
        "direction": line.direction,
        "security": line.security,
        "derivative": line.derivative,
        "shares": _string(line.shares),
        "price": _string(line.price),
        "value": _string(line.value),
        "owned_after": _string(line.owned_after),
        "ownership": line.ownership,
        "footnotes": list(line.footnotes),
    }


def _string(value: Decimal | None) -> str | None:
    return None if value is None else f"{value:f}"
