"""`search_filings`: full-text search over the filings of all companies, 2001 onward."""

from __future__ import annotations

from dataclasses import replace

from dexter.data.company import Company
from dexter.data.filings.archive import FilingArchive
from dexter.data.filings.blocks import markdown_table
from dexter.data.filings.forms import plain_form
from dexter.data.filings.full_text import EARLIEST, FullTextAnswer, FullTextHit, FullTextQuery, read_answer
from dexter.data.lookup import is_day
from dexter.errors import ToolError
from dexter.results import Source, ToolResult

_SHOWN = 20


async def search_filings(
    archive: FilingArchive, query: FullTextQuery, *, company: Company | None = None, as_of: str = "", today: str
) -> ToolResult:
    """Documents that hold the words of the query, with filing, date and address.

    The service ignores one date alone, so the other is filled in and said; `as_of` ends the search.

    Args:
        archive: Where to ask.
        query: The words and what narrows them.
        company: Search its filings only.
        as_of: Nothing filed later (ISO, '' for no such day).
        today: ISO date.

    Raises:
        ToolError: No words, or dates that can't be meant.
        ProviderError: The search did not answer.
    """
    if not query.text.strip():
        raise ToolError("A search needs words.", remedy='Exact phrases go in double quotes: "export controls".')
    if company is not None:
        company = await archive.identify(company)
        query = replace(query, ciks=(company.cik or 0,))
    dated, notes = _with_both_dates(query, as_of, today)
    try:
        params = dated.params()
    except ValueError as error:
        raise ToolError(f"{error}.", remedy="Give ISO dates, the earlier one first.") from error
    url = archive.urls.full_text_search()
    answer = read_answer(await archive.client.get_json(url, params=params, kind="search"))
    hits = tuple(hit for hit in answer.hits if not as_of or hit.filed <= as_of)
    source = Source(
        "dataset", "EDGAR full-text search", url, dataset="EDGAR full-text search", as_of=dated.end or today
    )
    if not hits:
        return ToolResult(f"No filing holds {query.text}{_narrowed(dated, company)}.", notes=notes, sources=(source,))
    return _result(archive, replace(answer, hits=hits), dated, source, notes)


def _with_both_dates(query: FullTextQuery, as_of: str, today: str) -> tuple[FullTextQuery, tuple[str, ...]]:
    """Both dates or neither, and what was filled in."""
    for day in (query.start, query.end):
        _check(day)
    end = min((day for day in (query.end, as_of) if day), default="")
    if not (query.start or end):
        return query, ()
    dated = replace(query, start=query.start or EARLIEST, end=end or today)
    notes = []
    if not query.start:
        notes.append(f"Searched from {EARLIEST}, where full text begins.")
    if not end:
        notes.append(f"Searched up to {today}.")
    elif as_of and end == as_of and query.end != as_of:
        notes.append(f"Searched up to the as-of date {as_of}.")
    return dated, tuple(notes)


def _check(day: str) -> None:
    if day and not is_day(day):
        raise ToolError(f"{day!r} is no date.", remedy="Give dates as YYYY-MM-DD.")


def _narrowed(query: FullTextQuery, company: Company | None) -> str:
    forms = f" in {', '.join(query.forms)}" if query.forms else ""
    by = f" of {company.name}" if company else ""
    dates = f" filed {query.start} to {query.end}" if query.start else ""
    return f"{forms}{by}{dates}"


def _result(
    archive: FilingArchive, answer: FullTextAnswer, query: FullTextQuery, source: Source, notes: tuple[str, ...]
) -> ToolResult:
    shown = answer.hits[:_SHOWN]
    rows = [("Filed", "Form", "Document", "Company", "Period end", "Accession", "File")]
    rows += [(h.filed, h.form, h.file_type, "; ".join(h.companies), h.period, h.accession, h.file) for h in shown]
    count = f"more than {answer.total:,}" if answer.more_than else f"{answer.total:,}"
    first = query.start_at + 1
    text = f"{count} documents hold {query.text}; {first} to {query.start_at + len(shown)}:\n\n{markdown_table(rows)}"
    data = {"total": answer.total, "more_than": answer.more_than, "hits": [_hit_json(archive, hit) for hit in shown]}
    filings = tuple(_source(archive, hit) for hit in shown)
    return ToolResult(text, data=data, sources=(source, *filings), notes=notes)


def _hit_json(archive: FilingArchive, hit: FullTextHit) -> dict[str, object]:
    return {
        "form": hit.form,
        "document": hit.file_type,
        "filed": hit.filed,
        "period_end": hit.period,
        "companies": list(hit.companies),
        "ciks": list(hit.ciks),
        "accession": hit.accession,
        "url": _url(archive, hit),
        "is": plain_form(hit.form),
    }


def _source(archive: FilingArchive, hit: FullTextHit) -> Source:
    title = " ".join(filter(None, ("; ".join(hit.companies), hit.form, hit.period)))
    return Source("filing", title, _url(archive, hit), hit.accession, as_of=hit.filed)


def _url(archive: FilingArchive, hit: FullTextHit) -> str:
    return archive.urls.document(hit.ciks[0], hit.accession, hit.file) if hit.ciks else ""
