"""Plain-text filings (the usual form until about 2001) to blocks: wrapped lines joined, tables kept as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dexter.data.filings.blocks import Block

_HEADING = re.compile(r"\s*(?:part\s+[iv]+\b|items?\s+\d)", re.IGNORECASE)
_COLUMNS = re.compile(r"\S(?:\s{3,}|\.{4,}|\s*\.(?:\s\.){2,}|\t)\s*\S")  # a gap or leaders inside a line
_RULE = re.compile(r"[\s\-_=*.~]*")
_TAG = re.compile(r"\s*<(/?)(page|table|caption|s|c|fn|pre|text)\b[^>]*>\s*", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"\s*(?:-\s*)?(?:[a-z]{1,2}-)?\d{1,3}(?:\s*-)?\s*", re.IGNORECASE)


def plain_blocks(text: str) -> list[Block]:
    """The blocks of plain text, with `<PAGE>` counted as page breaks and `<TABLE>` kept as preformatted text."""
    blocks: list[Block] = []
    page = 0
    for kind, lines in _groups(text):
        if kind == "page":
            page += 1
        elif kind == "table":
            blocks.append(Block("\n".join(lines), page=page, preformatted=True))
        else:
            blocks += [Block(piece, page=page) for piece in _paragraphs(lines)]
    return blocks


def _groups(text: str) -> Iterator[tuple[str, list[str]]]:
    """Lines that belong together: ('page', …) at a page break, ('table', …) or ('text', …) between empty lines."""
    lines: list[str] = []
    in_table = False
    for raw in text.expandtabs().splitlines():
        line = raw.rstrip()
        tag = _TAG.match(line)
        if tag and tag[2].lower() == "page":
            yield from _closed(lines, in_table=in_table)
            lines = []
            yield "page", []
            continue
        if tag and tag[2].lower() == "table":
            yield from _closed(lines, in_table=in_table)
            lines, in_table = [], not tag[1]
            continue
        if tag and not line[tag.end() :].strip():
            continue  # <CAPTION>, and the <S> <C> line that marks columns
        if not line.strip() and not in_table:
            yield from _closed(lines, in_table=False)
            lines = []
        elif line.strip() or lines:
            lines.append(line)
    yield from _closed(lines, in_table=in_table)


def _closed(lines: Sequence[str], *, in_table: bool) -> Iterator[tuple[str, list[str]]]:
    kept = [line for line in lines if not _RULE.fullmatch(line)] if not in_table else list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    if kept:
        yield ("table" if in_table or _is_tabular(kept) else "text"), kept


def _is_tabular(lines: Sequence[str]) -> bool:
    """Two lines or more with gaps inside, and no heading among them: columns drawn with spaces."""
    if any(_HEADING.match(line) for line in lines):
        return False
    return sum(bool(_COLUMNS.search(line.strip())) for line in lines) >= max(2, len(lines) // 2)


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Wrapped lines joined; a heading or a page number starts anew even without an empty line before it."""
    gathered: list[str] = []
    for line in lines:
        alone = bool(_PAGE_NUMBER.fullmatch(line))
        if gathered and (alone or _HEADING.match(line)):
            yield " ".join(gathered)
            gathered = []
        gathered.append(" ".join(line.split()))
        if alone:
            yield gathered.pop()
    if gathered:
        yield " ".join(gathered)
