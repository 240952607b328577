"""Reading a run's file into its timeline: whole, or as it grows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dexter.replay.entries import Entry, Skipped
from dexter.replay.fold import TimelineFold
from dexter.replay.timeline import Timeline
from dexter.scratchpad.file import Span
from dexter.scratchpad.lock import is_locked
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.reader import BadLine, read_lines


class TimelineReader:
    """Reads a file from where it stopped the last time; `fold` has what was read until then."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fold = TimelineFold()
        self.size = 0

    @property
    def is_running(self) -> bool:
        """Whether a process works on the run right now."""
        return is_locked(RunPaths.of(self.path).lock)

    def read_on(self, *, growing: bool) -> Iterator[Entry]:
        """The entries of the lines since. Of a file that is `growing`, a half-written last line is left for later.

        Raises:
            ScratchpadError: the file cannot be opened or read.
        """
        for line in read_lines(self.path, start=self.size):
            if growing and isinstance(line, BadLine) and line.reason == "cut off":
                return
            self.size = line.offset + line.length
            if (entry := self.fold.feed(line)) is not None:
                yield entry

    def fall_back(self) -> Skipped | None:
        """Where the file has become shorter than what was read of it, go on from its new end; what was taken away."""
        try:
            size = self.path.stat().st_size
        except OSError:
            return None  # reading tells
        if size >= self.size:
            return None
        lost = Span(size, self.size - size)
        self.size = size
        return Skipped(self.fold.turn, self.fold.updated, lost, "taken away after it had been read")

    def timeline(self, entries: tuple[Entry, ...], *, running: bool) -> Timeline:
        """The timeline of entries read so far."""
        return Timeline(self.path, self.fold.header, entries, self.fold.updated, self.size, running)


def read_timeline(path: Path) -> Timeline:
    """A run's timeline, from its file in one pass. Damaged lines are entries, too.

    Raises:
        ScratchpadError: the file cannot be opened or read.
    """
    reader = TimelineReader(path)
    running = reader.is_running  # before reading: what is half-written then may be whole a moment later
    return reader.timeline(tuple(reader.read_on(growing=running)), running=running)
