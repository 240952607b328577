"""Full-text search over notes: SQLite's FTS5, ranked by BM25 and by age.

The index is built from the files and kept in memory only. The files are the truth; what is in none of them is found by
no query and lies on no disk.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from dexter.errors import DexterError
from dexter.memory.note import Note
from dexter.memory.words import STOP_WORDS, pairs, spaced, words

# A note keeps at least this share of its rank however old it is; the rest halves in this many days.
_LEAST_RECENCY = 0.75
_HALF_LIFE_DAYS = 180
_MOST_TERMS = 100
_CANDIDATES = 200


@dataclass(frozen=True)
class Hit:
    """A note that was found; a higher score is a better one."""

    note: Note
    score: float


class NoteIndex:
    """The notes given, searchable.

    Raises:
        DexterError: this Python's SQLite has no FTS5.
    """

    def __init__(self, notes: Iterable[Note]) -> None:
        self._notes: Sequence[Note] = tuple(notes)
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        try:
            self._database.execute("CREATE VIRTUAL TABLE notes USING fts5(text, tokenize='porter unicode61')")
        except sqlite3.OperationalError as error:
            raise DexterError(
                f"Notes can't be searched: {error}.", remedy="Use a Python whose SQLite has FTS5, as most have."
            ) from error
        rows = ((number, spaced(note.text)) for number, note in enumerate(self._notes))
        self._database.executemany("INSERT INTO notes(rowid, text) VALUES (?, ?)", rows)

    def search(self, query: str, *, limit: int, today: date) -> list[Hit]:
        """The notes that match best, best first; each text once. `today` is what ages are counted from."""
        terms = _terms(query)
        if not terms:
            return []
        found = self._database.execute(
            "SELECT rowid, bm25(notes) FROM notes WHERE notes MATCH ? ORDER BY bm25(notes) LIMIT ?",
            (" OR ".join(terms), _CANDIDATES),
        ).fetchall()
        hits = [Hit(note, -rank * _recency(note, today)) for row, rank in found for note in (self._notes[row],)]
        hits.sort(key=lambda hit: (-hit.score, hit.note.day == "", hit.note.text))
        return list({hit.note.text: hit for hit in reversed(hits)}.values())[::-1][:limit]


def _terms(query: str) -> list[str]:
    """The words of a query as FTS5 strings: any of them may match."""
    found = words(query)
    telling = [word for word in found if word not in STOP_WORDS] or found
    phrases = [" ".join(pair) for pair in pairs(query)]
    return [f'"{term}"' for term in dict.fromkeys((*telling, *phrases))][:_MOST_TERMS]


def _recency(note: Note, today: date) -> float:
    """Between the least share and 1; a note without a day is as good as new."""
    try:
        age = max((today - date.fromisoformat(note.day)).days, 0)
    except ValueError:
        return 1.0
    return float(_LEAST_RECENCY + (1 - _LEAST_RECENCY) * 0.5 ** (age / _HALF_LIFE_DAYS))
