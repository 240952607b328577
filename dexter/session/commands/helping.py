"""`/help` and `/tools`: what there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from dexter.app.background import read_background
from dexter.app.build import run_tools
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.run_state import read_state
from dexter.session.commands.command import Command
from dexter.session.session import Session
from dexter.session.tables import two_columns
from dexter.threads import in_daemon_thread

if TYPE_CHECKING:
    from dexter.messages import ToolSpec

KEYS = (
    ("Enter", "send; while a run goes on the line waits for the next turn"),
    ("Alt-Enter, Ctrl-J, \\ Enter", "a new line; pasted text is never sent by itself"),
    ("Esc, Ctrl-C", "stop the run; what was found stays"),
    ("Ctrl-C, Ctrl-D", "clear the line; twice, or Ctrl-D on an empty line: leave"),
    ("Up", "the newest waiting line comes back; else the history, which Ctrl-R searches"),
    ("Esc Esc", "take the last question back and change it"),
    ("Tab", "complete commands, tickers ($ or capitals), files behind @"),
    ("Ctrl-L, Ctrl-Z", "clear the screen; put Dexter into the background"),
    ("!command", "run a shell command; the next question takes its output along"),
    ("@file", "put a text file behind the question"),
    ("//text", "text that begins with a slash"),
    ("a blank first", "keeps the line out of the history"),
)


def help_command(commands: Callable[[], Sequence[Command]]) -> Command:
    """`/help` for the commands there are."""

    async def run(session: Session, _arguments: str) -> None:
        session.front.show(two_columns([(command.usage, command.about) for command in commands()]))
        session.front.show(two_columns(KEYS))

    return Command("help", "these commands and the keys", run)


async def _tools(session: Session, _arguments: str) -> None:
    specs = await tool_specs(session)
    session.front.show(two_columns([(spec.name, spec.description.split(". ")[0]) for spec in specs]))


async def tool_specs(session: Session) -> Sequence[ToolSpec]:
    """The tools of the newest run, or those the first will have."""
    if session.path is not None:
        return (await in_daemon_thread(read_state, session.path)).view.tools
    if session.parts.tools is not None:
        return session.parts.tools.specs()
    parts = replace(session.parts, background=read_background(session.setup))
    paths = RunPaths(session.setup.config.scratchpads, "none yet")
    async with AsyncExitStack() as stack:
        return run_tools(session.plan, session.setup, paths, parts, stack).specs()


TOOLS = Command("tools", "what the model can call", _tools)
