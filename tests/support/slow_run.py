"""`dexter ask` with a model that calls two tools and then a slow one: time enough to be interrupted.

Arguments: those of `dexter ask`. The slow tool sleeps politely; `DEADLY=1` makes it block the whole process instead,
`FAULTY=1` makes it fail as a fault of the program would.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from typing import Annotated

import typer

from dexter.app.ask import ask
from dexter.app.build import Parts
from dexter.app.models import ModelChoice
from dexter.cli.edge import run_app
from dexter.cli.run_options import RunOptions, with_run_options
from dexter.cli.running import run_and_leave
from dexter.cli.terminal import Terminal
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.tools.registry import Registry
from tests.support.runs import tool

_LONG_S = 60.0


async def _polite(_arguments: object, _context: object) -> str:
    await asyncio.sleep(_LONG_S)
    return "late"


def _deadly(_arguments: object, _context: object) -> str:
    time.sleep(_LONG_S)
    return "late"


async def _faulty(_arguments: object, _context: object) -> str:
    await asyncio.sleep(0.5)
    raise RuntimeError("a fault of the program")


def _slow_tool() -> Callable[[object, object], object]:
    if os.environ.get("FAULTY"):
        return _faulty
    return _deadly if os.environ.get("DEADLY") else _polite


def _parts() -> Parts:
    model = ScriptedModel([calls(("quick", "{}"), text="First this."), calls(("slow", "{}")), says("Never.")])
    tools = Registry([tool("quick", lambda _a, _c: "found 42"), tool("slow", _slow_tool())])
    return Parts(models=ModelChoice.of(model), tools=tools)


app = typer.Typer(pretty_exceptions_enable=False)


@app.command()
@with_run_options
def slow(question: Annotated[str, typer.Argument()], *, options: RunOptions) -> None:
    """Ask with the scripted parts."""
    run_and_leave(options, Terminal.here(), lambda setup, sinks, _: ask(question, setup, sinks=sinks, parts=_parts()))


if __name__ == "__main__":
    sys.exit(run_app(app, sys.argv[1:]))
