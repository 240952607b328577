"""What is shown of one filing: its contents, sections in pages, passages, exhibits."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from dexter.data.company import Company
from dexter.data.filings.archive import FilingArchive
from dexter.data.filings.blocks import markdown_table
from dexter.data.filings.document import read_document
from dexter.data.filings.exhibits import FilingDocument, FilingIndex
from dexter.data.filings.filed_periods import period_label
from dexter.data.filings.forms import plain_form
from dexter.data.filings.items import Item, Items, read_items
from dexter.data.filings.pages import Page, cut_page
from dexter.data.filings.passages import find_passages
from dexter.data.filings.request import FilingsRequest
from dexter.data.passages import Passage
from dexter.data.sec.submissions import FilingEntry
from dexter.errors import ProviderError, ToolError
from dexter.results import Source, ToolResult

_LEAST = 1000  # characters for which it is worth to begin another section


async def show(archive: FilingArchive, company: Company, entry: FilingEntry, request: FilingsRequest) -> ToolResult:
    """What the request wants to see of a filing."""
    if request.exhibit:
        return await _exhibit(archive, company, entry, request)
    fetched = await archive.document(company, entry)
    document = await asyncio.to_thread(read_document, fetched.content, name=title_of(company, entry))
    found = await asyncio.to_thread(read_items, document, entry.form, filed=entry.filed)
    source = archive.source(company, entry, fetched)
    if request.mode == "passages":
        return _passages(company, entry, found, source, request)
    if request.items:
        return _sections(company, entry, found, source, request)
    return await _overview(archive, company, entry, found, source)


async def _overview(
    archive: FilingArchive, company: Company, entry: FilingEntry, found: Items, source: Source
) -> ToolResult:
    """Which items and exhibits a filing has."""
    rows = [("Part", "Item", "Title", "Characters", "What it is")]
    rows += [(i.part, i.number, i.title, f"{len(i.text):,}", _state(i)) for i in found.items]
    exhibits, notes = await _exhibits(archive, company, entry)
    text = f"{title_of(company, entry)}\n\n{markdown_table(rows)}"
    if exhibits:
        table = [("Exhibit", "Description", "File", "Bytes")]
        table += [(e.type, e.description, e.name, f"{e.size:,}" if e.size else "") for e in exhibits]
        text += f"\n\nExhibits:\n\n{markdown_table(table)}"
    data = {
        "filing": entry_json(archive, company, entry),
        "items": [_item_json(item) for item in found.items],
        "exhibits": [{"type": e.type, "description": e.description, "name": e.name, "size": e.size} for e in exhibits],
    }
    return ToolResult(text, data=data, sources=(source,), notes=(*found.notes, *notes))


async def _exhibits(
    archive: FilingArchive, company: Company, entry: FilingEntry
) -> tuple[tuple[FilingDocument, ...], tuple[str, ...]]:
    try:
        return (await archive.index(company, entry)).exhibits, ()
    except ProviderError as error:
        return (), (f"Exhibits are not listed: {error.message}",)


def _sections(
    company: Company, entry: FilingEntry, found: Items, source: Source, request: FilingsRequest
) -> ToolResult:
    """The text of the items asked for, one after the other, as far as the limit reaches."""
    items = [item for wanted in request.items for item in _wanted(found, wanted)]
    items = list(dict.fromkeys(items))
    pieces, room, left = [], request.limit, []
    for index, item in enumerate(items):
        page = cut_page(item.text, request.offset if index == 0 else 0, room)
        if index and len(item.text) > room and room < _LEAST:
            left.append(f"{item.name} ({len(item.text):,} characters)")
            continue
        room = max(room - len(page.text), 0)
        pieces.append(_section_text(item, page))
    if left:
        pieces.append(f"Not shown for want of room: {'; '.join(left)}. Ask for them by themselves.")
    data = {"filing": entry_json(None, company, entry), "items": [_item_json(item) for item in items]}
    notes = tuple(f"{item.name}: {item.note}" for item in items if item.note)
    text = "\n\n".join((title_of(company, entry), *pieces))
    return ToolResult(text, data=data, sources=(source,), notes=(*found.notes, *notes))


def _wanted(found: Items, wanted: str) -> Sequence[Item]:
    items = found.find(wanted)
    if not items:
        names = ", ".join(item.name for item in found.items if item.status != "missing")
        raise ToolError(f"There is no {wanted!r} in this {found.form}.", remedy=f"It has {names}.")
    return items


def _section_text(item: Item, page: Page) -> str:
    heading = f"## {item.name}: {item.title}"
    if item.status != "text":
        heading += f"\n[{item.status.replace('_', ' ')}: {item.note}]"
    return "\n\n".join(filter(None, (heading, page.where, page.text)))


def _passages(
    company: Company, entry: FilingEntry, found: Items, source: Source, request: FilingsRequest
) -> ToolResult:
    if not request.query.strip():
        raise ToolError("Passages need a query.", remedy="Say in a few words what to look for.")
    items = [i for wanted in request.items for i in _wanted(found, wanted)] if request.items else found.items
    passages = find_passages(items, request.query)
    if not passages:
        raise ToolError(
            f"Nothing in {title_of(company, entry)} holds a word of {request.query!r}.",
            remedy="Use other words, or read the items.",
        )
    shown = "\n\n".join(_passage_text(passage) for passage in passages)
    data = {
        "filing": entry_json(None, company, entry),
        "passages": [
            {"part": p.item.part, "item": p.item.number, "offset": p.offset, "score": round(p.score, 2), "text": p.text}
            for p in passages
        ],
    }
    return ToolResult(f"{title_of(company, entry)}\n\n{shown}", data=data, sources=(source,), notes=found.notes)


def _passage_text(passage: Passage[Item]) -> str:
    item = passage.item
    return f"[{item.name}: {item.title}, offset {passage.offset:,} of {len(item.text):,}]\n\n{passage.text}"


async def _exhibit(archive: FilingArchive, company: Company, entry: FilingEntry, request: FilingsRequest) -> ToolResult:
    index = await archive.index(company, entry)
    exhibit = _find_exhibit(index, request.exhibit)
    fetched = await archive.document(company, entry, exhibit.name)
    name = f"{exhibit.type} of {title_of(company, entry)}"
    document = await asyncio.to_thread(read_document, fetched.content, name=name)
    source = archive.source(company, entry, fetched, what=exhibit.type)
    if request.mode == "passages":
        whole = Item("", exhibit.type, exhibit.description, document.blocks, "text")
        return _passages(company, entry, Items(entry.form, (whole,), document.notes), source, request)
    page = cut_page(document.text, request.offset, request.limit)
    heading = f"{title_of(company, entry)}\n\n## {exhibit.type}: {exhibit.description or exhibit.name}"
    data = {"filing": entry_json(archive, company, entry), "exhibit": exhibit.name, "characters": len(document.text)}
    text = "\n\n".join(filter(None, (heading, page.where, page.text)))
    return ToolResult(text, data=data, sources=(source,), notes=document.notes)


def _find_exhibit(index: FilingIndex, wanted: str) -> FilingDocument:
    """By type with or without `EX-` (99 is 99.1), by file name, or 'press release'."""
    asked = wanted.strip().lower()
    number = "99" if "press" in asked else asked.removeprefix("exhibit").removeprefix("ex").strip(" -")
    for exhibit in index.exhibits:
        kind = exhibit.type.lower().removeprefix("ex-")
        if exhibit.name.lower() == asked or kind == number or kind.startswith(f"{number}."):
            return exhibit
    there = ", ".join(exhibit.type for exhibit in index.exhibits) or "none"
    raise ToolError(f"There is no exhibit {wanted!r} in {index.form} {index.accession}.", remedy=f"It has: {there}.")


def who(company: Company) -> str:
    """A company as results name it."""
    ticker = f" ({company.ticker})" if company.ticker else ""
    return f"{company.name}{ticker}, CIK {company.cik}"


def title_of(company: Company, entry: FilingEntry) -> str:
    """A filing as results name it."""
    period = " ".join(filter(None, (period_label(entry, company), entry.report_date and f"to {entry.report_date}")))
    about = f" {period}" if plain_form(entry.form) in {"10-K", "10-Q", "20-F", "40-F"} else ""
    return f"{who(company)}: {entry.form}{about}, filed {entry.filed} ({entry.accession})"


def _state(item: Item) -> str:
    status = "" if item.status == "text" else item.status.replace("_", " ")
    return ": ".join(filter(None, (status, item.note)))


def _item_json(item: Item) -> dict[str, Any]:
    return {
        "part": item.part,
        "item": item.number,
        "title": item.title,
        "status": item.status,
        "note": item.note,
        "characters": len(item.text),
    }


def entry_json(archive: FilingArchive | None, company: Company, entry: FilingEntry) -> dict[str, Any]:
    """A filing as data; with its address where the archive is given."""
    found: dict[str, Any] = {
        "form": entry.form,
        "filed": entry.filed,
        "period_end": entry.report_date,
        "fiscal": period_label(entry, company),
        "accession": entry.accession,
        "items": [number for number in entry.items.split(",") if number],
    }
    if archive is not None:
        found["url"] = archive.urls.document(company.cik or 0, entry.accession, entry.document)
    return found
