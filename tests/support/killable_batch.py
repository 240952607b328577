"""A child process that works off a batch until it is done or killed: `python -m tests.support.killable_batch FOLDER N`.

It says `ready` once everything is imported. The model calls one tool, then answers with what the question asked.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from dexter.app.answer_task import answer_task
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.evals.batch import answer_all
from dexter.evals.purse import Purse
from dexter.evals.recording import Execution, runs_folder
from dexter.evals.results_file import ResultsWriter
from dexter.evals.tasks import Outcome, Task
from dexter.messages import Messages, ToolMessage, UserMessage
from dexter.models.pacing import Gate
from dexter.models.protocol import ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.lines import timestamp
from dexter.tools.registry import Registry
from tests.support.runs import AnyArguments, tool
from tests.support.setups import make_setup

CONCURRENCY = 4
RESULTS = "answers.results.jsonl"


def question(number: int) -> str:
    """The question of a number."""
    return f"What is number {number}?"


def questions(count: int) -> dict[str, str]:
    """The questions by their keys."""
    return {f"k{number}": question(number) for number in range(count)}


def decide(messages: Messages) -> ModelResponse:
    """One call, then the answer."""
    asked = next(m.text for m in messages if isinstance(m, UserMessage) and m.origin == "question")
    if any(isinstance(message, ToolMessage) for message in messages):
        return says(f"Answer to: {asked}")
    return calls(("look", '{"query": "x"}'))


async def look(_arguments: AnyArguments, _context: object) -> str:
    await asyncio.sleep(0.002)
    return "seen"


async def work(folder: Path, count: int) -> None:
    """Answer what has no result yet."""
    setup = make_setup(folder)
    results = folder / RESULTS
    registry = Registry([tool("look", look)])

    async def answer(task: Task) -> Outcome:
        parts = Parts(ModelChoice.of(ScriptedModel([decide])), registry)
        return await answer_task(task, setup, Gate(), parts)

    heading = {"type": "batch", "model": "scripted", "policy": "dexter"}
    writer, found = ResultsWriter.open(results, heading, port=RealFiles(), clock=lambda: timestamp(setup.outside.now()))
    with writer:
        purse = Purse(None, CONCURRENCY)
        runs = runs_folder(results)
        execution = Execution(answer, writer, found.lines, runs, purse, CONCURRENCY, lambda _progress: None)
        await answer_all(questions(count), execution)


def main() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    asyncio.run(work(Path(sys.argv[1]), int(sys.argv[2])))


if __name__ == "__main__":
    main()
