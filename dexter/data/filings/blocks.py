"""What a document is made of: paragraphs, rows of tables and preformatted text, in reading order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, one row of a table, or a piece of preformatted text.

    `text` is the whole text on one line (lines of a paragraph or of preformatted text are kept apart by newlines).
    `cells` is filled for a row of table number `table` (1, 2, … in the document) and aligned with its other rows.
    `page` counts page breaks seen so far. `links` and `anchors` are the in-page links and their targets.
    """

    text: str
    cells: tuple[str, ...] = ()
    table: int = 0
    page: int = 0
    preformatted: bool = False
    links: tuple[str, ...] = ()
    anchors: tuple[str, ...] = ()

    @property
    def is_row(self) -> bool:
        """Whether this is a row of a table."""
        return self.table > 0


def render(blocks: Sequence[Block]) -> str:
    """The blocks as Markdown: paragraphs apart by a blank line, tables as pipe tables, preformatted text fenced."""
    return "\n\n".join(pieces(blocks))


def pieces(blocks: Sequence[Block]) -> Iterator[str]:
    """What `render` puts together: paragraphs and whole tables, none of them empty."""
    for table, group in groupby(blocks, key=lambda block: block.table):
        if table:
            if drawn := markdown_table([block.cells for block in group]):
                yield drawn
        else:
            yield from (_fenced(block.text) if block.preformatted else block.text for block in group if block.text)


def _fenced(text: str) -> str:
    return f"```\n{text}\n```"


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """A pipe table; the first row is its header. Columns empty in all rows are left out."""
    width = max((len(row) for row in rows), default=0)
    padded = [[*row, *[""] * (width - len(row))] for row in rows]
    used = [column for column in range(width) if any(row[column] for row in padded)]
    if not used:
        return ""
    lines = ["| " + " | ".join(_cell(row[column]) for column in used) + " |" for row in padded]
    return "\n".join([lines[0], "|" + " --- |" * len(used), *lines[1:]])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
