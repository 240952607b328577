"""The passages of a page that match a query."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dexter.data.passages import Passage, best_passages

_LENGTH = 900  # characters a passage grows to before the next begins
_LONGEST = 2_400  # characters of a paragraph or table that stay together
_GAP = re.compile(r"\n[ \t]*\n\s*|\Z")
_TABLE_HEAD = re.compile(r"\A(\|[^\n]*\n\|(?: ?:?-+:? ?\|)+\n)")
_PAGE = re.compile(r"^\[page (\d+)\]$", re.MULTILINE)


def find_excerpts(text: str, query: str, *, limit: int = 5) -> list[Passage[str]]:
    """The passages that fit the query best, best first; `item` is the page of a PDF, '' elsewhere."""
    pages = [(match.start(), match[1]) for match in _PAGE.finditer(text)]
    found = best_passages(list(_passages(text)), query, limit=limit)
    return [Passage(_page_at(pages, p.offset), p.offset, p.text, p.score) for p in found]


def _page_at(pages: list[tuple[int, str]], offset: int) -> str:
    return next((number for start, number in reversed(pages) if start <= offset), "")


def _passages(text: str) -> Iterator[Passage[str]]:
    """Neighbouring paragraphs together, up to a length."""
    start, gathered = 0, ""
    for offset, part in _parts(text):
        if gathered and (len(gathered) + len(part) > _LENGTH or _PAGE.match(part)):
            yield Passage("", start, gathered)
            gathered = ""
        start = start if gathered else offset
        gathered = f"{gathered}\n\n{part}" if gathered else part
    if gathered:
        yield Passage("", start, gathered)


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs with their offsets; a long one in pieces, each piece of a table under the table's header."""
    for start, paragraph in _paragraphs(text):
        if len(paragraph) <= _LONGEST:
            yield start, paragraph
            continue
        head = _TABLE_HEAD.match(paragraph)
        for offset, piece in _lines(paragraph):
            shown = head[1] + piece if head and offset and len(head[1]) < _LENGTH else piece
            yield start + offset, shown


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """What stands between empty lines. One expression for a paragraph would keep a mark for each of its characters."""
    start = len(text) - len(text.lstrip("\n"))
    for gap in _GAP.finditer(text, start):
        if gap.start() > start:
            yield start, text[start : gap.start()]
        start = gap.end()


def _lines(paragraph: str) -> Iterator[tuple[int, str]]:
    """Whole lines up to a length; a line that is longer is cut."""
    start = 0
    while start < len(paragraph):
        end = min(start + _LENGTH, len(paragraph))
        if end < len(paragraph) and (line_end := paragraph.rfind("\n", start, end)) > start:
            end = line_end + 1
        yield start, paragraph[start:end].rstrip("\n")
        start = end
