"""A document's items: text by part and number, and what is said of those that hold none.

How sections are told apart: every heading is a candidate. Runs of headings whose text is a fraction of what the same
items hold elsewhere are tables of contents and go. Of the rest, each part takes the chain of headings in the form's
order that holds most text, so a heading quoted inside another section loses; headings out of order come after that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from dexter.data.filings.blocks import Block, render
from dexter.data.filings.document import Document
from dexter.data.filings.forms import Form, ItemSpec, find_form
from dexter.data.filings.headings import Heading, find_headings
from dexter.data.filings.status import ItemStatus, item_status
from dexter.data.filings.titles import words

Key = tuple[str, str]

_CONTENTS_SHARE = 0.25  # a run of headings with less of the text than this is a table of contents
_CONTENTS_RUN = 3
_CONTENTS_LISTED = 0.8  # so is a run in which more of the headings than this name a page
_FULL = 3000  # characters from which a section counts fully when chains are compared
_STILL = 9999  # the last year of items still in force
_PRESENT = 0.05  # what a heading counts for without any text


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
    expected = () if amends else _expected(form, filed, {item.key for item in found})
    missing = [_missing(spec, headings) for spec in expected]
    notes = [*document.notes]
    if amends:
        notes.append("An amendment holds only the items it amends.")
    if not form.tested:
        notes.append(f"Sections of a {form.name} are found by the SEC's published form; not tried on real filings.")
    return Items(form.name, (*found, *missing), tuple(notes))


def _no_items(form: str) -> str:
    return f"{form or 'This form'} has no numbered items; the whole document is given."


def _sections(blocks: Sequence[Block], headings: Sequence[Heading], form: Form) -> Iterable[Item]:
    lengths = [0, *accumulate(len(block.text) for block in blocks)]
    bounds = _body_headings(headings, lengths)
    chosen = _choose(bounds, lengths, form)
    chosen += _linked(blocks, headings, {heading.key for heading in chosen})
    chosen.sort(key=lambda heading: heading.start)
    plain = [heading for heading in bounds if not heading.specs and heading.label.startswith(("part", "signatures"))]
    ends = [*sorted({heading.start for heading in (*chosen, *plain)}), len(blocks)]
    for heading in chosen:
        end = next(end for end in ends if end > heading.start)
        repeats = {
            index
            for other in headings
            if other.key == heading.key and heading.body <= other.start < end
            for index in range(other.start, other.body)
        }
        yield from _items(heading, [blocks[index] for index in range(heading.body, end) if index not in repeats])
    yield from _signatures(plain, blocks, chosen)


def _items(heading: Heading, blocks: Sequence[Block]) -> Iterable[Item]:
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


def _signatures(plain: Sequence[Heading], blocks: Sequence[Block], chosen: Sequence[Heading]) -> Iterable[Item]:
    """The signatures and what follows them (older filings put their financial statements there)."""
    first = chosen[0].start if chosen else 0
    for heading in plain:
        if heading.label == "signatures" and heading.start > first:
            end = next((other.start for other in chosen if other.start > heading.start), len(blocks))
            yield Item("", "signatures", heading.title, tuple(blocks[heading.body : end]), "text")
            return


def _body_headings(headings: Sequence[Heading], lengths: Sequence[int]) -> list[Heading]:
    """The headings without those of tables of contents and without repeats of the section that is open."""
    sizes = _sizes(headings, lengths)
    runs = _runs(headings, _contents_tables(headings))
    best: dict[Key, int] = {}
    for index, heading in enumerate(headings):
        best[heading.key] = max(best.get(heading.key, 0), sizes[index])
    body: list[Heading] = []
    for run in runs:
        items = [index for index in run if headings[index].specs]
        held = sum(sizes[index] for index in items[:-1])  # the last one's text runs on into what follows the contents
        possible = sum(best[headings[index].key] for index in items[:-1])
        listed = sum(headings[index].contents for index in items)
        is_contents = len(items) >= _CONTENTS_RUN and (
            held < _CONTENTS_SHARE * possible or listed > _CONTENTS_LISTED * len(items)
        )
        body += [headings[index] for index in run if not is_contents]
    return [
        heading
        for index, heading in enumerate(body)
        if not index or heading.key != body[index - 1].key or not heading.specs
    ]


def _contents_tables(headings: Sequence[Heading]) -> set[int]:
    """Tables that hold several headings."""
    counts = Counter(heading.table for heading in headings if heading.table and heading.specs)
    return {table for table, count in counts.items() if count >= _CONTENTS_RUN}


def _runs(headings: Sequence[Heading], tables: set[int]) -> list[list[int]]:
    """Headings in runs within which no item comes twice: a table of contents, then the body, make two.

    A table of several headings is a run of its own.
    """
    runs: list[list[int]] = [[]]
    seen: set[Key] = set()
    last: Key | None = None
    for index, heading in enumerate(headings):
        other_table = index and heading.table != headings[index - 1].table
        if other_table and {heading.table, headings[index - 1].table} & tables:
            runs.append([])
            seen = set()
        if heading.specs and heading.key in seen and heading.key != last:
            carried = [i for i in runs[-1][-1:] if not headings[i].specs and headings[i].label.startswith("part")]
            runs[-1] = runs[-1][: len(runs[-1]) - len(carried)]  # a part's heading belongs to the items after it
            runs.append(carried)
            seen = set()
        runs[-1].append(index)
        if heading.specs:
            seen.add(heading.key)
            last = heading.key
    return runs


def _sizes(headings: Sequence[Heading], lengths: Sequence[int]) -> list[int]:
    """Characters of text from each heading to the next."""
    ends = [*(heading.start for heading in headings[1:]), len(lengths) - 1][: len(headings)]
    return [lengths[end] - lengths[min(heading.body, end)] for heading, end in zip(headings, ends, strict=True)]


def _choose(headings: Sequence[Heading], lengths: Sequence[int], form: Form) -> list[Heading]:
    """One heading for each item: the best chain of each part, then the longest of what is out of order."""
    sizes = dict(zip(headings, _sizes(headings, lengths), strict=True))
    order = {spec.key: rank for rank, spec in enumerate(form.items)}
    chosen: dict[Key, Heading] = {}
    for part in dict.fromkeys(spec.part for spec in form.items):
        inside = [heading for heading in headings if heading.specs and heading.specs[0].part == part]
        chain = inside if form.optional and part == "" else _best_chain(inside, sizes, order)
        for heading in chain:
            chosen[heading.key] = _longer(heading, chosen.get(heading.key), sizes)
    for heading in headings:
        if heading.key not in {other.key for other in chosen.values() if other in chosen.values()} and heading.specs:
            best = [other for other in headings if other.key == heading.key]
            chosen[heading.key] = max(best, key=lambda other: sizes[other])
    proposals = [heading for heading in headings if heading.label.startswith("proposal")]
    for heading in proposals:
        chosen[heading.key] = _longer(heading, chosen.get(heading.key), sizes)
    return list(chosen.values())


def _longer(heading: Heading, other: Heading | None, sizes: Mapping[Heading, int]) -> Heading:
    return heading if other is None or sizes[heading] > sizes[other] else other


def _best_chain(headings: Sequence[Heading], sizes: Mapping[Heading, int], order: Mapping[Key, int]) -> list[Heading]:
    """The subsequence in the form's order that holds most: longest increasing subsequence by weight."""
    totals: list[float] = []
    before: list[int] = []
    for index, heading in enumerate(headings):
        weight = _PRESENT + min(sizes[heading], _FULL) / _FULL
        earlier = [j for j in range(index) if order[headings[j].key] < order[heading.key]]
        previous = max(earlier, key=lambda j: totals[j], default=-1)
        totals.append(weight + (totals[previous] if previous >= 0 else 0.0))
        before.append(previous)
    chain = []
    index = max(range(len(headings)), key=lambda i: totals[i], default=-1)
    while index >= 0:
        chain.append(headings[index])
        index = before[index]
    return chain[::-1]


def _linked(blocks: Sequence[Block], headings: Sequence[Heading], found: set[Key]) -> list[Heading]:
    """Items without a heading in the body whose entry in the table of contents links to where they begin."""
    targets = {anchor: index for index, block in enumerate(blocks) for anchor in block.anchors}
    linked = []
    for heading in headings:
        start = targets.get(heading.link, -1)
        if heading.specs and heading.key not in found and start >= 0 and not blocks[start].is_row:
            linked.append(replace(heading, start=start, body=_after_title(blocks, start, heading), contents=True))
            found = found | {heading.key}
    return linked


def _after_title(blocks: Sequence[Block], start: int, heading: Heading) -> int:
    """The block after `start` if that block is only the item's title."""
    return start + 1 if start < len(blocks) and words(blocks[start].text) == words(heading.title) else start


def _expected(form: Form, filed: str, found: set[Key]) -> Iterable[ItemSpec]:
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
