"""HTML tables of filings: layout told from data, and data cells aligned in columns.

Filings draw one figure over several cells (`$`, `1,234`, `)`), pad with spacer columns, and use tables for bullets,
headings and whole pages. A table that only lays out text becomes paragraphs; a table of data becomes one row block a
row, its cells in the columns a reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dexter.data.filings.blocks import Block

_MAX_SPAN = 1000  # a hostile colspan must not cost memory
_SPAN_DIGITS = 8
_MOST_CELLS = 300
_MOST_COLUMNS = 3000  # beyond, rowspans are not believed: each row would push the next one further out
_LONG_CELL = 1500  # a cell longer than this is running text, so the table is a layout
_HEADER_REPEAT = 60  # a spanning header up to this length is repeated over the columns it spans
_MARKER = re.compile(r"[•●○◦▪■□–—*·§oØ►✓-]|\(?[a-z0-9]{1,4}[.)]|\(?[ivxl]{1,6}[.)]", re.IGNORECASE)
_PREFIX = re.compile(r"\(?(US|NT|HK|C|A|R|S)?[$€£¥₩₹]\(?|\(|RMB|Rs\.?", re.IGNORECASE)
_SUFFIX = re.compile(r"\)?\s?%|\)|\)\s?\(\d\)")
_NUMBER = re.compile(r"[$€£¥(\s-]*\d[\d,.]*[)%\s]*$|[—–-]$")


@dataclass(slots=True)
class TableCell:
    """One cell as it is read: its content in blocks and how many columns and rows it covers."""

    columns: int = 1
    rows: int = 1
    blocks: list[Block] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The content on one line."""
        return " ".join(block.text.replace("\n", " ") for block in self.blocks)


@dataclass(slots=True)
class _Placed:
    """A cell with content, at columns `start` to `end` (exclusive) of its table."""

    start: int
    end: int
    text: str
    cell: TableCell


def span(value: str | None) -> int:
    """A colspan or rowspan attribute as a number from 1 to a bound."""
    if value is None:
        return 1
    digits = value.strip()
    return min(max(int(digits), 1), _MAX_SPAN) if digits.isdecimal() and len(digits) <= _SPAN_DIGITS else 1


def table_blocks(rows: Sequence[Sequence[TableCell]], number: int) -> list[Block]:
    """The blocks of a finished table; `number` is given to its rows if it holds data."""
    placed = [row for row in _place(rows) if row]
    if _is_layout(placed):
        return [block for row in placed for block in _layout_row(row)]
    return _data_rows([_join_symbols(row) for row in placed], number)


def _place(rows: Sequence[Sequence[TableCell]]) -> list[list[_Placed]]:
    """Cells with content at their columns, taking colspans and rowspans into account."""
    taken: dict[int, int] = {}  # column → rows it is still covered from above
    placed_rows = []
    for row in rows:
        column, placed = 0, []
        covered, taken = taken, {start: left - 1 for start, left in taken.items() if left > 1}
        for cell in row:
            while column in covered:
                column += 1
            end = column + cell.columns
            if cell.rows > 1 and end <= _MOST_COLUMNS:
                taken.update(dict.fromkeys(range(column, end), cell.rows - 1))
            if text := cell.text:
                placed.append(_Placed(column, end, text, cell))
            column = end
        placed_rows.append(placed)
    return placed_rows


def _is_layout(rows: Sequence[Sequence[_Placed]]) -> bool:
    several = [row for row in rows if len(row) > 1]
    if len(rows) < 2 or not several:  # noqa: PLR2004 - one row is no table
        return True
    widest = max(row[-1].end for row in rows)
    if max(map(len, rows)) > _MOST_CELLS or widest > _MOST_COLUMNS:  # no data are so wide; aligning them takes minutes
        return True
    if any(len(cell.text) > _LONG_CELL or any(b.is_row for b in cell.cell.blocks) for row in rows for cell in row):
        return True
    return all(len(row) == 2 and _MARKER.fullmatch(row[0].text) for row in several)  # noqa: PLR2004 - marker and text


def _layout_row(row: Sequence[_Placed]) -> list[Block]:
    """Short cells of a row read as one line (`Item 7.` beside its title); long ones one after the other."""
    single = all(len(cell.cell.blocks) == 1 and not cell.cell.blocks[0].is_row for cell in row)
    if len(row) > 1 and single and sum(len(cell.text) > 300 for cell in row) < 2:  # noqa: PLR2004 - two text columns
        return [_merged([cell.cell.blocks[0] for cell in row])]
    return [block for cell in row for block in cell.cell.blocks]


def _merged(blocks: Sequence[Block]) -> Block:
    return replace(
        blocks[0],
        text=" ".join(block.text for block in blocks),
        links=tuple(link for block in blocks for link in block.links),
        anchors=tuple(anchor for block in blocks for anchor in block.anchors),
    )


def _join_symbols(row: Sequence[_Placed]) -> list[_Placed]:
    """`$` joins the figure after it; `)`, `%` and `)%` join the figure before."""
    joined: list[_Placed] = []
    for cell in row:
        last = joined[-1] if joined else None
        if last and _PREFIX.fullmatch(last.text) and not _PREFIX.fullmatch(cell.text):
            joined[-1] = _Placed(last.start, cell.end, last.text + cell.text, cell.cell)
            cell.cell.blocks[:0] = last.cell.blocks
        elif last and _SUFFIX.fullmatch(cell.text):
            joined[-1] = _Placed(last.start, cell.end, last.text + cell.text, last.cell)
            last.cell.blocks.extend(cell.cell.blocks)
        else:
            joined.append(cell)
    return joined


def _data_rows(rows: Sequence[Sequence[_Placed]], number: int) -> list[Block]:
    columns = _columns(rows)
    first_figures = next((i for i, row in enumerate(rows) if any(_NUMBER.match(c.text) for c in row[1:])), len(rows))
    return [_row_block(row, columns, number, header=index < first_figures) for index, row in enumerate(rows)]


def _columns(rows: Sequence[Sequence[_Placed]]) -> list[tuple[int, int]]:
    """The columns a reader sees: overlapping cells of different rows share one, spanning headers make none.

    Narrow cells are taken first, so a cell that then meets two columns or more can only be a spanning one.
    """
    columns: list[tuple[int, int]] = []
    spans = {(cell.start, cell.end) for row in rows for cell in row}
    for start, end in sorted(spans, key=lambda item: (item[1] - item[0], item)):
        met = [column for column in columns if column[0] < end and start < column[1]]
        if not met:
            columns.append((start, end))
        elif len(met) == 1:
            columns[columns.index(met[0])] = (min(start, met[0][0]), max(end, met[0][1]))
    return sorted(columns)


def _row_block(row: Sequence[_Placed], columns: Sequence[tuple[int, int]], number: int, *, header: bool) -> Block:
    cells = [""] * len(columns)
    for cell in row:
        met = [i for i, column in enumerate(columns) if column[0] < cell.end and cell.start < column[1]]
        free = [i for i in met if not cells[i]] or [met[-1]]
        repeat = header and free[0] > 0 and len(cell.text) <= _HEADER_REPEAT
        for i in free if repeat else free[:1]:
            cells[i] = f"{cells[i]} {cell.text}".strip()
    blocks = [block for cell in row for block in cell.cell.blocks]
    return replace(_merged(blocks), text=" ".join(cell.text for cell in row), cells=tuple(cells), table=number)
