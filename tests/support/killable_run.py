"""A child process that works on a run until it is done or killed: `python -m tests.support.killable_run FOLDER`.

The model decides by what is in the view, so that it says the same in every process; the tool notes each execution in a
file of its own, flushed, so that a parent can count them after a kill.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from dexter.agent.outcome import Answer
from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.app.resume import resume
from dexter.context.policy import Policy
from dexter.errors import UsageError
from dexter.events import Emitted, ToolFinished
from dexter.messages import Messages, ToolMessage
from dexter.models.protocol import ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.scratchpad.run_state import read_state
from dexter.tools.registry import Registry
from tests.support.runs import AnyArguments, tool
from tests.support.setups import make_setup

TURNS = 6
CALLS = 3


def decide(messages: Messages) -> ModelResponse:
    """Three calls a turn, six turns, then an answer that adds up what the results said."""
    results = [m for m in messages if isinstance(m, ToolMessage)]
    turn = len(results) // CALLS
    if turn >= TURNS:
        return says(f"The sum is {sum(len(m.text) for m in results)}.")
    return calls(
        *(("count", json.dumps({"query": f"{turn}-{number}"})) for number in range(CALLS)), text=f"turn {turn}"
    )


def note(path: Path, line: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(descriptor, f"{line}\n".encode())
    os.fsync(descriptor)
    os.close(descriptor)


def parts(folder: Path, policy: Policy) -> Parts:
    """Model, tool and policy of the child."""

    async def count(arguments: AnyArguments, _context: object) -> str:
        note(folder / "executions", arguments.query)
        await asyncio.sleep(0.001)
        return f"value of {arguments.query} " * 20

    registry = Registry([tool("count", count, concurrent=True, clearable=True)])
    return Parts(ModelChoice.of(ScriptedModel([decide])), registry, policy)


async def work(folder: Path, policy: Policy) -> Answer:
    """Ask, or take up what is there."""
    setup, mine = make_setup(folder), parts(folder, policy)
    (folder / "scratchpads").mkdir(exist_ok=True)
    setup = make_setup(folder)

    def sink(emitted: Emitted) -> None:
        if isinstance(emitted.event, ToolFinished):
            note(folder / "reported", str(emitted.event.result))

    found = sorted((folder / "scratchpads").glob("*.jsonl"))
    if found and b'"type":"message"' in found[0].read_bytes():
        return await resume(found[0], setup, sinks=[sink], parts=mine)
    for half in found:  # killed before the question was on record: nothing to go on with
        half.rename(half.with_suffix(".half"))
    return await ask("what is the sum?", setup, sinks=[sink], parts=mine)


def main() -> None:
    folder = Path(sys.argv[1])
    try:
        text = asyncio.run(work(folder, Policy("none"))).text
    except UsageError:  # killed between the end of the run and the note of its answer
        text = read_state(next((folder / "scratchpads").glob("*.jsonl"))).answer["text"]
    note(folder / "answer", text)


if __name__ == "__main__":
    main()
