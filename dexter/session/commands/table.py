"""All slash commands, and from a typed line to the one it means.

A line is a command if it begins with `/` and a name; a path (`/etc/hosts`) is none, and `//` stands for a `/` that is
meant as text.
"""

from __future__ import annotations

import difflib
import re

from dexter.errors import UsageError
from dexter.session.commands.command import Command
from dexter.session.commands.context import CLEAR, COMPACT, CONTEXT, COST
from dexter.session.commands.helping import TOOLS, help_command
from dexter.session.commands.knowledge import MEMORY, RULES, SKILLS
from dexter.session.commands.line import EDITOR, QUIT
from dexter.session.commands.output import COPY, EXPORT
from dexter.session.commands.records import REPLAY, RESUME, RUNS, SEARCH
from dexter.session.commands.steering import MODEL, POLICY
from dexter.session.session import Session

_COMMAND = re.compile(r"/([A-Za-z][A-Za-z-]*)(?:\s+(.*))?", re.DOTALL)

COMMANDS: tuple[Command, ...] = (
    help_command(lambda: COMMANDS),
    MODEL,
    POLICY,
    CONTEXT,
    COMPACT,
    COST,
    MEMORY,
    RULES,
    SKILLS,
    TOOLS,
    SEARCH,
    RUNS,
    RESUME,
    REPLAY,
    EXPORT,
    COPY,
    EDITOR,
    CLEAR,
    QUIT,
)


def parse(line: str) -> tuple[str, str] | None:
    """Name and arguments of a line that is a command, else None."""
    match = _COMMAND.fullmatch(line.strip())
    return (match[1].lower(), (match[2] or "").strip()) if match else None


def as_text(line: str) -> str:
    """A line that is no command, as it is sent: of two slashes at its beginning one remains."""
    return line[1:] if line.startswith("//") else line


def find(name: str) -> Command:
    """The command of this name, or the only one that begins so.

    Raises:
        UsageError: there is none; the nearest is named.
    """
    exact = [command for command in COMMANDS if command.name == name]
    beginning = [command for command in COMMANDS if command.name.startswith(name)]
    if len(found := exact or beginning) == 1:
        return found[0]
    names = [command.name for command in beginning or COMMANDS]
    near = difflib.get_close_matches(name, names, n=3, cutoff=0.0 if beginning else 0.5)
    meant = " or ".join(f"/{one}" for one in near)
    raise UsageError(f"There is no command /{name}.", remedy=f"Did you mean {meant}?" if meant else "/help lists all.")


async def run_command(session: Session, name: str, arguments: str) -> None:
    """Run the command of this name.

    Raises:
        UsageError: there is none, it takes no arguments, or it has to wait for the run that goes on.
        DexterError: it failed.
    """
    command = find(name)
    if command.idle and session.busy:
        raise UsageError(f"/{command.name} has to wait: a run goes on.", remedy="Esc stops it.")
    if arguments and not command.arguments:
        raise UsageError(f"/{command.name} takes nothing behind it.", remedy="A question does not begin with a slash.")
    await command.run(session, arguments)
