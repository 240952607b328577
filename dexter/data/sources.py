"""Where cells come from, each filing named once."""

from __future__ import annotations

from collections.abc import Iterable

from dexter.data.company import Company
from dexter.results import Cell, Source

_ARCHIVE = "https://www.sec.gov/Archives/edgar/data"


def filing_url(cik: int | None, accession: str) -> str:
    """The folder of a filing in the SEC's archive; '' where either is unknown."""
    return f"{_ARCHIVE}/{cik}/{accession.replace('-', '')}/" if cik and accession else ""


def filing_sources(cells: Iterable[Cell], company: Company, *, dataset: str = "") -> tuple[Source, ...]:
    """One source for each filing the cells name, newest first. `dataset` says through which collection they came."""
    filings = {cell.accession: cell for cell in cells if cell.accession}
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
