"""The runs in a folder: finding one by what a person calls it, and listing them without reading them whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

from dexter.errors import ExitStatus, ScratchpadError, UsageError
from dexter.messages import question_index
from dexter.scratchpad.lock import is_locked
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.reader import Line, iterate_lines, read_lines
from dexter.scratchpad.run_state import RunState, is_end, known_cost, read_whole_state
from dexter.scratchpad.storage import bytes_of
from dexter.usage import Usage

_HEAD_LINES = 4  # `init` and `run` are the first two, unless a line was damaged
_TAIL_BYTES = 64 * 1024
_SECOND = len("2026-11-30-170945")
_SHOWN = 5


@dataclass(frozen=True)
class RunSummary:
    """A run in a list.

    `status` is that of the last `end` line, or `running`, or `cut off`, or empty for a file of the original's. Times
    are as recorded. `turns` is None where the file does not say; `cost_usd` None where unknown; `size` in bytes.
    """

    path: Path
    run: str
    question: str
    started: str
    conversation: str
    parent: str | None
    model: str
    policy: str
    turns: int | None
    usage: Usage
    cost_usd: Decimal | None
    status: str
    exit_status: int | None
    size: int
    bytes: int = 0
    has_question: bool = True

    @property
    def resumable(self) -> bool:
        """Whether there is something to go on with: asked, not answered, not going on, and written by Dexter."""
        answered = self.exit_status in {ExitStatus.ANSWERED, ExitStatus.FIGURE_NOT_FOUND}
        return self.status not in {"running", ""} and self.has_question and not answered


def scratchpads(folder: Path) -> tuple[Path, ...]:
    """The folder's scratchpads, newest first: by the second they were begun in, then by their last change."""
    if not folder.is_dir():
        return ()
    try:
        entries = [entry for entry in os.scandir(folder) if entry.name.endswith(".jsonl") and entry.is_file()]
        entries.sort(key=lambda entry: (entry.name[:_SECOND], entry.stat().st_mtime_ns), reverse=True)
    except OSError as error:
        raise ScratchpadError(
            f"The folder {folder} could not be read: {error.strerror}.", remedy="Mend its permissions."
        ) from error
    return tuple(Path(entry.path) for entry in entries)


def find_run(folder: Path, name: str) -> Path:
    """The scratchpad that `name` means: a path, a run's id, a unique beginning of one, or `last`.

    A sub-agent's run is meant where no other one is; `last` is never one.

    Raises:
        UsageError: None or several are meant.
    """
    if names_file(name):
        return Path(name)
    known = scratchpads(folder)
    if name == "last":
        matches = known[:1]
    else:
        stem = name.removesuffix(".jsonl")
        matches = _called(stem, known) or _called(stem, tuple(folder.glob("*/subagents/*.jsonl")))
    if len(matches) == 1:
        return matches[0]
    raise _not_one(folder, name, matches)


def last_conversation(folder: Path) -> Path:
    """The newest run that can be followed up: what another tool wrote, or a crash left empty, is passed over.

    Raises:
        UsageError: There is none.
    """
    for path in scratchpads(folder):
        try:
            if _header(path) is not None:
                return path
        except ScratchpadError:
            continue
    raise UsageError(f"There is no conversation in {folder} yet.", remedy='`dexter`, or `dexter ask "…"`, begins one.')


def names_file(name: str) -> bool:
    """Whether a run is named by the path of its file."""
    return _is(Path(name), Path.is_file)


def _is(path: Path, what: Callable[[Path], bool]) -> bool:
    """Whether a path is that; one that can't be looked at (too long a name, a folder that is closed) is nothing."""
    try:
        return what(path)
    except OSError:
        return False


def _called(stem: str, known: tuple[Path, ...]) -> tuple[Path, ...]:
    """Those of that name, else those whose name begins so."""
    exact = tuple(path for path in known if path.stem == stem)
    return exact or tuple(path for path in known if stem and path.stem.startswith(stem))


@dataclass(frozen=True)
class Unreadable:
    """A file among the runs that could not be read, and the system's reason."""

    path: Path
    reason: str


def list_runs(folder: Path) -> tuple[RunSummary, ...]:
    """Every run in the folder that can be read, newest first.

    Raises:
        ScratchpadError: the folder cannot be read.
    """
    return read_runs(folder)[0]


