"""`dexter ask` in which everything that tools, model and files can say tries to act on the terminal.

Arguments: those of `dexter ask`. With `FAIL=1` the run ends with an error of the model instead of an answer.
`SESSION=1` opens a session instead, in which any question does the same.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from typing import Any

import typer

from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.approval import Proposal
from dexter.cli.chat import start_session
from dexter.cli.edge import run_app
from dexter.cli.run_options import RunOptions, with_run_options
from dexter.cli.running import run_and_leave
from dexter.cli.terminal import Terminal
from dexter.errors import ModelError, ToolError
from dexter.messages import Messages
from dexter.models.protocol import ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.results import Source, ToolResult
from dexter.tools.registry import Registry
from dexter.tools.tool import ToolContext
from tests.support.escapes import ESCAPES
from tests.support.runs import AnyArguments, tool

ALL = " | ".join(ESCAPES)


def _read(arguments: AnyArguments, context: ToolContext) -> ToolResult:
    context.progress(arguments.query)
    if arguments.size % 2:
        raise ToolError(arguments.query, remedy=arguments.query)
    return ToolResult(arguments.query, sources=(Source("web", arguments.query),), untrusted=(arguments.query,))


async def _propose(_arguments: AnyArguments, _context: ToolContext) -> Proposal:
    return Proposal(f"write {ALL}", f"/reports/{ALL}", f"/reports {ALL}", "\n".join(f"+{e}" for e in ESCAPES))


def _asked(name: str, query: str, number: int = 0) -> tuple[str, str]:
    return name, json.dumps({"query": query, "size": number, "reason": ALL})


def _end(_messages: Messages) -> ModelResponse | Exception:
    return ModelError(ALL, kind="other", remedy=ALL) if os.environ.get("FAIL") else says(f"{ALL}\n\n{_table()}")


def _table() -> str:
    rows = [f"| {escape.replace('|', '')} | 1 |" for escape in ESCAPES if "\n" not in escape]
    return "\n".join(["| what | n |", "| --- | --- |", *rows])


app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
@with_run_options
def hostile(*, options: RunOptions) -> None:
    """Ask with the scripted parts."""
    parts = _parts()
    if os.environ.get("SESSION"):
        start_session(options, parts=Parts(**parts))
    question = ALL.replace("\0", "")
    run_and_leave(
        options,
        Terminal.here(),
        lambda setup, sinks, given: ask(question, setup, sinks=sinks, parts=replace(given, **parts)),
    )


def _parts() -> dict[str, Any]:
    reads = [_asked("reader", escape, number) for number, escape in enumerate(ESCAPES)]
    turns = [calls(*reads, text=ALL), calls(_asked("writer", ALL), (f"none{ALL}", "{}"), ("reader", ALL)), _end]
    tools = [
        tool("reader", _read, concurrent=True),
        replace(tool("writer", lambda _a, _c: "done", needs_approval=True), propose=_propose),
    ]
    return {"models": ModelChoice.of(ScriptedModel(turns)), "tools": Registry(tools)}


if __name__ == "__main__":
    sys.exit(run_app(app, sys.argv[1:]))
