"""What becomes of a typed line: a slash command, a shell command, or something said to the model."""

from __future__ import annotations

from pathlib import Path

from dexter.errors import DexterError, UsageError
from dexter.session.attachments import mentioned
from dexter.session.commands.table import as_text, parse, run_command
from dexter.session.session import Session
from dexter.ui.cards import Line
from dexter.ui.literal import literal

_SHELL = "!"


async def handle(session: Session, line: str) -> None:
    """Do what the line says. What goes wrong is told; a question that can't be sent is given back."""
    command = parse(line)
    try:
        if command is not None:
            session.front.echo(line)
            await run_command(session, *command)
        elif line in ("/", _SHELL):
            raise UsageError(f"{line} is the beginning of a command.", remedy="/help lists what there is.")
        elif line.startswith(_SHELL):
            _shell(session, line[1:].strip())
        else:
            _say(session, as_text(line))
    except DexterError as error:
        session.front.tell(Line(literal(f"{error.message} {error.remedy}".rstrip()), "warn", "!"))
        session.front.give_back([line])


def _shell(session: Session, command: str) -> None:
    if session.busy:
        raise UsageError("A shell command has to wait: a run goes on.", remedy="Esc stops it.")
    session.shell(command)


def _say(session: Session, text: str) -> None:
    forbidden = [session.setup.config.places.config]
    files = mentioned(text, Path.cwd(), forbidden)
    session.submit(text, [*session.take_shell_output(), *files])