def read_runs(folder: Path) -> tuple[tuple[RunSummary, ...], tuple[Unreadable, ...]]:
    """The same, and the files that could not be read.

    Raises:
        ScratchpadError: the folder cannot be read.
    """
    summaries, unreadable = [], []
    for path in scratchpads(folder):
        try:
            summaries.append(summarize(path))
        except FileNotFoundError:
            continue  # removed meanwhile
        except (ScratchpadError, OSError) as error:
            reason = error if isinstance(error, OSError) else error.__cause__
            if not isinstance(reason, FileNotFoundError):
                unreadable.append(Unreadable(path, getattr(reason, "strerror", None) or str(error)))
    return tuple(summaries), tuple(unreadable)


def summarize(scratchpad: Path) -> RunSummary:
    """What a list says of a run. Of a run that has ended only the first and the last lines are read.

    Raises:
        ScratchpadError: The file cannot be read.
    """
    state = RunState(scratchpad)
    for line in islice(read_lines(scratchpad), _HEAD_LINES):
        state.feed(line)
    end, has_question = _end_in_tail(scratchpad), True
    if end is None:
        state = read_whole_state(scratchpad)
        end, has_question = state.end or {}, question_index(state.messages) >= 0
    usage = Usage.from_json(end["usage"]) if "usage" in end else state.usage
    header, settings = state.header, state.header.get("settings") or {}
    running = is_locked(RunPaths.of(scratchpad).lock)
    return RunSummary(
        path=scratchpad,
        run=RunPaths.of(scratchpad).run,
        question=state.question,
        started=state.started,
        conversation=str(header.get("conversation", "")),
        parent=parent if isinstance(parent := header.get("parent"), str) else None,
        model=str(settings.get("model", "")),
        policy=str(settings.get("policy", "")),
        turns=(end.get("turns", state.turn) if header else None),
        usage=usage,
        cost_usd=known_cost(end.get("cost_usd")) if "usage" in end else state.cost_usd if header else None,
        status="running" if running else str(end.get("status", "cut off" if header else "")),
        exit_status=end.get("exit_status"),
        size=scratchpad.stat().st_size,
        bytes=bytes_of(RunPaths.of(scratchpad)),
        has_question=has_question,
    )


def ancestors(scratchpad: Path) -> tuple[Path, ...]:
    """The scratchpads of the conversation's earlier runs, newest first, as far as they are there."""
    found: list[Path] = []
    path: Path | None = _parent(scratchpad)
    while path is not None and path not in (scratchpad, *found) and path.is_file():
        found.append(path)
        path = _parent(path)
    return tuple(found)


def question_of(scratchpad: Path) -> str:
    """What the run was asked, from its first lines alone; '' where they do not say."""
    state = RunState(scratchpad)
    with suppress(ScratchpadError):
        for line in islice(read_lines(scratchpad), _HEAD_LINES):
            state.feed(line)
    return state.question


def _header(scratchpad: Path) -> Mapping[str, Any] | None:
    """The `run` line, None where the file has none."""
    head = islice(read_lines(scratchpad), _HEAD_LINES)
    return next((line.record for line in head if isinstance(line, Line) and line.type == "run"), None)


def _parent(scratchpad: Path) -> Path | None:
    header = _header(scratchpad)
    parent = header.get("parent") if header else None
    if isinstance(parent, str):
        return RunPaths(scratchpad.parent, parent).scratchpad
    return None


def _end_in_tail(scratchpad: Path) -> Mapping[str, Any] | None:
    """The `end` line among the last lines, if the run was not taken up again after it."""
    end = None
    with scratchpad.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - _TAIL_BYTES, 0))
        if size > _TAIL_BYTES:
            file.readline()
        for line in iterate_lines(file):
            if isinstance(line, Line) and line.type == "resume":
                end = None
            elif isinstance(line, Line) and line.type == "end" and is_end(line.record):
                end = line.record
    return end


def _nothing(folder: Path, name: str) -> str:
    """What stands in the way, where a path was meant."""
    path = Path(name)
    if name and _is(path, Path.is_dir):
        return f"{name} is a folder, not a run's file."
    if name and _is(path, Path.exists):
        return f"{name} is no regular file, so no run's."
    if "/" in name:
        return f"There is no file {name}, and no run called so in {folder}."
    return f"There is no run called {name!r} in {folder}."


def _not_one(folder: Path, name: str, matches: tuple[Path, ...]) -> UsageError:
    remedy = "`dexter runs` lists the runs there are."
    if not matches:
        if name == "last":
            return UsageError(f"There is no run in {folder} yet.", remedy='`dexter ask "…"` makes one.')
        return UsageError(_nothing(folder, name), remedy=remedy)
    shown = ", ".join(path.stem for path in matches[:_SHOWN]) + (", …" if len(matches) > _SHOWN else "")
    return UsageError(f"{len(matches)} runs begin with {name!r}: {shown}.", remedy="Give more of the name.")
