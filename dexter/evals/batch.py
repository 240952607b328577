"""A batch: a list of questions, or of things to ask one question about; each answer is on disk once it is there."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from dexter.errors import UsageError
from dexter.evals.question_file import read_records, read_text
from dexter.evals.recording import Execution, ResultLines, folder_of
from dexter.evals.tasks import Outcome, Task
from dexter.evals.work import Progress
from dexter.usage import Usage

_FIELD = re.compile(r"\{([A-Za-z0-9_ -]*)\}")
_KEY_LETTERS = 12


def read_list(path: Path, template: str = "") -> dict[str, str]:
    """The questions of a file by their keys, which hang on the words alone: lines may be added later.

    Lines of text; a CSV file or JSON lines with a `question`; with a `template` whatever its `{fields}` name (of a line
    of text, any field is the whole line).

    Raises:
        UsageError: the file can't be read, is empty, or lacks a field of the template.
    """
    text = read_text(path, "Name a file with a question or ticker a line, a CSV file or JSON lines.")
    questions = [question for question in _questions(path, text, template) if question]
    if not questions:
        raise UsageError(f"{path} holds no question.", remedy="Write one a line.")
    if any("\0" in question for question in questions):
        raise UsageError(f"{path} holds binary data.", remedy="Give the questions as text.")
    seen: Counter[str] = Counter()
    keyed: dict[str, str] = {}
    for question in questions:
        digest = hashlib.sha256(question.encode()).hexdigest()[:_KEY_LETTERS]
        seen[digest] += 1
        keyed[digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"] = question
    return keyed


def _questions(path: Path, text: str, template: str) -> Iterator[str]:
    if template and not _FIELD.search(template):
        raise UsageError("The template names no field.", remedy="Write it like this: “{ticker}'s margins last year”.")
    if path.suffix.lower() not in (".csv", ".jsonl"):
        lines = filter(None, map(str.strip, text.split("\n")))
        yield from (_of_line(line, template) for line in lines if not line.startswith("#"))
        return
    for number, record in read_records(path, text):
        yield _filled(template or "{question}", record, path, number).strip()


def _of_line(line: str, template: str) -> str:
    return _FIELD.sub(lambda _field: line, template) if template else line


def _filled(template: str, record: Mapping[str, Any], path: Path, number: int) -> str:
    def value(field: re.Match[str]) -> str:
        name = re.sub(r"[^a-z0-9]", "", field.group(1).lower())
        if record.get(name) is None:
            raise UsageError(
                f"{path}, line {number}: there is no {field.group(1) or 'field'!r}.",
                remedy="Name the columns in a heading, or use another --template.",
            )
        return str(record[name])

    return _FIELD.sub(value, template)


async def answer_all(questions: Mapping[str, str], execution: Execution) -> tuple[ResultLines, Progress]:
    """Answer what has no result yet; gives all results by key, and how far the work got.

    Raises:
        Interrupted: it was cancelled; what is done is on disk.
        DexterError: something failed that would fail for every question.
    """
    tasks = {
        key: Task(key, question, folder_of(execution.runs, f"{question}-{key}")) for key, question in questions.items()
    }
    return await execution.record(tasks, _described)


async def _described(task: Task, outcome: Outcome) -> Mapping[str, Any]:
    return {"question": task.question, **outcome.to_json()}


@dataclass(frozen=True)
class BatchSummary:
    """How a batch ended: questions by status, tokens, cost (None: unknown), and whether the budget stopped it."""

    results: Path
    asked: int
    counts: Mapping[str, int]
    usage: Usage
    cost_usd: Decimal | None
    stopped: bool

    @classmethod
    def of(cls, results: Path, lines: Mapping[str, Mapping[str, Any]], progress: Progress) -> BatchSummary:
        """Of the results by key."""
        costs = [line["cost_usd"] for line in lines.values()]
        return cls(
            results,
            progress.total,
            Counter(line["status"] for line in lines.values()),
            sum((Usage.from_json(line["usage"]) for line in lines.values()), Usage()),
            None if "" in costs else sum(map(Decimal, costs), Decimal(0)),
            progress.stopped,
        )

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        cost = None if self.cost_usd is None else format(self.cost_usd, "f")
        usage = self.usage.to_json()
        return {
            **vars(self),
            "results": str(self.results),
            "counts": dict(self.counts),
            "usage": usage,
            "cost_usd": cost,
        }

    def lines(self) -> Iterator[str]:
        """For a person."""
        counted = ", ".join(f"{count} {status}" for status, count in sorted(self.counts.items())) or "none answered"
        yield f"{self.asked} questions: {counted}"
        cost = "n/a" if self.cost_usd is None else f"${self.cost_usd:.4f}"
        yield f"Tokens: {self.usage.input + self.usage.output:,} · cost: {cost}"
        left = self.asked - sum(self.counts.values())
        if self.stopped:
            yield f"The budget is used up: {left} not asked. The same command with a larger --budget-usd goes on."
        yield f"Results: {self.results}"
