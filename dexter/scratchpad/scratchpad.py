"""A run's record, open for writing: its file, its lock, its writer and its results, put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from dexter.messages import Messages
from dexter.results import StoredResult
from dexter.scratchpad.file import FilePort, LineFile
from dexter.scratchpad.lines import encode_line
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.naming import RunPaths, create_run
from dexter.scratchpad.recall import ResultIndex
from dexter.scratchpad.record import RunRecord
from dexter.scratchpad.results_store import persist_result, persist_transcript
from dexter.scratchpad.run_state import RunState
from dexter.scratchpad.runs import ancestors

Clock = Callable[[], str]
"""The time now, as `dexter.scratchpad.lines.timestamp` writes it."""


@dataclass
class LineWriter:
    """Appends lines to the record and remembers where each result lies (`dexter.scratchpad.record.LineAppender`)."""

    file: LineFile
    index: ResultIndex
    clock: Clock

    def append(self, kind: str, fields: Mapping[str, Any], *, sync: bool = True) -> None:
        """See `LineAppender`. After a failed line only an `end` line is tried, and its failure raises nothing."""
        line = encode_line(kind, self.clock(), fields)
        if kind == "end" and self.file.failure is not None:
            self.file.append_last(line)
            return
        span = self.file.append(line, sync=sync)
        if kind == "tool_result":
            self.index.add(fields["id"], span)


@dataclass(frozen=True)
class RunResults:
    """Every result of the conversation whole, and files for large ones (`dexter.context.stage.ResultStore`)."""

    paths: RunPaths
    index: ResultIndex
    port: FilePort
    clock: Clock

    def persist(self, result: int, text: str) -> Path:
        """Write `text` to a new file named by the result's id; see `persist_result`."""
        return persist_result(self.paths.results, result, text, self.port)

    def read(self, result: int) -> StoredResult:
        """The result, byte for byte; see `ResultIndex.read`."""
        return self.index.read(result)

    def read_after(self, boundary: int) -> Iterator[StoredResult]:
        """This run's results after the one a summary covers last, in order; see `ResultIndex.read_after`."""
        return self.index.read_after(boundary)

    def newest_first(self) -> list[int]:
        """The ids of all results of the conversation."""
        return self.index.newest_first()

    def transcript(self, messages: Messages) -> Path:
        """Write the messages to a new transcript file, one `message` line each; see `persist_transcript`."""
        lines = (encode_line("message", self.clock(), message.to_json()) for message in messages)
        return persist_transcript(self.paths.transcripts, lines, self.port)


@dataclass(frozen=True)
class Scratchpad:
    """An open record. While it is open no other process can take up the run."""

    paths: RunPaths
    record: RunRecord
    results: RunResults
    _file: LineFile
    _lock: RunLock

    @classmethod
    def create(
        cls,
        folder: Path,
        question: str,
        *,
        started: datetime,
        clock: Clock,
        port: FilePort,
        parents: Iterable[Path] = (),
    ) -> Scratchpad:
        """A new run's record, empty.

        Args:
            folder: Where scratchpads lie; made if it is not there.
            question: What the run is about; it gives the file its name.
            started: When the run began.
            clock: Gives each line its time.
            port: The file system.
            parents: The scratchpads of the conversation's earlier runs, newest first.

        Raises:
            ScratchpadError: The folder or file cannot be created or locked.
        """
        paths, file = create_run(folder, question, started, port)
        try:
            lock = RunLock.acquire(paths.lock)
        except BaseException:
            file.close()
            raise
        index = ResultIndex(paths.scratchpad, tuple(parents))
        record = RunRecord(LineWriter(file, index, clock))
        return cls(paths, record, RunResults(paths, index, port, clock), file, lock)

    @classmethod
    def reopen(cls, state: RunState, lock: RunLock, *, clock: Clock, port: FilePort) -> Scratchpad:
        """The record of a run that is taken up again; the caller writes its `resume` line.

        Args:
            state: What the file says.
            lock: The run's lock, taken before the file was read, so that nobody can have added to it since.
            clock: Gives each line its time.
            port: The file system.

        Raises:
            ScratchpadError: The file cannot be opened for writing.
        """
        paths = RunPaths.of(state.scratchpad)
        file = LineFile.reopen(state.scratchpad, port)
        index = ResultIndex(state.scratchpad, ancestors(state.scratchpad))
        for result, span in state.results:
            index.add(result, span)
        record = RunRecord(LineWriter(file, index, clock), recorded=state.unplaced)
        return cls(paths, record, RunResults(paths, index, port, clock), file, lock)

    def close(self) -> None:
        """Give file and lock back."""
        self._file.close()
        self._lock.release()
