"""Notes as Markdown, one file a day, private to the user; nothing is lost when two processes write at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from dexter.memory.locked_file import append_text


@dataclass(frozen=True)
class DailyNotes:
    """Appends to `<folder>/YYYY-MM-DD.md`. `now` gives the time in the user's zone, which decides the day.

    `run` names the run that the notes are from, '' for none.
    """

    folder: Path
    now: Callable[[], datetime]
    run: str = ""

    def append(self, notes: str, *, origin: str) -> Path:
        """Add an entry to today's file: a heading with the time and where it comes from, then the notes.

        Returns:
            The file, with the entry whole on disk.

        Raises:
            OSError: the folder or file cannot be written; no half entry is left behind.
        """
        now = self.now()
        path = self.folder / f"{now:%Y-%m-%d}.md"
        origin = f"{origin}, run {self.run}" if self.run else origin
        entry = f"\n## {now:%H:%M} {origin}\n\n{notes.strip()}\n"
        append_text(path, lambda before: entry if before else f"# {now:%Y-%m-%d}\n{entry}")
        return path
