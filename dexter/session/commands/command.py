"""What a slash command is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from dexter.session.front import Choice
from dexter.session.session import Session

Run = Callable[[Session, str], Awaitable[None]]
Complete = Callable[[Session, str], Iterable[Choice]]


@dataclass(frozen=True)
class Command:
    """A command: `/name arguments`.

    `run` takes the session and what stands behind the name; it raises `DexterError` for what a person can mend.
    `complete` gives what may stand there; it is asked at every key, with what stands there already.
    `idle`: it needs a session in which no run goes on.
    """

    name: str
    about: str
    run: Run
    arguments: str = ""
    complete: Complete = lambda _session, _typed: ()
    idle: bool = False

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"/{self.name} {self.arguments}".rstrip()
