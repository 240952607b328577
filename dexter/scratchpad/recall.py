"""Any earlier result of a conversation, byte for byte, by its id.

The place of each result is remembered when it is written, so recalling one reads one line, however long the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any

from dexter.errors import ScratchpadError
from dexter.results import Cell, Source, StoredResult
from dexter.scratchpad.file import Span
from dexter.scratchpad.lines import sha256_of, unpack_result
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.reader import Line, iterate_lines, read_lines
from dexter.scratchpad.results_store import read_result_file


@dataclass(frozen=True)
class _Place:
    scratchpad: Path
    span: Span


@dataclass
class ResultIndex:
    """Where each result of a conversation lies. Counting and looking up never read a file again.

    `parents` are the scratchpads of the conversation's earlier runs, newest first; they are read once, when an id is
    asked for that this run does not have.
    """

    scratchpad: Path
    parents: tuple[Path, ...] = ()
    _places: dict[int, _Place] = field(default_factory=dict)
    _own: list[int] = field(default_factory=list)
    _parents_read: int = 0

    def add(self, result: int, span: Span) -> None:
        """Remember a result of this run that was just written or read."""
        self._places[result] = _Place(self.scratchpad, span)
        self._own.append(result)

    def __len__(self) -> int:
        """How many results this run has."""
        return len(self._own)

    def ids_after(self, boundary: int) -> list[int]:
        """The ids of this run's results after `boundary`, ascending."""
        return sorted(result for result in self._own if result > boundary)

    def read(self, result: int) -> StoredResult:
        """A result of this run or of an earlier one of the conversation, whole.

        Raises:
            KeyError: There is no such result in the conversation.
            ScratchpadError: It is on record but damaged.
        """
        place = self._find(result)
        if place is None:
            return self._read_file(result)
        return _read_line(place, result)

    def read_after(self, boundary: int) -> Iterator[StoredResult]:
        """This run's results after `boundary`, ascending, one at a time; for a damaged one a line that says so."""
        return map(self._read_or_say, self.ids_after(boundary))

    def _read_or_say(self, result: int) -> StoredResult:
        """A summary of many results must not fail for one of them."""
        try:
            return self.read(result)
        except ScratchpadError as error:
            return StoredResult(result, tool="", arguments={}, status="error", text=error.message)

    def newest_first(self) -> list[int]:
        """The ids of all results of the conversation."""
        while self._parents_read < len(self.parents):
            self._read_next_parent()
        return sorted(self._places, reverse=True)

    def _find(self, result: int) -> _Place | None:
        while result not in self._places and self._parents_read < len(self.parents):
            self._read_next_parent()
        return self._places.get(result)

    def _read_next_parent(self) -> None:
        parent = self.parents[self._parents_read]
        self._parents_read += 1
        for number, span in result_spans(parent):
            self._places.setdefault(number, _Place(parent, span))

    def _read_file(self, result: int) -> StoredResult:
        """A result whose line was lost may still be whole in a file of its own."""
        for scratchpad in (self.scratchpad, *self.parents):
            path = RunPaths.of(scratchpad).results / f"{result}.txt"
            if path.is_file():
                return StoredResult(result, tool="", arguments={}, status="ok", text=_read_text(path, result))
        raise KeyError(result)


def result_spans(scratchpad: Path) -> Iterator[tuple[int, Span]]:
    """The ids of a file's results and where they lie. Lines without an id (the original's) count from 1."""
    number = 0
    for line in read_lines(scratchpad):
        if isinstance(line, Line) and line.type == "tool_result":
            number = result_id(line.record, number + 1)
            yield number, Span(line.offset, line.length)


def result_id(record: Mapping[str, Any], default: int) -> int:
    """The id a `tool_result` line gives its result, or `default`."""
    given = record.get("id")
    return given if isinstance(given, int) and not isinstance(given, bool) else default


def result_from_record(record: Mapping[str, Any], result: int, scratchpad: Path) -> StoredResult:
    """The result that a `tool_result` line holds.

    Raises:
        ScratchpadError: It is not what was recorded.
    """
    if "result" in record:
        text = unpack_result(record["result"])
    else:
        text = _read_text(_own_file(scratchpad, str(record.get("path", "")), result), result)
    if record.get("sha256") not in (None, sha256_of(text)):
        raise _damaged(result, "the text does not agree with its checksum")
    args = record.get("args")
    return StoredResult(
        id=result,
        tool=str(record.get("toolName", "")),
        arguments=args if isinstance(args, dict) else {},
        status=str(record.get("status", "ok")),
        text=text,
        cells=Cell.readable(record.get("cells")),
        sources=Source.readable(record.get("sources")),
        untrusted=untrusted_of(record),
    )


def _own_file(scratchpad: Path, path: str, result: int) -> Path:
    """A file of this run: whoever sends a record must not have any other file read with it."""
    found = scratchpad.parent / path
    folder = RunPaths.of(scratchpad).results
    real = scratchpad.parent.resolve() / folder.relative_to(scratchpad.parent)  # without links below it
    if found.parent != folder or found.resolve().parent != real:
        raise _damaged(result, "it is said to be in a file that is not the run's")
    return found


def untrusted_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Where a line says its text comes from if others wrote it."""
    origins = record.get("untrusted")
    return tuple(map(str, origins)) if isinstance(origins, list) else ()


def _read_line(place: _Place, result: int) -> StoredResult:
    try:
        with place.scratchpad.open("rb") as file:
            file.seek(place.span.offset)
            raw = file.read(place.span.length)
    except OSError as error:
        raise _damaged(result, f"{place.scratchpad} could not be read ({error.strerror})") from error
    line = next(iterate_lines(BytesIO(raw)), None)
    if not isinstance(line, Line):
        raise _damaged(result, f"its line in {place.scratchpad} is {line.reason if line else 'gone'}")
    return result_from_record(line.record, result, place.scratchpad)


def _read_text(path: Path, result: int) -> str:
    try:
        return read_result_file(path)
    except (OSError, ValueError) as error:
        raise _damaged(result, f"{path} could not be read") from error


def _damaged(result: int, reason: str) -> ScratchpadError:
    return ScratchpadError(f"Result #{result} is on record but damaged: {reason}.", remedy="Run its tool again.")
