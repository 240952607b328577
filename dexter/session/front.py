"""What a session needs of whoever stands in front of it: a terminal with a prompt, plain lines, or a test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dexter.events import Sink
from dexter.ui.cards import Told

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dexter.replay.paper import Paper


@dataclass(frozen=True)
class Choice:
    """One of several things to choose: what is shown, and in a second, quieter column what is said about it."""

    label: str
    about: str = ""


class Front(Protocol):
    """Shows and asks. Everything here is called on the event loop's thread."""

    def sinks(self) -> Sequence[Sink]:
        """What shows the events of one run."""
        ...

    def echo(self, line: str) -> None:
        """Show what the user said, as part of the conversation."""
        ...

    def tell(self, told: Told) -> None:
        """Show a line or a card."""
        ...

    def show(self, shown: RenderableType) -> None:
        """Show anything Rich can draw."""
        ...

    def paper(self) -> Paper:
        """Where a replay is shown."""
        ...

    def show_answer(self, markdown: str) -> None:
        """Show the text of an answer, or any other Markdown, for good."""
        ...

    def give_back(self, lines: Sequence[str]) -> None:
        """Put lines that were not sent, or not used, before what is in the input."""
        ...

    async def choose(
        self, title: str, choices: Sequence[Choice], *, guarded: bool = False, start: int = 0
    ) -> int | None:
        """Let the user choose one; None where that was broken off.

        `guarded`: the question comes unasked, so what is typed just then is meant for the input and chooses nothing.
        `start`: which one Enter takes at first.
        """
        ...

    async def ask_text(self, prompt: str) -> str | None:
        """Let the user write a line that is no message; None where that was broken off."""
        ...

    async def edit(self) -> None:
        """Open what is in the input in the user's editor."""
        ...

    def copy(self, text: str) -> bool:
        """Put text into the terminal's clipboard; False where there is none."""
        ...

    def clear_screen(self) -> None:
        """Clear what is shown; nothing else changes."""
        ...

    def changed(self) -> None:
        """Something that is shown all the time (the status line, the queue) may have changed."""
        ...

    def finished(self, seconds: float) -> None:
        """The session went idle after so many seconds of work."""
        ...

    def leave(self) -> None:
        """End the session."""
        ...
