"""The results: an append-only file of JSON lines, one for each question that is done, which a later start goes on from.

The first line says what was asked of whom; a file of another list, model or policy is not gone on with. A line that was
cut off is as if it had never been there: its question is taken up again from its own scratchpad.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dexter.errors import UsageError
from dexter.scratchpad.file import FilePort, LineFile
from dexter.scratchpad.lines import encode_line
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.reader import Line, read_lines

SCHEMA = 1
KINDS = ("evaluation", "batch")
_BEGINNING = b'{"type":"'


@dataclass(frozen=True)
class Results:
    """A results file as it was read: its heading, and each key's line."""

    path: Path
    heading: Mapping[str, Any]
    lines: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """`evaluation` or `batch`."""
        return str(self.heading["type"])


def read_results(path: Path) -> Results | None:
    """What a file holds; None where it is not there, or nothing whole is in it.

    Raises:
        UsageError: it is no results file, or one of a later version.
        ScratchpadError: it can't be read.
    """
    if not path.exists():
        return None
    heading: Mapping[str, Any] | None = None
    lines: dict[str, Mapping[str, Any]] = {}
    strange = False
    for line in read_lines(path):
        if not isinstance(line, Line):
            strange = strange or line.reason != "cut off" or not _is_begun(path)
        elif heading is None and line.type in KINDS:
            heading = line.record
        elif line.type == "result" and isinstance(line.record.get("key"), str):
            lines[line.record["key"]] = line.record  # what failed and was asked again has two
        else:
            strange = True
    if heading is None:
        if strange or lines:
            raise _no_results(path)
        return None
    if heading.get("schema") != SCHEMA:
        raise UsageError(f"{path} was written by a later version of Dexter.", remedy="Name another file by --results.")
    return Results(path, heading, lines)


def is_results_file(path: Path) -> bool:
    """Whether a file begins as one."""
    try:
        first = next(iter(read_lines(path)), None)
    except OSError:
        return False
    return isinstance(first, Line) and first.type in KINDS


def _is_begun(path: Path) -> bool:
    """Whether a file begins like a heading, however little of it was written."""
    with path.open("rb") as file:
        return _BEGINNING.startswith(file.read(len(_BEGINNING)))


def _no_results(path: Path) -> UsageError:
    return UsageError(f"{path} is no results file.", remedy="Name another file by --results.")


class ResultsWriter:
    """Adds lines to a results file; at most one process does."""

    def __init__(self, file: LineFile, lock: RunLock, clock: Callable[[], str]) -> None:
        self._file = file
        self._lock = lock
        self._clock = clock

    @classmethod
    def open(
        cls, path: Path, heading: Mapping[str, Any], *, port: FilePort, clock: Callable[[], str]
    ) -> tuple[Self, Results]:
        """Begin a file, or go on with one. `heading` has its `type`; what else it says must be what the file says.

        Raises:
            UsageError: the file is of something else.
            ScratchpadError: it can't be read or written, or another process works on it.
        """
        port.make_folder(path.absolute().parent)
        lock = RunLock.acquire(path.with_name(f"{path.name}.lock"))
        try:
            found = read_results(path)
            if found is None:
                fresh = not path.exists()
                file = LineFile.create(path, port) if fresh else LineFile.reopen(path, port)
                file.append(_line(heading, clock()))
                found = Results(path, heading)
            else:
                _check_same(found, heading)
                file = LineFile.reopen(path, port)
        except BaseException:
            lock.release()
            raise
        return cls(file, lock, clock), found

    def add(self, key: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Record that a question is done; on return it is on the disk.

        Raises:
            ScratchpadError: it is not.
        """
        record = {"key": key, **fields}
        self._file.append(encode_line("result", self._clock(), record))
        return record

    def close(self) -> None:
        """Give file and lock back."""
        self._file.close()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _line(heading: Mapping[str, Any], at: str) -> bytes:
    fields = {name: value for name, value in heading.items() if name != "type"}
    return encode_line(str(heading["type"]), at, {"schema": SCHEMA, **fields})


def _check_same(found: Results, heading: Mapping[str, Any]) -> None:
    """Raises UsageError naming the first thing in which they differ."""
    for name, wanted in heading.items():
        if found.heading.get(name) != wanted:
            raise UsageError(
                f"{found.path} holds results of another {found.kind}: its {name.replace('_', ' ')} is"
                f" {found.heading.get(name)!r}, not {wanted!r}.",
                remedy="Name another file by --results, or ask as before.",
            )
