"""Where a figure comes from, and whether that can be trusted: anybody may write a web page."""

from __future__ import annotations

from dexter.results import Cell, Source, StoredResult


def is_untrusted(result: StoredResult, cell: Cell | None = None) -> bool:
    """Whether a cell, or a result's text, was written by anybody: marked so, or from the web."""
    if cell is not None:
        return cell.provenance == "untrusted"
    return any(source.kind == "web" for source in result.sources)


def origin_of(result: StoredResult, accession: str = "") -> Source | None:
    """The filing with that accession number, else the first source of a result; None where it has none."""
    filing = next((source for source in result.sources if accession and source.accession == accession), None)
    return filing or next(iter(result.sources), None)
