"""An evaluation: questions of a set to a model, each answer graded, every result on disk before the next is asked."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from dexter.evals.grade import Grade
from dexter.evals.purse import Purse
from dexter.evals.questions import Question, QuestionSet
from dexter.evals.results_file import ResultsWriter
from dexter.evals.tasks import Answerer, Outcome, Task
from dexter.evals.work import Progress, work_off

Grader: TypeAlias = Callable[[Question, str], Awaitable[Grade]]
OnProgress: TypeAlias = Callable[[Progress], None]


@dataclass(frozen=True)
class Selection:
    """Which questions of a set are asked, in which order and how often.

    With a `seed` they are shuffled, so that `limit` takes some at random, the same ones each time.
    """

    seed: int | None = None
    limit: int | None = None
    samples: int = 1

    def of(self, questions: Sequence[Question]) -> list[tuple[Question, int]]:
        """Each question with the number of its sample, from 1."""
        chosen = list(questions)
        if self.seed is not None:
            random.Random(self.seed).shuffle(chosen)  # noqa: S311 - an order, not a secret
        chosen = chosen[: self.limit]
        return [(question, sample) for sample in range(1, self.samples + 1) for question in chosen]


def key_of(question: Question, sample: int) -> str:
    """What a question's result is called; a sample has its number behind it."""
    return question.id if sample == 1 else f"{question.id}#{sample}"


def folder_of(runs: Path, key: str) -> Path:
    """Where the scratchpad of a key lives: readable, and another one for every key."""
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return runs / f"{re.sub(r'[^A-Za-z0-9-]+', '-', key)[:40].strip('-')}-{digest}"


def runs_folder(results: Path) -> Path:
    """The folder of the scratchpads that belong to a results file, beside it."""
    return results.with_name(f"{results.name.removesuffix('.jsonl')}.runs")


def heading_of(asked: QuestionSet, selection: Selection, who: Mapping[str, str]) -> dict[str, Any]:
    """What a results file says first. `who`: model, policy and judge."""
    return {
        "type": "evaluation",
        "set": asked.name,
        "sha256": asked.sha256,
        **who,
        "seed": selection.seed,
        "limit": selection.limit,
        "samples": selection.samples,
    }


async def evaluate(
    asked: Sequence[tuple[Question, int]],
    answer: Answerer,
    grade: Grader,
    writer: ResultsWriter,
    known: Mapping[str, Mapping[str, Any]],
    *,
    runs: Path,
    concurrency: int,
    purse: Purse,
    on_progress: OnProgress,
) -> tuple[dict[str, Mapping[str, Any]], Progress]:
    """Ask and grade what has no result yet; gives all results by key, and how far the work got.

    Raises:
        Interrupted: it was cancelled; what is done is on disk.
        DexterError: something failed that would fail for every question.
    """
    by_key = {key_of(question, sample): question for question, sample in asked}
    results: dict[str, Mapping[str, Any]] = {key: line for key, line in known.items() if key in by_key}
    progress = Progress(len(by_key), done=len(results))
    on_progress(progress)

    async def finish(task: Task, outcome: Outcome) -> None:
        question = by_key[task.key]
        given = await grade(question, outcome.text)
        purse.spend(given.cost_usd)
        results[task.key] = writer.add(task.key, result_fields(question, outcome, given))
        on_progress(progress)

    tasks = (
        Task(key, question.question, folder_of(runs, key), question.as_of)
        for key, question in by_key.items()
        if key not in results
    )
    await work_off(tasks, answer, finish, concurrency=concurrency, purse=purse, progress=progress)
    on_progress(progress)
    return {key: results[key] for key in by_key if key in results}, progress


def result_fields(question: Question, outcome: Outcome, grade: Grade) -> dict[str, Any]:
    """A question's line in the results file."""
    cited = bool(set(question.accessions) & set(outcome.accessions)) if question.accessions else None
    return {
        "id": question.id,
        "question": question.question,
        "question_type": question.type,
        **outcome.to_json(),
        **grade.to_json(),
        "cited": cited,
    }
