"""Cells for scripts: long form, one row a figure, exact values."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import fields

from dexter.results import Cell

COLUMNS = tuple(column.name for column in fields(Cell))


def csv_text(cells: Iterable[Cell]) -> str:
    """Comma-separated rows with a head, every field of a cell a column, '' where there is nothing.

    Text that a spreadsheet would run as a formula gets an apostrophe before it; figures do not.
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(_safe_row(cell) for cell in cells)
    return text.getvalue()


def json_text(cells: Iterable[Cell]) -> str:
    """A JSON array of cells; values stay decimal strings, so that no digit is lost."""
    return json.dumps([cell.to_json() for cell in cells], ensure_ascii=False, indent=2) + "\n"


def _safe_row(cell: Cell) -> dict[str, str]:
    row = {key: str(value) for key, value in cell.to_json().items()}
    return {
        key: f"'{text}" if key != "value" and text[:1] in ("=", "+", "-", "@") else text for key, text in row.items()
    }
