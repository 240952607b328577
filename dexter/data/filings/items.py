"""A document's items: text by part and number, and what is said of those that hold none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dexter.data.filings.blocks import Block, render
from dexter.data.filings.document import Document
from dexter.data.filings.forms import Form, ItemSpec, find_form
from dexter.data.filings.headings import Heading, find_headings
from dexter.data.filings.outline import section_headings
from dexter.data.filings.status import ItemStatus, item_status
from dexter.data.filings.titles import words

Key = tuple[str, str]

_STILL = 9999  # the last year of items still in force


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a filing. `text` is Markdown without the heading; `status` and `note` say what it is not.

    `part` is I to IV, or '' where the form has none; `number` is 1A, 2.02, or a title for sections without number.
    """

    part: str
    number: str
    title: str
    blocks: tuple[Block, ...]
    status: ItemStatus
    note: str = ""

    @property
    def key(self) -> Key:
        """(part, number): item numbers repeat in the parts of a 10-Q."""
        return (self.part, self.number)

    @property
    def text(self) -> str:
        """The item's text as Markdown."""
        return render(self.blocks)

    @property
    def name(self) -> str:
        """How a person calls it: `Part II, Item 1A`."""
        item = f"Item {self.number}" if self.number[:1].isdigit() else self.number.capitalize()
        return f"Part {self.part}, {item}" if self.part else item


@dataclass(frozen=True, slots=True)
class Items:
    """All items of a document in the order of the filing, then those that are missing."""

    form: str
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()

    def find(self, wanted: str) -> tuple[Item, ...]:
        """Items for what a person types: `1A`, `Item 7`, `Part II Item 1`, `II.1A`, `risk factors`, `mda`."""
        return _find(self.items, wanted)


def read_items(document: Document, form_name: str, *, filed: str = "") -> Items:
    """The items of a document.

    Args:
        document: What `read_document` gave.
        form_name: The form as filed, e.g. 10-K, 10-K405, 8-K/A; '' to go by the document's own type.
        filed: ISO date of filing; items the form did not have then are not called missing.
    """
    form = find_form(form_name or document.form)
    if form is None or not form.items:
        whole = Item("", "document", "Whole document", document.blocks, "text" if document.blocks else "empty")
        return Items(form_name or document.form, (whole,), (*document.notes, _no_items(form_name or document.form)))
    blocks, headings = find_headings(document.blocks, form)
    found = list(_sections(blocks, headings, form))
    amends = (form_name or document.form).upper().endswith("/A")
    expected = iter(()) if amends else _expected(form, filed, {item.key for item in found})
    missing = [_missing(spec, headings) for spec in expected]
    notes = [*document.notes]
    if amends:
        notes.append("An amendment holds only the items it amends.")
    if not form.tested:
        notes.append(f"Sections of a {form.name} are found by the SEC's published form; not tried on real filings.")
    return Items(form.name, (*found, *missing), tuple(notes))


def _no_items(form: str) -> str:
    return f"{form or 'This form'} has no numbered items; the whole document is given."


def _sections(blocks: Sequence[Block], headings: Sequence[Heading], form: Form) -> Iterator[Item]:
    outline = section_headings(blocks, headings, form)
    for heading in outline.sections:
        end = outline.end_of(heading)
        repeats = {
            index
            for other in headings
            if other.key == heading.key and heading.body <= other.start < end
            for index in range(other.start, other.body)
        }
        yield from _items(heading, [blocks[index] for index in range(heading.body, end) if index not in repeats])
    if outline.signatures:
        # Older filings put their financial statements after the signatures.
        text = blocks[outline.signatures.body : outline.end_of(outline.signatures)]
        yield Item("", "signatures", outline.signatures.title, tuple(text), "text")


def _items(heading: Heading, blocks: Sequence[Block]) -> Iterator[Item]:
    """The items one heading opens; for `Items 1 and 2` both, with the same text."""
    status, note = item_status(render(blocks), heading.title)
    if not heading.specs:
        yield Item("", heading.label, heading.title, tuple(blocks), status, note)
    for spec in heading.specs:
        others = [other.number for other in heading.specs if other is not spec]
        found = "Found by the link of the table of contents." if heading.contents else ""
        shared = f"One section with Item {' and '.join(others)}." if others else ""
        title = heading.title or spec.title
        yield Item(*spec.key, title, tuple(blocks), status, " ".join(filter(None, (note, found, shared))))


def _expected(form: Form, filed: str, found: set[Key]) -> Iterator[ItemSpec]:
    """Items the form asks for in that year and the document does not have."""
    if form.optional:
        return
    year = int(filed[:4]) if filed[:4].isdigit() else 0
    for spec in form.items:
        in_force = (spec.since <= year <= spec.until) if year else spec.until >= _STILL
        if spec.key not in found and in_force:
            yield spec


def _missing(spec: ItemSpec, headings: Sequence[Heading]) -> Item:
    listed = any(heading.key == spec.key for heading in headings)
    note = "No heading of this item in the document" + (", though its table of contents lists it." if listed else ".")
    return Item(*spec.key, spec.title, (), "missing", note)


_NICKNAMES = {
    "md&a": "management's discussion and analysis",
    "mda": "management's discussion and analysis",
    "mdna": "management's discussion and analysis",
    "market risk": "quantitative and qualitative disclosures about market risk",
    "financials": "financial statements",
    "risks": "risk factors",
}
_WANTED = re.compile(
    r"(?:part\s*)?(?:(iv|i{1,3})\b[\s.,:/-]*)?(?:item\s*)?(\d{1,2}(?:\.\d{2})?\s?[a-k]?)\W*", re.IGNORECASE
)


def _find(items: Sequence[Item], wanted: str) -> tuple[Item, ...]:
    text = " ".join(wanted.strip().split())
    match = _WANTED.fullmatch(text)
    if match:
        part, number = (match[1] or "").upper(), match[2].replace(" ", "").upper()
        return tuple(item for item in items if item.number == number and part in ("", item.part))
    asked = words(_NICKNAMES.get(text.lower(), text))
    exact = tuple(item for item in items if words(item.number) == asked)
    return exact or tuple(item for item in items if asked and " ".join(asked) in " ".join(words(item.title)))
