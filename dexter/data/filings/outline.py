"""Which headings open the sections of a document's body.

Every heading is a candidate. Runs of headings whose text is a fraction of what the same items hold elsewhere are tables
of contents and go. Of the rest, each part takes the chain of headings in the form's order that holds most text, so a
heading quoted inside another section loses; items only found out of order come after that, and last the ones that have
no heading but a link in the table of contents.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from dexter.data.filings.blocks import Block
from dexter.data.filings.forms import Form
from dexter.data.filings.headings import Heading
from dexter.data.filings.titles import words

Key = tuple[str, str]

_CONTENTS_SHARE = 0.25  # a run of headings with less of the text than this is a table of contents
_CONTENTS_RUN = 3
_CONTENTS_LISTED = 0.8  # so is a run in which more of the headings than this name a page
_FULL = 3000  # characters from which a section counts fully when chains are compared
_PRESENT = 0.05  # what a heading counts for without any text


@dataclass(frozen=True)
class Outline:
    """The headings that open sections, in reading order, and where each section ends."""

    sections: tuple[Heading, ...]
    signatures: Heading | None
    ends: tuple[int, ...]

    def end_of(self, heading: Heading) -> int:
        """The block after the section's last one."""
        return self.ends[bisect_right(self.ends, heading.start)]


def section_headings(blocks: Sequence[Block], headings: Sequence[Heading], form: Form) -> Outline:
    """The outline of a document from all its headings."""
    lengths = [0, *accumulate(len(block.text) for block in blocks)]
    body = _body_headings(headings, lengths)
    chosen = _chosen(body, _sizes(body, lengths), form)
    linked = _linked(blocks, headings, {heading.key for heading in chosen})
    sections = tuple(sorted((*chosen, *linked), key=lambda heading: heading.start))
    bounds = [heading for heading in body if heading.is_part or heading.is_signatures]
    first = sections[0].start if sections else 0
    signatures = next((bound for bound in bounds if bound.is_signatures and bound.start > first), None)
    ends = sorted({heading.start for heading in (*sections, *bounds)})
    return Outline(sections, signatures, (*ends, len(blocks)))


def _body_headings(headings: Sequence[Heading], lengths: Sequence[int]) -> list[Heading]:
    """The headings without those of tables of contents and without repeats of the section that is open."""
    sizes = dict(zip(headings, _sizes(headings, lengths), strict=True))
    best: dict[Key, int] = {}
    for heading, size in sizes.items():
        best[heading.key] = max(best.get(heading.key, 0), size)
    body: list[Heading] = []
    for run in _runs(headings, _contents_tables(headings)):
        if not _is_contents([heading for heading in run if heading.specs], sizes, best):
            body += run
    repeats = (bool(index and h.specs and h.key == body[index - 1].key) for index, h in enumerate(body))
    return [heading for heading, repeat in zip(body, repeats, strict=True) if not repeat]


def _is_contents(run: Sequence[Heading], sizes: Mapping[Heading, int], best: Mapping[Key, int]) -> bool:
    if len(run) < _CONTENTS_RUN:
        return False
    held = sum(sizes[heading] for heading in run[:-1])  # the last one's text runs on into what follows the contents
    possible = sum(best[heading.key] for heading in run[:-1])
    listed = sum(heading.contents for heading in run)
    return held < _CONTENTS_SHARE * possible or listed > _CONTENTS_LISTED * len(run)


def _contents_tables(headings: Iterable[Heading]) -> set[int]:
    """Tables that hold several headings."""
    counts = Counter(heading.table for heading in headings if heading.table and heading.specs)
    return {table for table, count in counts.items() if count >= _CONTENTS_RUN}


def _runs(headings: Sequence[Heading], tables: set[int]) -> list[list[Heading]]:
    """Headings in runs within which no item comes twice: a table of contents, then the body, make two.

    A table of several headings is a run of its own.
    """
    runs: list[list[Heading]] = [[]]
    seen: set[Key] = set()
    last: Heading | None = None
    for heading in headings:
        before = runs[-1][-1] if runs[-1] else heading
        if heading.table != before.table and {heading.table, before.table} & tables:
            runs.append([])
            seen = set()
        elif heading.specs and heading.key in seen and last and heading.key != last.key:
            # A part's heading belongs to the items after it.
            runs.append([runs[-1].pop()] if before.is_part else [])
            seen = set()
        runs[-1].append(heading)
        if heading.specs:
            seen.add(heading.key)
            last = heading
    return runs


def _sizes(headings: Sequence[Heading], lengths: Sequence[int]) -> list[int]:
    """Characters of text from each heading to the next."""
    ends = [*(heading.start for heading in headings[1:]), len(lengths) - 1][: len(headings)]
    return [lengths[end] - lengths[min(heading.body, end)] for heading, end in zip(headings, ends, strict=True)]


def _chosen(body: Sequence[Heading], lengths: Sequence[int], form: Form) -> list[Heading]:
    """One heading for each item: the best chain of each part, then the longest of what is out of order."""
    sizes = dict(zip(body, lengths, strict=True))
    order = {spec.key: rank for rank, spec in enumerate(form.items)}
    in_order: list[Heading] = []
    if not form.optional:  # the items of an 8-K or a prospectus come in any order
        for part in dict.fromkeys(spec.part for spec in form.items):
            inside = [heading for heading in body if heading.specs and heading.specs[0].part == part]
            in_order += _best_chain(inside, sizes, order)
    chosen = {heading.key: heading for heading in in_order}
    rest = [h for h in body if h.key not in chosen and not (h.is_part or h.is_signatures)]
    for heading in sorted(rest, key=lambda heading: sizes[heading]):
        chosen[heading.key] = heading  # the longest comes last
    return list(chosen.values())


def _best_chain(headings: Sequence[Heading], sizes: Mapping[Heading, int], order: Mapping[Key, int]) -> list[Heading]:
    """The subsequence in the form's order that holds most text.

    For each item the best chain that ends with it is kept, so the work grows with the number of headings alone.
    """
    best: dict[int, tuple[float, tuple[Heading, ...]]] = {}
    for heading in headings:
        rank = order[heading.key]
        earlier = max((best[r] for r in best if r < rank), key=lambda found: found[0], default=(0.0, ()))
        total = earlier[0] + _PRESENT + min(sizes[heading], _FULL) / _FULL
        if rank not in best or total > best[rank][0]:
            best[rank] = (total, (*earlier[1], heading))
    return list(max(best.values(), key=lambda found: found[0], default=(0.0, ()))[1])


def _linked(blocks: Sequence[Block], headings: Sequence[Heading], found: set[Key]) -> list[Heading]:
    """Items without a heading in the body whose entry in the table of contents links to where they begin."""
    targets = {anchor: index for index, block in enumerate(blocks) for anchor in block.anchors}
    linked: dict[Key, Heading] = {}
    for heading in headings:
        start = targets.get(heading.link, -1)
        if heading.specs and heading.key not in found and start >= 0 and not blocks[start].is_row:
            body = start + (words(blocks[start].text) == words(heading.title))  # a block that is only the title
            linked.setdefault(heading.key, replace(heading, start=start, body=body, contents=True))
    return list(linked.values())
