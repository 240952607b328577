"""Commands about the line that is typed, and about leaving."""

from __future__ import annotations

from dexter.session.commands.command import Command
from dexter.session.session import Session


async def _editor(session: Session, _arguments: str) -> None:
    await session.front.edit()


async def _quit(session: Session, _arguments: str) -> None:
    session.front.leave()


EDITOR = Command("editor", "write the line in $EDITOR (Ctrl-X Ctrl-E takes what is typed along)", _editor)
QUIT = Command("quit", "leave; `dexter --continue` goes on with the conversation", _quit)
