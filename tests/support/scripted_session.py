"""A session whose model does what the newest question's first word says: one word for each phase a run can be in.

Arguments: those of `dexter chat`. `wait`: no word ever comes. `stream`: words come for ever. `tool`: a tool takes a
minute. `agent`: a sub-agent does. `retry`: a rate limit. `fail`: an error for good. `write`: a tool that has to be
approved. `choose`: the model asks the user. `stubborn`: `wait`, and no cancellation helps. Anything else is answered
with all that the user said.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace

import typer

from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.approval import Proposal
from dexter.cli.chat import Continue, start_session
from dexter.cli.edge import run_app
from dexter.cli.run_options import RunOptions, with_run_options
from dexter.errors import ModelError
from dexter.messages import Messages, ToolMessage, ToolSpec, UserMessage, question_index
from dexter.models.protocol import ModelInfo, ModelResponse, StreamItem, TextPiece, ToolChoice
from dexter.models.scripted import calls, says
from dexter.tools.registry import Registry
from tests.support.runs import AnyArguments, tool

LONG_S = 60.0
INFO = ModelInfo("scripted", "scripted", window=64_000)
QUESTION = {
    "questions": [
        {
            "question": "Which year?",
            "choices": [
                {"label": "2024"},
                {
                    "label": "2025",
                    "description": "the newest, which is filed but not audited yet, and whose segments are restated",
                },
            ],
        }
    ]
}


@dataclass
class PhaseModel:
    """See the module."""

    info: ModelInfo = field(default=INFO)

    async def stream(
        self, messages: Messages, *, tools: Sequence[ToolSpec], tool_choice: ToolChoice, max_tokens: int
    ) -> AsyncIterator[StreamItem]:
        asked = messages[question_index(messages) :]
        word = next((m.text.split()[0] for m in asked if isinstance(m, UserMessage)), "")
        found = [m for m in asked if isinstance(m, ToolMessage)]
        if not tools:
            word = "summary"
        if word == "wait":
            await asyncio.sleep(LONG_S)
        if word == "stubborn":
            await _unwilling()
        if word == "stream":
            async for piece in _endless():
                yield piece
        if word == "retry":
            raise ModelError("Too many requests.", kind="rate_limit", retry_after=30.0)
        if word == "fail":
            raise ModelError("The model is gone.", kind="other", remedy="Choose another.")
        yield await _turn(word, found, messages)

    async def count(self, messages: Messages, *, tools: Sequence[ToolSpec]) -> int | None:
        return None


async def _endless() -> AsyncIterator[StreamItem]:
    """About 250 characters a second, in paragraphs."""
    for number in range(100_000):
        await asyncio.sleep(0.1)
        end = "\n\n" if number % 20 == 19 else ""
        yield TextPiece(f"Word {number} of a long answer. {end}")


async def _unwilling() -> None:
    """Takes no cancellation for an answer."""
    for _ in range(100):
        try:
            await asyncio.sleep(LONG_S)
        except asyncio.CancelledError:
            continue


async def _turn(word: str, found: Sequence[ToolMessage], messages: Messages) -> ModelResponse:
    called = {
        "tool": ("slow", {}),
        "agent": ("spawn_subagent", {"title": "a long look", "task": "wait here"}),
        "write": ("note", {"query": "first line\n+second line"}),
        "choose": ("ask_user_question", QUESTION),
    }.get(word)
    if word == "summary":
        return says("<analysis>-</analysis><summary>1. Query and intent\nThe user wrote a few lines.</summary>")
    if called and not found:
        name, arguments = called
        return calls((name, json.dumps(arguments)), text="Let me look.")
    said = [m.text for m in messages if isinstance(m, UserMessage) and m.origin != "harness"]
    results = "".join(f" Result: {m.text}" for m in found)
    return says(f"You said: {' | '.join(said)}.{results}")


async def _slow(_arguments: object, _context: object) -> str:
    await asyncio.sleep(LONG_S)
    return "late"


async def _propose(arguments: AnyArguments, _context: object) -> Proposal:
    return Proposal("write to", "/reports/notes.txt", "/reports", arguments.query)


def parts() -> Parts:
    """The model; with `REAL_TOOLS` set the tools are those of every run, else two of our own."""
    models = ModelChoice.of(PhaseModel(), PhaseModel(), reason="A script answers.")
    if os.environ.get("REAL_TOOLS"):
        return Parts(models)
    note = replace(tool("note", lambda _a, _c: "written", needs_approval=True), propose=_propose)
    return Parts(models, Registry([tool("slow", _slow), note]))


app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
@with_run_options
def scripted(*, follow_up: Continue = False, pick: bool = False, options: RunOptions) -> None:
    """A session with the scripted model."""
    start_session(options, follow_up=follow_up, pick=pick, parts=parts())


if __name__ == "__main__":
    sys.exit(run_app(app, sys.argv[1:]))
