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
    """A results file as it was read: its heading, each key's line, and how many lines were damaged."""

    path: Path
    heading: Mapping[str, Any]
    lines: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    damaged: int = 0

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
    if path.is_dir():
        raise UsageError(f"{path} is a folder.", remedy="Name a file by --results.")
    heading: Mapping[str, Any] | None = None
    lines: dict[str, Mapping[str, Any]] = {}
    cut_off, strange = 0, 0
    for line in read_lines(path):
        if not isinstance(line, Line):
            cut_off, strange = cut_off + (line.reason == "cut off"), strange + (line.reason != "cut off")
        elif heading is None and line.type in KINDS:
            heading = line.record
        elif line.type == "result" and isinstance(line.record.get("key"), str):
            lines[line.record["key"]] = line.record  # what failed and was asked again has two
        else:
            strange += 1
    if heading is None:
        if strange or lines or (cut_off and not _is_begun(path)):
            raise _no_results(path, len(lines))
        return None
    if heading.get("schema") != SCHEMA:
        raise UsageError(f"{path} was written by a later version of Dexter.", remedy="Name another file by --results.")
    return Results(path, heading, lines, strange)


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


def _no_results(path: Path, results: int) -> UsageError:
    if not results:
        return UsageError(f"{path} is no results file.", remedy="Name another file by --results.")
    return UsageError(
        f"The first line of {path}, which says what was asked of whom, is damaged; results behind it: {results:,}.",
        remedy="Put that line back (docs/evaluation.md says what is in it), or name another file by --results.",
    )


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
    if found.kind != heading["type"]:
        article = "an" if found.kind == "evaluation" else "a"
        raise _another(f"{found.path} holds the results of {article} {found.kind}.")
    for name, wanted in heading.items():
        was = found.heading.get(name)
        if was != wanted and name == "sha256":
            raise _another(f"The questions have changed since {found.path} was begun.")
        if was != wanted:
            named = name.replace("_", " ")
            raise _another(f"{found.path} was begun otherwise: its {named} is {_shown(was)}, now {_shown(wanted)}.")


def _another(told: str) -> UsageError:
    return UsageError(told, remedy="Name another file by --results, or ask as before.")


def _shown(value: Any) -> str:
    return "not set" if value in (None, "") else repr(value)
