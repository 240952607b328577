"""The whole text behind an excerpt, read from its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from dexter.errors import ScratchpadError
from dexter.replay.entries import Message, Response, Result
from dexter.replay.timeline import Timeline
from dexter.results import StoredResult
from dexter.scratchpad.file import Span
from dexter.scratchpad.reader import Line, iterate_lines
from dexter.scratchpad.recall import result_from_record


def whole_text(path: Path, entry: Result | Response | Message) -> str:
    """The text of an entry, all of it; only what was cut is read again.

    Raises:
        ScratchpadError: the line is not what it was, or the result's checksum does not agree.
    """
    if not entry.text.is_cut:
        return entry.text.text
    if isinstance(entry, Result):
        return whole_result(path, entry).text
    record = record_at(path, entry.span)
    message = record["message"] if isinstance(entry, Response) and "message" in record else record
    return str(message.get("text", message.get("content", "")))


def whole_result(path: Path, entry: Result) -> StoredResult:
    """A result with its whole text and its cells.

    Raises:
        ScratchpadError: it is not what was recorded.
    """
    return result_from_record(record_at(path, entry.span), entry.id, path)


def whole_results(timeline: Timeline) -> Iterator[StoredResult]:
    """Every result of the run, one at a time; those that are damaged are left out."""
    for entry in timeline.of(Result):
        try:
            yield whole_result(timeline.path, entry)
        except ScratchpadError:
            continue


def record_at(path: Path, span: Span) -> dict[str, Any]:
    """The object of the line in this place.

    Raises:
        ScratchpadError: the line is not what it was, or the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            file.seek(span.offset)
            raw = file.read(span.length)
    except OSError as error:
        raise ScratchpadError(
            f"{path} could not be read: {error.strerror}.", remedy="`dexter runs` lists the runs there are."
        ) from error
    line = next(iterate_lines(BytesIO(raw)), None)
    if not isinstance(line, Line):
        raise ScratchpadError(
            f"The line at byte {span.offset:,} of {path} is not what it was.", remedy="Run the command again."
        )
    return line.record
