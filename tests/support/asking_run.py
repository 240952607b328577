"""`dexter ask` with a model that calls a tool that needs approval, and says what came back. Arguments: as of `ask`."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from dexter.app.ask import ask
from dexter.app.models import ModelChoice
from dexter.approval import Proposal
from dexter.cli.edge import run_app
from dexter.cli.run_options import RunOptions, with_run_options
from dexter.cli.running import run_and_leave
from dexter.cli.terminal import Terminal
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.tools.registry import Registry
from dexter.tools.tool import ToolContext
from tests.support.runs import AnyArguments, tool

TARGET = "/reports/a.md"


async def _propose(_arguments: AnyArguments, _context: ToolContext) -> Proposal:
    return Proposal("create the file", TARGET, "/reports", "+Revenue 12\n+Net income 3")


WRITER = replace(tool("writer", lambda _a, _c: "written", needs_approval=True), propose=_propose)
CALL = '{"reason": "the report that was asked for"}'

app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
@with_run_options
def asking(question: Annotated[str, typer.Argument()], *, options: RunOptions) -> None:
    """Ask with the scripted parts."""
    model = ScriptedModel([calls(("writer", CALL)), calls(("writer", CALL)), says("Done.")])
    parts = {"models": ModelChoice.of(model), "tools": Registry([WRITER])}
    run_and_leave(
        options,
        Terminal.here(),
        lambda setup, sinks, given: ask(question, setup, sinks=sinks, parts=replace(given, **parts)),
    )


if __name__ == "__main__":
    sys.exit(run_app(app, sys.argv[1:]))
