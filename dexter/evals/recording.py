"""Working off a list with every result on disk: what evaluations and batches have in common."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from dexter.evals.purse import Purse
from dexter.evals.results_file import ResultsWriter
from dexter.evals.tasks import Answerer, Outcome, Task
from dexter.evals.work import Progress, work_off

ResultLines: TypeAlias = dict[str, Mapping[str, Any]]
OnProgress: TypeAlias = Callable[[Progress], None]
# What a task's line says beside its key.
Describe: TypeAlias = Callable[[Task, Outcome], Awaitable[Mapping[str, Any]]]

_SHOWN_LETTERS = 40


@dataclass(frozen=True)
class Execution:
    """Who answers, how many at a time, for how much, and where results go.

    `known` are the results on disk by key, which are not asked for again; scratchpads live in folders below `runs`.
    """

    answer: Answerer
    writer: ResultsWriter
    known: Mapping[str, Mapping[str, Any]]
    runs: Path
    purse: Purse
    concurrency: int
    on_progress: OnProgress

    async def record(self, tasks: Mapping[str, Task], describe: Describe) -> tuple[ResultLines, Progress]:
        """Answer what has no result yet; gives the results in the order of the tasks, and how far the work got.

        Raises:
            Interrupted: it was cancelled; what is done is on disk.
            DexterError: something failed that would fail for every question.
        """
        results: ResultLines = {key: line for key, line in self.known.items() if key in tasks}
        progress = Progress(len(tasks), done=len(results))
        self.on_progress(progress)

        async def finish(task: Task, outcome: Outcome) -> None:
            results[task.key] = self.writer.add(task.key, await describe(task, outcome))
            self.on_progress(progress)

        left = [task for key, task in tasks.items() if key not in results]
        await work_off(left, self.answer, finish, concurrency=self.concurrency, purse=self.purse, progress=progress)
        self.on_progress(progress)
        return {key: results[key] for key in tasks if key in results}, progress


def folder_of(runs: Path, key: str) -> Path:
    """Where the scratchpad of a key lives: readable, and another one for every key."""
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return runs / f"{re.sub(r'[^A-Za-z0-9-]+', '-', key)[:_SHOWN_LETTERS].strip('-')}-{digest}"


def runs_folder(results: Path) -> Path:
    """The folder of the scratchpads that belong to a results file, beside it."""
    return results.with_name(f"{results.name.removesuffix('.jsonl')}.runs")
