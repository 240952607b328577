"""Page furniture: page numbers, running heads and links back to the contents, found by where they stand.

A page ends at a page break of the source, or after a page number: alone, or at the end of a text that comes again and
again with the number counting up. Text that stands at the edge of several pages and changes only in its digits is a
running head; sentences and unit lines ('in millions') are never taken for one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from dexter.data.filings.blocks import Block

_EDGE = 4  # blocks looked at from each edge of a page
_LONGEST = 160  # characters of a running head
_FEET = 5  # pages with a counting foot at least
_PAGES = 3  # a running head stands on at least so many pages

_PAGE_NUMBER = re.compile(
    r"[\s–—-]*(?:page\s*)?(?:[a-z]{1,2}\s?[-–]\s?)?(?:\d{1,3}|[ivxl]{1,6})(?:\s*of\s*\d{1,3})?[\s–—-]*", re.IGNORECASE
)
_TO_CONTENTS = re.compile(
    r"[<(\[« ]*(?:(?:back|return|go)\s*to\s*)?(?:the\s*)?(?:table\s*of\s*contents|contents|index|top)[>)\]» .]*",
    re.IGNORECASE,
)
_PARAGRAPH = 100_000  # characters; what is longer was no sentence, and mending it page by page would take minutes
_UNITS = re.compile(r"thousand|million|billion|except|unaudited|percent|dollar", re.IGNORECASE)
_ENDS_IN_NUMBER = re.compile(r"\D.*\D(\d{1,3})\W*|(\d{1,3})\D.*[a-z]\W*", re.IGNORECASE | re.DOTALL)
_COUNTED = re.compile(
    r"\W*(?:note|exhibit|article|section|chapter|appendix|schedule|annex|step|table|figure|risk)\b", re.IGNORECASE
)
_KEEP = re.compile(
    r"\W*(?:items?\s+#|part\s+[iv]+\b|signatures?\b|proposal|none\b|not\s+applicable|not\s+required|n/a|reserved|omitted)",
    re.IGNORECASE,
)


def without_furniture(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without page furniture; paragraphs a page break tore apart are whole again."""
    feet = _counting_feet(blocks)
    pages = list(_pages(blocks, feet))
    heads = _running_heads(pages) | feet
    kept: list[Block] = []
    anchors: list[str] = []
    for page in pages:
        gone = _furniture(page, heads, many=len(pages) >= _PAGES)
        opening = True
        for index, block in enumerate(page):
            if index in gone:
                anchors.extend(block.anchors)  # a link to a running head leads to what follows it
                continue
            block = replace(block, anchors=(*anchors, *block.anchors)) if anchors else block  # noqa: PLW2901 - the same block
            anchors = []
            if opening and kept and _torn(kept[-1], block):
                kept[-1] = replace(
                    kept[-1], text=f"{kept[-1].text} {block.text}", anchors=kept[-1].anchors + block.anchors
                )
            else:
                kept.append(block)
            opening = False
    return kept


def _counting_feet(blocks: Sequence[Block]) -> frozenset[str]:
    """The shapes of texts that come on every page with its number: `Acme Inc. | 2024 Form 10-K | 17`."""
    numbers: dict[str, list[int]] = {}
    for block in blocks:
        match = _ENDS_IN_NUMBER.fullmatch(block.text) if _is_paragraph(block) and len(block.text) <= _LONGEST else None
        if match and not _COUNTED.match(block.text):
            numbers.setdefault(_shape(block), []).append(int(match[1] or match[2]))
    return frozenset(
        shape for shape, seen in numbers.items() if len(seen) >= _FEET and _may_be_head(shape) and _counts_up(seen)
    )


def _counts_up(numbers: Sequence[int]) -> bool:
    steps = [after - before for before, after in pairwise(numbers)]
    return sum(step in (1, 2) for step in steps) * 5 >= len(steps) * 4  # a page may be missing, a part may be moved


def _pages(blocks: Sequence[Block], feet: frozenset[str]) -> Iterator[list[Block]]:
    page: list[Block] = []
    for block in blocks:
        if page and block.page != page[-1].page:
            yield page
            page = []
        page.append(block)
        if _is_paragraph(block) and (_PAGE_NUMBER.fullmatch(block.text) or (feet and _shape(block) in feet)):
            yield page
            page = []
    if page:
        yield page


def _is_paragraph(block: Block) -> bool:
    return not block.is_row and not block.preformatted


def _edges(page: Sequence[Block]) -> Iterator[tuple[str, int]]:
    """Indexes of the short paragraphs at the top and at the foot of a page, with the edge they stand at."""
    for edge, indexes in (("top", range(len(page))), ("foot", range(len(page) - 1, -1, -1))):
        for index in indexes[:_EDGE]:
            if not _is_paragraph(page[index]) or len(page[index].text) > _LONGEST:
                break
            yield edge, index


def _shape(block: Block) -> str:
    return re.sub(r"\d+", "#", " ".join(block.text.lower().split()))


def _running_heads(pages: Sequence[Sequence[Block]]) -> frozenset[str]:
    """The shapes of texts that stand at the same edge of several pages."""
    counts = Counter(place for page in pages for place in {(edge, _shape(page[index])) for edge, index in _edges(page)})
    return frozenset(shape for (_, shape), count in counts.items() if count >= _PAGES and _may_be_head(shape))


def _may_be_head(shape: str) -> bool:
    is_sentence = shape.endswith((".", ":", ";")) and len(shape.split()) > 5  # noqa: PLR2004 - words of a sentence
    return not is_sentence and not _UNITS.search(shape) and not _KEEP.match(shape)


def _furniture(page: Sequence[Block], heads: frozenset[str], *, many: bool) -> set[int]:
    edges = {index for _, index in _edges(page)}
    gone = {index for index in edges if _shape(page[index]) in heads}
    for index, block in enumerate(page):
        if not _is_paragraph(block):
            continue
        at_edge = index in edges
        if _PAGE_NUMBER.fullmatch(block.text) and (at_edge or not many):
            gone.add(index)
        if _TO_CONTENTS.fullmatch(block.text) and (block.links or (at_edge and many)):
            gone.add(index)
    return gone


def _torn(before: Block, after: Block) -> bool:
    """Whether a page break split one sentence: it has no end before, and goes on in lower case after."""
    if not (_is_paragraph(before) and _is_paragraph(after)) or not _LONGEST < len(before.text) <= _PARAGRAPH:
        return False
    return before.text[-1] not in '.:;!?”"' and after.text[:1].islower()
