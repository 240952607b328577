r"""Reading a scratchpad line by line, whatever happened to it.

Only `\n` ends a line. A line that is damaged is reported with its place and the reason and costs no other line;
types and keys that this version does not know are kept as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

from dexter.errors import ScratchpadError
from dexter.scratchpad.lines import decode_line

MAX_LINE_BYTES = 256 * 1024 * 1024
"""A longer line is skipped piece by piece, so that memory stays bounded on a file that has lost its newlines."""

BadReason = Literal[
    "cut off",
    "NUL bytes",
    "not UTF-8",
    "not JSON",
    "nested too deeply",
    "too long",
    "not an object",
    "no type",
    "no timestamp",
    "wrong fields",
]


class Line(NamedTuple):
    """A good line: its place in bytes, and the object with at least `type` and `timestamp`, both strings."""

    offset: int
    length: int
    record: dict[str, Any]

    @property
    def type(self) -> str:
        """The line's type; it may be one this version does not know."""
        kind: str = self.record["type"]
        return kind


class BadLine(NamedTuple):
    """A line that was skipped: its place in bytes, and why."""

    offset: int
    length: int
    reason: BadReason


@dataclass(frozen=True)
class Reading:
    """A whole file: its good lines in order, and the bad ones."""

    lines: tuple[Line, ...]
    bad: tuple[BadLine, ...]


def read(path: Path) -> Reading:
    """Read a whole file into memory.

    Raises:
        ScratchpadError: The file cannot be opened or read.
    """
    good: list[Line] = []
    bad: list[BadLine] = []
    for line in read_lines(path):
        if isinstance(line, Line):
            good.append(line)
        else:
            bad.append(line)
    return Reading(tuple(good), tuple(bad))


def read_lines(path: Path, *, start: int = 0) -> Iterator[Line | BadLine]:
    """The file's lines, one at a time, from the byte offset `start` on, which must be the beginning of a line.

    Raises:
        ScratchpadError: The file cannot be opened or read.
    """
    try:
        with path.open("rb") as file:
            file.seek(start)
            yield from iterate_lines(file, start=start)
    except OSError as error:
        raise ScratchpadError(
            f"The scratchpad {path} could not be read: {error.strerror}.",
            remedy="`dexter runs` lists the ones there are.",
        ) from error


def iterate_lines(file: BinaryIO, *, start: int = 0, longest: int = MAX_LINE_BYTES) -> Iterator[Line | BadLine]:
    """The lines of an open file that stands at the byte offset `start`. Empty lines are no lines."""
    offset = start
    for raw in iter(partial(file.readline, longest), b""):
        length = len(raw)
        if length == longest and not raw.endswith(b"\n"):
            length += _skip_rest(file, longest)
            yield BadLine(offset, length, "too long")
        elif not raw.isspace():
            record = _parse(raw)
            yield BadLine(offset, length, record) if isinstance(record, str) else Line(offset, length, record)
        offset += length


def _skip_rest(file: BinaryIO, longest: int) -> int:
    skipped = 0
    for piece in iter(partial(file.readline, longest), b""):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            break
    return skipped


def _parse(raw: bytes) -> dict[str, Any] | BadReason:
    try:
        record = decode_line(raw.decode())
    except RecursionError:
        return "nested too deeply"
    except ValueError as error:
        return _why_not_json(raw, error)
    if not isinstance(record, dict):
        return "not an object"
    if not isinstance(record.get("type"), str):
        return "no type"
    if not isinstance(record.get("timestamp"), str):
        return "no timestamp"
    return record


def _why_not_json(raw: bytes, error: ValueError) -> BadReason:
    if b"\0" in raw:
        return "NUL bytes"
    if not raw.endswith(b"\n"):
        return "cut off"
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else "not JSON"
