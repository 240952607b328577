"""Where cells come from, each filing named once."""

from __future__ import annotations

import re
from collections.abc import Iterable

from dexter.data.company import Company
from dexter.results import Cell, Source

_ARCHIVE = "https://www.sec.gov/Archives/edgar/data"
_ACCESSION = re.compile(r"\b\d{10}-\d{2}-\d{6}\b")


def filing_url(cik: int | None, accession: str) -> str:
    """The folder of a filing in the SEC's archive; '' where either is unknown."""
    return f"{_ARCHIVE}/{cik}/{accession.replace('-', '')}/" if cik and accession else ""


def accessions_of(cells: Iterable[Cell]) -> frozenset[str]:
    """Every filing the cells rest on: their own, and those a sum over several names as its source."""
    return frozenset(
        accession for cell in cells for accession in (cell.accession, *_ACCESSION.findall(cell.source)) if accession
    )


def filing_sources(
    cells: Iterable[Cell], filed: Iterable[Cell], company: Company, *, dataset: str = ""
) -> tuple[Source, ...]:
    """One source for each filing that `cells` rest on, newest first, described from the `filed` cells they come from.

    `dataset` says through which collection they came.
    """
    used = accessions_of(cells)
    filings = {cell.accession: cell for cell in filed if cell.accession in used}
    newest_first = sorted(filings.values(), key=lambda cell: (cell.filed, cell.accession), reverse=True)
    return tuple(
        Source(
            kind="filing",
            title=f"{company.name} {cell.form}".strip(),
            url=filing_url(company.cik, cell.accession),
            accession=cell.accession,
            dataset=dataset,
            as_of=cell.filed,
        )
        for cell in newest_first
    )
