"""A company's own page at EDGAR: who it is, and the list of its filings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dexter.data.company import Company, CompanyKind

_FUND_TYPES = {"investment"}
_FOREIGN_FORMS = {"20-F", "40-F", "6-K"}
# Standard Industrial Classification: depository institutions and their holding companies; insurance carriers.
_BANKS = ((6000, 6099), (6111, 6111), (6120, 6163), (6712, 6712))
_INSURERS = ((6300, 6399),)
_SHELF_OF_FORMS = 200  # newest filings looked at to tell a foreign filer


@dataclass(frozen=True)
class FilingEntry:
    """One filing in the list. Dates are ISO; `report_date` is the end of the period it reports on, '' for none."""

    accession: str
    form: str
    filed: str
    report_date: str = ""
    accepted: str = ""
    items: str = ""
    document: str = ""
    description: str = ""
    size: int = 0


@dataclass(frozen=True)
class Submissions:
    """The company, its newest filings (newest first), and the names of the pages with older ones."""

    company: Company
    filings: tuple[FilingEntry, ...]
    older_pages: tuple[str, ...]


def parse_submissions(data: Any, ticker: str = "") -> Submissions:
    """The parsed response of a company's submissions. `ticker` picks the listing where a company has several.

    Raises:
        ValueError: the data has not the shape of submissions.
    """
    try:
        filings = data["filings"]
        entries = tuple(parse_filings(filings["recent"]))
        older = tuple(str(page["name"]) for page in filings.get("files") or ())
        return Submissions(_company(data, ticker, entries), entries, older)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError("not the shape of submissions") from error


def parse_filings(columns: Mapping[str, Sequence[Any]]) -> Iterator[FilingEntry]:
    """The filings of a page, which has them in parallel columns; columns that are missing or short read as empty."""
    for index, accession in enumerate(columns["accessionNumber"]):

        def value(column: str, row: int = index) -> Any:
            values = columns.get(column) or ()
            return values[row] if row < len(values) else ""

        yield FilingEntry(
            accession=str(accession),
            form=str(value("form")),
            filed=str(value("filingDate")),
            report_date=str(value("reportDate") or ""),
            accepted=str(value("acceptanceDateTime") or ""),
            items=str(value("items") or ""),
            document=str(value("primaryDocument") or ""),
            description=str(value("primaryDocDescription") or ""),
            size=int(str(value("size") or 0)),
        )


def _company(data: Mapping[str, Any], ticker: str, filings: Sequence[FilingEntry]) -> Company:
    tickers = [str(name).upper() for name in data.get("tickers") or ()]
    exchanges = [str(name or "") for name in data.get("exchanges") or ()]
    own = ticker.upper() or (tickers[0] if tickers else "")
    place = tickers.index(own) if own in tickers else 0
    year_end = str(data.get("fiscalYearEnd") or "")
    return Company(
        ticker=own,
        name=str(data["name"]),
        cik=int(str(data["cik"])),
        exchange=exchanges[place] if place < len(exchanges) else "",
        fiscal_year_end=f"{year_end[:2]}-{year_end[2:]}" if len(year_end) == len("MMDD") else "",
        kind=_kind(data, filings),
    )


def _kind(data: Mapping[str, Any], filings: Sequence[FilingEntry]) -> CompanyKind:
    sic = str(data.get("sic") or "")
    code = int(sic) if sic.isdigit() else 0
    if data.get("entityType") in _FUND_TYPES:
        return "fund"
    if any(low <= code <= high for low, high in _INSURERS):
        return "insurer"
    if any(low <= code <= high for low, high in _BANKS):
        return "bank"
    forms = {filing.form for filing in filings[:_SHELF_OF_FORMS]}
    return "foreign" if forms & _FOREIGN_FORMS and "10-K" not in forms else "operating"
