"""What a run knows of the user from the start: the notes, cut to a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from dexter.memory.note import Note
from dexter.text import estimate_tokens

# Days before this many are left to the search.
_RECENT_DAYS = 2


def opening_text(notes: Iterable[Note], *, today: date, budget: int) -> str:
    """The notes that fit into `budget` tokens, as a list; '' for none.

    Those of `MEMORY.md` come first, the newest of them before older ones where not all fit; then those of today and
    yesterday. A last line says how many are left out.
    """
    unique = tuple({note.text: note for note in reversed(tuple(notes))}.values())[::-1]
    loaded = [note for note in unique if _is_lasting(note) or _is_recent(note, today)]
    chosen = _fitting(loaded, budget)
    left_out = len(unique) - len(chosen)
    lines = [f"- {note.text}" for note in loaded if note in chosen]
    if left_out:
        lines.append(_more(left_out))
    return "\n".join(lines) if chosen or left_out else ""


def _fitting(notes: Sequence[Note], budget: int) -> frozenset[Note]:
    """Taken in the order of worth until the next does not fit, the line about the rest included."""
    room = budget - estimate_tokens(_more(len(notes)) + "\n")
    chosen: set[Note] = set()
    for note in sorted(notes, key=_worth):
        room -= estimate_tokens(f"- {note.text}\n") + 1
        if room < 0:
            break
        chosen.add(note)
    return frozenset(chosen)


def _worth(note: Note) -> tuple[bool, int]:
    day = date.fromisoformat(note.day).toordinal() if note.day else date.max.toordinal()
    return not _is_lasting(note), -day


def _is_lasting(note: Note) -> bool:
    return not note.file[:1].isdigit()


def _is_recent(note: Note, today: date) -> bool:
    return bool(note.day) and (today - date.fromisoformat(note.day)).days < _RECENT_DAYS


def _more(count: int) -> str:
    return f"({count} more: `memory_search` finds them.)"
