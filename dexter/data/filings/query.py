"""`read_filings`: the list of a company's filings, their items and exhibits in pages, passages that match a query."""

from __future__ import annotations

from dataclasses import replace

from dexter.data.company import Company
from dexter.data.filings.archive import FilingArchive, FilingQuery
from dexter.data.filings.blocks import markdown_table
from dexter.data.filings.filed_periods import filed_after, for_period, period_label
from dexter.data.filings.request import FilingsRequest
from dexter.data.filings.sections import entry_json, show, who
from dexter.data.sec.submissions import FilingEntry
from dexter.errors import ToolError
from dexter.results import Source, ToolResult

_SEARCHED = 400  # newest filings of the forms asked for among which a period is looked for
_ANNUAL = ("10-K", "20-F", "40-F")


async def read_filings(archive: FilingArchive, request: FilingsRequest) -> ToolResult:
    """Answer a request about one company's filings.

    Raises:
        ToolError: What was asked for is not there, or can't be meant; the message says what there is.
        ProviderError: EDGAR did not answer, or a document can't be read.
    """
    company = await archive.identify(request.company)
    if request.mode == "list":
        return await _list(archive, company, request)
    return await show(archive, company, await _one(archive, company, request), request)


async def _list(archive: FilingArchive, company: Company, request: FilingsRequest) -> ToolResult:
    entries = await _candidates(archive, company, request, limit=_SEARCHED if request.period else request.filings)
    entries = entries[: request.filings]
    if not entries:
        raise ToolError(await _none_found(archive, company, request), remedy=_remedy(request))
    rows = [("Form", "Filed", "Period end", "Fiscal", "Items", "Accession", "Document")]
    rows += [
        (e.form, e.filed, e.report_date, period_label(e, company), e.items.replace(",", " "), e.accession, e.document)
        for e in entries
    ]
    url = archive.urls.submissions(company.cik or 0)
    source = Source(
        "dataset", f"{company.name}: list of filings", url, dataset="EDGAR submissions", as_of=entries[0].filed
    )
    data = {"company": company.name, "cik": company.cik, "filings": [entry_json(archive, company, e) for e in entries]}
    return ToolResult(f"{who(company)}\n\n{markdown_table(rows)}", data=data, sources=(source,))


async def _candidates(
    archive: FilingArchive, company: Company, request: FilingsRequest, *, limit: int
) -> tuple[FilingEntry, ...]:
    ends = [day for day in (request.end, request.as_of) if day]
    query = FilingQuery(request.forms, request.start or filed_after(request.period), min(ends, default=""))
    entries = await archive.filings(company, query, limit=limit)
    try:
        return for_period(entries, company, request.period)
    except ValueError as error:
        raise ToolError(f"{error}.") from error


async def _none_found(archive: FilingArchive, company: Company, request: FilingsRequest) -> str:
    """Why nothing was found, and which forms the company does file."""
    forms = " or ".join(request.forms) or "filing"
    recent = await archive.filings(company, FilingQuery(end=request.as_of), limit=200)
    known = ", ".join(list(dict.fromkeys(entry.form for entry in recent))[:15])
    when = f" for {request.period}" if request.period else ""
    dated = f" filed {request.start or '…'} to {request.end or '…'}" if request.start or request.end else ""
    as_of = f" by {request.as_of}" if request.as_of else ""
    return f"{company.name} has no {forms}{when}{dated}{as_of}. Recent forms: {known or 'none'}."


def _remedy(request: FilingsRequest) -> str:
    return "Ask for another period or form." if request.period or request.forms else "Check the company."


async def _one(archive: FilingArchive, company: Company, request: FilingsRequest) -> FilingEntry:
    """The filing meant: by number, or the newest original of the form and period (an amendment if only that fits)."""
    if request.accession:
        entry = await archive.filing(company, request.accession)
        if request.as_of and entry.filed > request.as_of:
            raise ToolError(f"{entry.accession} was filed on {entry.filed}, after the as-of date {request.as_of}.")
        return entry
    if not request.forms:
        request = replace(request, forms=_ANNUAL)
    entries = await _candidates(archive, company, request, limit=_SEARCHED if request.period else 10)
    wanted = {form.upper() for form in request.forms}
    originals = [entry for entry in entries if not entry.form.endswith("/A") or entry.form.upper() in wanted]
    if not entries:
        raise ToolError(await _none_found(archive, company, request), remedy=_remedy(request))
    return (originals or list(entries))[0]
