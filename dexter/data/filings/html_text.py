"""HTML to blocks, as a stream: no tree is built, so memory stays near the size of the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from dexter.data.filings.blocks import Block
from dexter.data.filings.encoding import utf8_chunks
from dexter.data.filings.plain_text import plain_blocks
from dexter.data.filings.tables import TableCell, span, table_blocks

_BLOCK_TAGS = frozenset(
    {
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "footer",
        "form",
    }
    | {"h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li", "main", "nav", "ol", "p", "section", "ul"}
)
_SKIPPED_TAGS = frozenset({"ix:header", "noscript", "script", "select", "style", "svg", "textarea", "title"})
_SKIPPED_IN_BROKEN = (_SKIPPED_TAGS - {"ix:header"}) | {"ix:hidden", "ix:references", "ix:resources"}
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_PAGE_BREAK = re.compile(r"(?:page-)?break-(before|after)\s*:\s*(?:always|page|left|right)", re.IGNORECASE)
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad\x00"))
# A marker at the start of a paragraph that is set off from the text by padding alone.
_GLUED = re.compile(r"\A(?:([•●▪■◦]+)(?=\w)|(\([a-z0-9]{1,4}\)|[0-9]{1,2}\.)(?=[A-Z][a-z]))")
_LINE = "\u2028"  # stands for <br> until a paragraph is whole: line ends of the source are mere spaces


def html_blocks(content: bytes) -> list[Block]:
    """The visible text of an HTML document in reading order; broken markup is read as far as it goes.

    Where everything is hidden, a hidden element was never closed: then only the inside of the XBRL header is.
    """
    return _read(content, _Reader(_SKIPPED_TAGS)) or _read(content, _Reader(_SKIPPED_IN_BROKEN, hide=False))


def _read(content: bytes, reader: _Reader) -> list[Block]:
    from lxml import etree

    # The stubs ask a target for methods that lxml calls only where they exist.
    parser = etree.HTMLParser(target=reader, encoding="utf-8", huge_tree=True)  # type: ignore[call-overload]
    for chunk in utf8_chunks(content):
        parser.feed(chunk)
    if content:
        parser.close()
    return reader.blocks


class _Reader:
    """Takes the parser's events. What is open: hidden elements, tables, a paragraph being gathered."""

    def __init__(self, skipped: frozenset[str], *, hide: bool = True) -> None:
        self._skipped = skipped
        self._hide = hide
        self.blocks: list[Block] = []  # of the cell being read, or of the page outside tables
        self._outer: list[tuple[list[Block], list[list[TableCell]]]] = []  # per open table: what surrounds it, its rows
        self._text: list[str] = []
        self._links: list[str] = []
        self._anchors: list[str] = []
        self._page = 0
        self._tables = 0
        self._depth = 0
        self._skip_until = 0  # depth of the hidden element being skipped, or 0
        self._breaks_after: list[int] = []  # depths of open elements that end their page
        self._preformatted = 0

    # The three methods the parser calls, and its closing one.

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._skip_until:
            return
        style = attributes.get("style", "")
        hidden = self._hide and ("hidden" in attributes or _HIDDEN.search(style))
        if hidden or tag in self._skipped:
            self._skip_until = self._depth
            return
        if tag in _BLOCK_TAGS:
            self._flush()
        if handle := _STARTS.get(tag):
            handle(self, attributes)
        if "break" in style:
            self._page_break(style)
        anchor = attributes.get("id") or (attributes.get("name") if tag == "a" else None)
        if anchor and not tag.startswith("ix:"):
            self._anchors.append(anchor)

    def end(self, tag: str) -> None:
        if self._skip_until:
            if self._skip_until == self._depth:
                self._skip_until = 0
            self._depth -= 1
            return
        if tag in _BLOCK_TAGS:
            self._flush()
        if handle := _ENDS.get(tag):
            handle(self)
        if self._breaks_after and self._breaks_after[-1] == self._depth:
            self._breaks_after.pop()
            self._flush()
            self._page += 1
        self._depth -= 1

    def data(self, data: str) -> None:
        if not self._skip_until:
            self._text.append(data)

    def close(self) -> None:
        while self._outer:
            self.end_table()
        self._flush()

    # Elements with a meaning of their own.

    def start_table(self, _: Mapping[str, str]) -> None:
        self._flush()
        self._outer.append((self.blocks, []))
        self.blocks = []  # text before the first cell is kept as a row of its own

    def end_table(self) -> None:
        if not self._outer:
            return
        self._flush()
        surrounding, rows = self._outer.pop()
        stray = self.blocks if not rows else []
        self.blocks = surrounding
        self._tables += 1
        self.blocks += [*stray, *table_blocks(rows, self._tables)]

    def start_row(self, _: Mapping[str, str]) -> None:
        self._flush()
        if self._outer:
            self._outer[-1][1].append([])

    def start_cell(self, attributes: Mapping[str, str]) -> None:
        self._flush()
        if not self._outer:
            return
        rows = self._outer[-1][1]
        if not rows:
            rows.append([])
        cell = TableCell(span(attributes.get("colspan")), span(attributes.get("rowspan")))
        rows[-1].append(cell)
        self.blocks = cell.blocks

    def start_link(self, attributes: Mapping[str, str]) -> None:
        target = attributes.get("href", "")
        if target.startswith("#") and len(target) > 1:
            self._links.append(target[1:])

    def line_break(self, _: Mapping[str, str]) -> None:
        self._text.append("\n" if self._preformatted else _LINE)

    def list_item(self, _: Mapping[str, str]) -> None:
        self._text.append("• ")

    def start_preformatted(self, _: Mapping[str, str]) -> None:
        self._flush()
        self._preformatted += 1

    def end_preformatted(self) -> None:
        self._flush()
        self._preformatted = max(self._preformatted - 1, 0)

    def old_page(self, _: Mapping[str, str]) -> None:
        self._flush()
        self._page += 1

    def _page_break(self, style: str) -> None:
        for match in _PAGE_BREAK.finditer(style):
            if match[1].lower() == "before":
                self._flush()
                self._page += 1
            else:
                self._breaks_after.append(self._depth)

    def end_flush(self) -> None:
        self._flush()

    def _flush(self) -> None:
        """Close the paragraph being gathered."""
        if not self._text:
            return
        text = "".join(self._text).translate(_INVISIBLE)
        self._text.clear()
        if self._preformatted:
            self._add([replace(block, page=self._page) for block in plain_blocks(text)])
        else:
            self._add([Block(paragraph, page=self._page) for paragraph in _paragraphs(text)])

    def _add(self, blocks: list[Block]) -> None:
        if not blocks:
            return
        blocks[0] = replace(blocks[0], links=tuple(self._links), anchors=tuple(self._anchors))
        self._links.clear()
        self._anchors.clear()
        self.blocks += blocks


def _paragraphs(text: str) -> Iterator[str]:
    """Paragraphs of gathered text: an empty line between two `<br>` parts them, a single `<br>` is a line end."""
    lines: list[str] = []
    for line in text.split(_LINE):
        if words := " ".join(line.split()):
            lines.append(_GLUED.sub(r"\1\2 ", words))
        elif lines:
            yield "\n".join(lines)
            lines = []
    if lines:
        yield "\n".join(lines)


_STARTS: Mapping[str, Callable[[_Reader, Mapping[str, str]], None]] = {
    "table": _Reader.start_table,
    "tr": _Reader.start_row,
    "td": _Reader.start_cell,
    "th": _Reader.start_cell,
    "a": _Reader.start_link,
    "br": _Reader.line_break,
    "li": _Reader.list_item,
    "pre": _Reader.start_preformatted,
    "page": _Reader.old_page,
}
_ENDS: Mapping[str, Callable[[_Reader], None]] = {
    "table": _Reader.end_table,
    "td": _Reader.end_flush,
    "th": _Reader.end_flush,
    "caption": _Reader.end_flush,
    "pre": _Reader.end_preformatted,
}
