"""How well notes are found: 100 notes and 40 questions that were written before there was a search."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest

from dexter.memory.index import NoteIndex
from dexter.memory.note import Note

FOLDER = Path(__file__).parent / "quality"
NOTES = tuple(
    Note(line, "MEMORY.md") for line in (FOLDER / "notes.txt").read_text(encoding="utf-8").splitlines() if line
)
with (FOLDER / "queries.tsv").open(encoding="utf-8") as file:
    QUERIES = tuple(csv.DictReader(file, delimiter="\t"))


def found_among(first: int, form: str) -> float:
    """The share of the questions of that form whose note is among the first hits."""
    index = NoteIndex(NOTES)
    asked = [query for query in QUERIES if query["form"] == form]
    hits = [index.search(query["query"], limit=first, today=date(2026, 11, 30)) for query in asked]
    right = [
        NOTES[int(query["note"]) - 1] in [hit.note for hit in found] for query, found in zip(asked, hits, strict=True)
    ]
    return sum(right) / len(right)


def test_there_are_as_many_as_promised() -> None:
    """100 notes, 40 questions, half of them in other word forms."""
    assert (len(NOTES), len(QUERIES)) == (100, 40)
    assert sum(query["form"] == "other" for query in QUERIES) == 20


@pytest.mark.parametrize("form", ["same", "other"])
def test_nine_of_ten_are_among_the_first_three(form: str) -> None:
    """In the words of the note, and in other forms of them."""
    assert found_among(3, form) >= 0.9
