"""Answers as a terminal shows them: Markdown without boxes, backgrounds or fixed colours, tables that fit.

Text is made literal before it is parsed and once more after, because Markdown can spell characters as entities. Raw
HTML is text like any other: `<N/A>` must not vanish.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar

from markdown_it import MarkdownIt
from markdown_it.token import Token
from rich import box
from rich.console import Console, ConsoleOptions, JustifyMethod, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, TableElement
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from dexter.ui.addresses import tell_addresses
from dexter.ui.literal import literal

_NARROW = 60
_FIGURE = re.compile(r"[-+−(~]?[$€£¥]?\d")
_NO_FIGURE = frozenset({"", "-", "–", "—", "n/a", "N/A"})
_SAFE_LINKS = ("https://", "http://")


class _PlainCode(CodeBlock):
    """A code block indented, without a theme's background."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Padding(Text(str(self.text).rstrip(), overflow="fold"), (0, 0, 0, 2))


class _LeftHeading(Heading):
    """Headings stand at the left like everything else."""

    LEVEL_ALIGN: ClassVar = {}


class _FittingTable(TableElement):
    """A table where there is room for one, else each row as a block of `heading: value` lines."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        headings, rows = self._headings(), self._rows()
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, collapse_padding=True, header_style="bold")
        for column, heading in enumerate(headings):
            heading.justify = _justification(heading, [row[column] for row in rows if column < len(row)])
            table.add_column(heading, justify=heading.justify)
        for row in rows:
            table.add_row(*row)
        if _fits(table, console, options):
            yield table
        else:
            yield from _stacked(headings, rows)

    def _headings(self) -> list[Text]:
        return [cell.content for cell in self.header.row.cells] if self.header and self.header.row else []

    def _rows(self) -> list[list[Text]]:
        return [[cell.content for cell in row.cells] for row in self.body.rows] if self.body else []


def _justification(heading: Text, cells: list[Text]) -> JustifyMethod:
    """As the Markdown says; where it does not, figures stand right."""
    if heading.justify not in (None, "default"):
        return heading.justify
    texts = [text for cell in cells if (text := cell.plain.strip()) not in _NO_FIGURE]
    right = bool(texts) and all(_FIGURE.match(text) for text in texts)
    for cell in cells:
        cell.justify = "right" if right else "left"
    return "right" if right else "left"


def _fits(table: Table, console: Console, options: ConsoleOptions) -> bool:
    """Narrow terminals want the whole width; wider ones may wrap words, but never cut one."""
    needed = Measurement.get(console, options.update(max_width=10_000), table)
    return (needed.maximum if options.max_width < _NARROW else needed.minimum) <= options.max_width


def _stacked(headings: list[Text], rows: list[list[Text]]) -> Iterator[Text]:
    for number, row in enumerate(rows):
        if number:
            yield Text("")
        for column, cell in enumerate(row):
            value = cell.copy()
            value.justify = "left"
            if column == 0:
                value.stylize("bold")
                yield value
            else:
                yield Text.assemble("  ", headings[column].plain, ": ", value, overflow="fold")


class AnswerMarkdown(Markdown):
    """Markdown of a model. `hyperlinks` writes links as OSC 8; else the address follows in brackets."""

    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "fence": _PlainCode,
        "code_block": _PlainCode,
        "heading_open": _LeftHeading,
        "table_open": _FittingTable,
    }

    def __init__(self, text: str, *, hyperlinks: bool) -> None:
        super().__init__("", hyperlinks=hyperlinks)
        parser = MarkdownIt("commonmark", {"html": False}).enable("strikethrough").enable("table")
        self.markup = literal(text)
        self.parsed = parser.parse(self.markup)
        _make_literal(self.parsed)
        if hyperlinks:  # else every address follows its text
            tell_addresses(self.parsed)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Lines without trailing blanks, so that a copied answer has none; no empty line at either end."""
        segments = (part for part in super().__rich_console__(console, options) if isinstance(part, Segment))
        lines = [_without_trailing_blanks(line) for line in Segment.split_lines(segments)]
        filled = [number for number, line in enumerate(lines) if line]
        for line in lines[filled[0] : filled[-1] + 1] if filled else ():
            yield from line
            yield Segment.line()


def _without_trailing_blanks(line: list[Segment]) -> list[Segment]:
    parts = list(line)
    while parts and not parts[-1].text.strip():
        parts.pop()
    if parts:
        parts[-1] = Segment(parts[-1].text.rstrip(), parts[-1].style)
    return parts


def _make_literal(tokens: Iterable[Token]) -> None:
    for token in tokens:
        token.content = literal(token.content)
        if token.type == "link_open" and not str(token.attrs.get("href", "")).startswith(_SAFE_LINKS):
            token.attrs["href"] = ""
        _make_literal(token.children or ())
