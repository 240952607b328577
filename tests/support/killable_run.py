"""A child process that works on a run until it is done or killed: `python -m tests.support.killable_run FOLDER POLICY`.

The window is so small that every policy has work to do. The model decides by which results the view holds or names, so
that it says the same in every process and under every policy; the tool notes each execution in a
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
from dexter.context.policies import policy_named
from dexter.errors import UsageError
from dexter.events import Emitted, ToolFinished
from dexter.messages import Message, Messages, ToolMessage, UserMessage
from dexter.models.protocol import ModelInfo, ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.scratchpad.run_state import read_state
from dexter.tools.registry import Registry
from tests.support.runs import AnyArguments, tool
from tests.support.setups import make_setup

TURNS = 6
CALLS = 3


def decide(messages: Messages) -> ModelResponse:
    """Three calls a turn, six turns, then an answer that adds up the numbers of the results."""
    newest = max((result for message in messages for result in results_named(message)), default=0)
    turn = newest // CALLS
    if turn >= TURNS:
        return says(f"The sum is {sum(range(newest + 1))}.")
    return calls(
        *(("count", json.dumps({"query": f"{turn}-{number}"})) for number in range(CALLS)), text=f"turn {turn}"
    )


def results_named(message: Message) -> list[int]:
    """The results that a message is, or names."""
    if isinstance(message, ToolMessage):
        return [message.result]
    return [last for _, last in message.covers] if isinstance(message, UserMessage) else []


def summarise(_messages: Messages) -> ModelResponse:
    """The fast model's summary, the same every time."""
    return says("<analysis>-</analysis><summary>Values were read; exact ones by read_result.</summary>")


def note(path: Path, line: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(descriptor, f"{line}\n".encode())
    os.fsync(descriptor)
    os.close(descriptor)


def parts(folder: Path, policy: str) -> Parts:
    """Model, tool and policy of the child."""

    async def count(arguments: AnyArguments, _context: object) -> str:
        note(folder / "executions", arguments.query)
        await asyncio.sleep(0.001)
        return f"value of {arguments.query} is 26,044 million; " * 150

    registry = Registry([tool("count", count, concurrent=True)])
    info = ModelInfo("scripted", "scripted", window=16_000)
    models = ModelChoice.of(ScriptedModel([decide], info=info), ScriptedModel([summarise], info=info))
    return Parts(models, registry, policy_named(policy))


async def work(folder: Path, policy: str) -> Answer:
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
    folder, policy = Path(sys.argv[1]), sys.argv[2]
    try:
        text = asyncio.run(work(folder, policy)).text
    except UsageError:  # killed between the end of the run and the note of its answer
        text = read_state(next((folder / "scratchpads").glob("*.jsonl"))).answer["text"]
    note(folder / "answer", text)


if __name__ == "__main__":
    main()
