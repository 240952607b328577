"""A run in progress, entry by entry as its file grows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from dexter.events import Sink
from dexter.replay.entries import Ended, Entry
from dexter.replay.events import EventTeller
from dexter.replay.read import TimelineReader
from dexter.scratchpad.naming import RunPaths

LOOK_EVERY_S = 0.2


def follow(reader: TimelineReader, wait: Callable[[float], None]) -> Iterator[Entry]:
    """Every entry from where the reader stands, until the run's process is gone and all it wrote is read.

    `wait` is called with the seconds between two looks at the file.

    Raises:
        ScratchpadError: the file cannot be read any more.
    """
    while True:
        if (lost := reader.fall_back()) is not None:
            yield lost
        running = reader.is_running  # before reading: what a process wrote before it left is read, too
        yield from reader.read_on(growing=running)
        if not running:
            return
        wait(LOOK_EVERY_S)


def tell_as_it_goes(reader: TimelineReader, entries: Iterable[Entry], sink: Sink) -> bool:
    """Hand the events of entries to a sink, as they come; whether the last of them was an end."""
    teller = EventTeller(RunPaths.of(reader.path).run, str(reader.path))
    begun = ended = False
    for entry in entries:
        if not begun:
            sink(teller.begin(reader.fold.header))
            begun = True
        for emitted in teller.tell(entry, reader.fold.header):
            sink(emitted)
        ended = isinstance(entry, Ended)
    return ended
