"""Long-term memory: what was noted about the user, in `MEMORY.md` and one file a day. The files are the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from dexter.errors import DexterError, UsageError
from dexter.memory.index import Hit, NoteIndex
from dexter.memory.locked_file import append_text, read_text, rewrite_text
from dexter.memory.note import NOTE_CHARS, Note, clean, item_of, note_id, notes_in, with_note_changed, without_note

MAIN = "MEMORY.md"
_DAYS = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md"
_TITLE = "# What is known about the user\n\n"
Signature = tuple[tuple[str, int, int], ...]


@dataclass
class Memory:
    """The notes below `folder`. `now` gives the time in the user's zone.

    Every method that writes raises `DexterError` where the disk refuses; nothing is half written then.
    """

    folder: Path
    now: Callable[[], datetime]
    _index: tuple[Signature, NoteIndex] | None = field(default=None, repr=False)

    @property
    def files(self) -> tuple[Path, ...]:
        """`MEMORY.md` first, then the days, newest first; only those that are there."""
        days = sorted(self.folder.glob(_DAYS), reverse=True) if self.folder.is_dir() else []
        return tuple(path for path in (self.folder / MAIN, *days) if path.is_file())

    def notes(self) -> tuple[Note, ...]:
        """All notes: those of `MEMORY.md` as they stand, then those of the days, newest day first."""
        return tuple(note for path in self.files for note in notes_in(_read(path), path.name))

    def find(self, wanted: str) -> tuple[Note, ...]:
        """The notes of that id.

        Raises:
            UsageError: there is none.
        """
        found = tuple(note for note in self.notes() if note.id == wanted.strip().lower())
        if not found:
            raise UsageError(f"There is no note {wanted!r}.", remedy="`dexter memory` lists the notes with their ids.")
        return found

    def add(self, text: str, *, origin: str) -> Note:
        """Note something in `MEMORY.md`; what is noted already is not noted twice.

        Raises:
            UsageError: there is no text.
        """
        note = Note(_checked(text), MAIN, self._dated(origin))

        def compose(before: str) -> str:
            if any(known.id == note.id for known in notes_in(before, MAIN)):
                return ""
            if not before:
                return _TITLE + item_of(note.text, note.origin)
            return ("" if before.endswith("\n") else "\n") + item_of(note.text, note.origin)

        with _writing():
            append_text(self.folder / MAIN, compose)
        return note

    def edit(self, wanted: str, text: str, *, origin: str) -> Note:
        """Put another wording in the place of a note, wherever it stands.

        Raises:
            UsageError: there is no such note, or no text.
        """
        found, new = self.find(wanted), _checked(text)
        with _writing():
            for file in {note.file for note in found}:
                change = _change(found[0].id, new, self._dated(origin))
                rewrite_text(self.folder / file, change)
        return next(note for note in self.find(note_id(new)))

    def forget(self, wanted: str) -> tuple[Note, ...]:
        """Remove a note from every file it stands in; the notes that are gone.

        Raises:
            UsageError: there is no such note.
        """
        found = self.find(wanted)
        with _writing():
            for file in {note.file for note in found}:
                rewrite_text(self.folder / file, lambda text: without_note(text, found[0].id))
        return found

    def search(self, query: str, *, limit: int = 10) -> list[Hit]:
        """The notes that match a query best, best first."""
        return self._current_index().search(query, limit=limit, today=self.now().date())

    def _current_index(self) -> NoteIndex:
        """Built anew when any file has changed."""
        signature = tuple((p.name, s.st_mtime_ns, s.st_size) for p in self.files for s in (p.stat(),))
        if self._index is None or self._index[0] != signature:
            self._index = signature, NoteIndex(self.notes())
        return self._index[1]

    def _dated(self, origin: str) -> str:
        return f"{self.now():%Y-%m-%d} {origin}".strip()


def _change(wanted: str, new: str, origin: str) -> Callable[[str], str]:
    return lambda text: with_note_changed(text, wanted, new, origin)


def _checked(text: str) -> str:
    cleaned = clean(text)
    if not cleaned:
        raise UsageError("There is nothing to note.", remedy="Give the note as text.")
    if len(cleaned) > NOTE_CHARS:
        raise UsageError(
            f"The note has {len(cleaned):,} characters.", remedy=f"At most {NOTE_CHARS} are kept; split it."
        )
    return cleaned


def _read(path: Path) -> str:
    """A file's text; one that went meanwhile, or can't be read, holds none."""
    try:
        return read_text(path)
    except OSError:
        return ""


@contextmanager
def _writing() -> Iterator[None]:
    """Failures of the disk as sentences."""
    try:
        yield
    except OSError as error:
        raise DexterError(
            f"The notes can't be written: {error.strerror}.", remedy="Free some space, or set paths.data."
        ) from error
