"""What a run's files are called, and where they lie."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from dexter.scratchpad.file import FilePort, LineFile

_SUFFIX = ".jsonl"


@dataclass(frozen=True)
class RunPaths:
    """The files of one run, all beside each other in `folder`."""

    folder: Path
    run: str

    @classmethod
    def of(cls, scratchpad: Path) -> RunPaths:
        """The paths that belong to a scratchpad file."""
        return cls(scratchpad.parent, scratchpad.name.removesuffix(_SUFFIX))

    @property
    def scratchpad(self) -> Path:
        """`<run>.jsonl`: the record itself."""
        return self.folder / f"{self.run}{_SUFFIX}"

    @property
    def results(self) -> Path:
        """`<run>/results`: large results, one file each."""
        return self.folder / self.run / "results"

    @property
    def transcripts(self) -> Path:
        """`<run>/transcripts`: whole conversations saved before they were compacted."""
        return self.folder / self.run / "transcripts"

    @property
    def subagents(self) -> Path:
        """`<run>/subagents`: the runs of its sub-agents, each with files like these."""
        return self.folder / self.run / "subagents"

    @property
    def lock(self) -> Path:
        """`<run>.lock`: held while a process works on the run."""
        return self.folder / f"{self.run}.lock"


def run_names(question: str, started: datetime) -> Iterator[str]:
    """The run's name, then (`-2`, `-3` and so on) those of later runs of the same question in the same second."""
    digest = hashlib.md5(question.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()
    name = f"{started.astimezone(UTC):%Y-%m-%d-%H%M%S}_{digest[:12]}"
    yield name
    yield from (f"{name}-{number}" for number in count(2))


def create_run(folder: Path, question: str, started: datetime, port: FilePort) -> tuple[RunPaths, LineFile]:
    """Create the run's scratchpad under the first of its names that is free.

    Raises:
        ScratchpadError: The folder or the file cannot be created.
    """
    for name in run_names(question, started):
        paths = RunPaths(folder, name)
        try:
            return paths, LineFile.create(paths.scratchpad, port)
        except FileExistsError:
            continue
    raise AssertionError  # the names never end
