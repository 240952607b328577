"""An evaluation: questions of a set to a model, each answer graded, every result on disk before the next is asked."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dexter.evals.grade import Grade
from dexter.evals.questions import Question, QuestionSet
from dexter.evals.recording import Execution, ResultLines, folder_of
from dexter.evals.tasks import Outcome, Task
from dexter.evals.work import Progress

Grader: TypeAlias = Callable[[Question, str], Awaitable[Grade]]


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
    asked: Sequence[tuple[Question, int]], grade: Grader, execution: Execution
) -> tuple[ResultLines, Progress]:
    """Ask and grade what has no result yet; gives all results by key, and how far the work got.

    Raises:
        Interrupted: it was cancelled; what is done is on disk.
        DexterError: something failed that would fail for every question.
    """
    questions = {key_of(question, sample): question for question, sample in asked}

    async def describe(task: Task, outcome: Outcome) -> Mapping[str, Any]:
        question = questions[task.key]
        given = await grade(question, outcome.text)
        execution.purse.spend(given.cost_usd)
        return result_fields(question, outcome, given)

    tasks = {
        key: Task(key, question.question, folder_of(execution.runs, key), question.as_of)
        for key, question in questions.items()
    }
    return await execution.record(tasks, describe)


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
