"""Segments as statements: revenue by segment, product and region from a company's own reports."""

from __future__ import annotations

import asyncio

from dexter.data.company import Company
from dexter.data.filings.archive import FilingArchive, FilingQuery
from dexter.data.filings.segments import read_segments, segment_cells
from dexter.data.provider import Capability, StatementQuery, Statements
from dexter.data.sec.client import NAME
from dexter.data.sec.submissions import FilingEntry
from dexter.errors import ProviderError
from dexter.results import Cell, Source

_FORMS = {"annual": ("10-K", "20-F", "40-F"), "quarterly": ("10-Q",)}
_YEARS_IN_A_REPORT = 3
_INLINE_SINCE = "2019-06-01"  # the largest filers tag their documents inline from about here


class SegmentProvider:
    """Reads segments from the newest annual or quarterly reports at EDGAR."""

    name = NAME
    capabilities: frozenset[Capability] = frozenset({"segments"})

    def __init__(self, archive: FilingArchive) -> None:
        self._archive = archive

    async def statements(self, query: StatementQuery) -> Statements:
        """The cells of the newest `limit` periods; per period the value of the latest report.

        Raises:
            ProviderError: Trailing twelve months, no such report, or none that tags segments.
        """
        if query.period not in _FORMS:
            raise _not_covered("has segments by year and by quarter only", "Ask for annual or quarterly segments.")
        company = await self._archive.identify(query.company)
        count = -(-query.limit // _YEARS_IN_A_REPORT) if query.period == "annual" else query.limit
        wanted = FilingQuery(_FORMS[query.period], start=_INLINE_SINCE, end=query.as_of, amendments=False)
        entries = await self._archive.filings(company, wanted, limit=max(count, 1))
        read = [await self._read(company, entry) for entry in entries]
        cells: dict[tuple[str, str], Cell] = {}
        for cell in (cell for found, _ in read for cell in found):
            if (cell.fiscal_period == "FY") == (query.period == "annual"):
                cells.setdefault((cell.concept, cell.period_end), cell)  # the newest report comes first
        newest = sorted({cell.period_end for cell in cells.values()}, reverse=True)[: query.limit]
        chosen = tuple(cell for cell in cells.values() if cell.period_end in newest)
        if not chosen:
            raise _not_covered(
                f"found no segments tagged in {company.name or company.ticker}'s reports",
                "Read the filing: the notes on segments, or passages on 'segment revenue'.",
            )
        return Statements(company, chosen, tuple(source for _, source in read))

    async def _read(self, company: Company, entry: FilingEntry) -> tuple[tuple[Cell, ...], Source]:
        fetched = await self._archive.document(company, entry)
        cells = segment_cells(
            await asyncio.to_thread(read_segments, fetched.content),
            company,
            form=entry.form,
            accession=entry.accession,
            filed=entry.filed,
            source=fetched.url,
        )
        return cells, self._archive.source(company, entry, fetched)


def _not_covered(what: str, remedy: str) -> ProviderError:
    return ProviderError(NAME, f"sec {what}.", kind="not_covered", remedy=remedy)
