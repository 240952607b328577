"""A front without a terminal: remembers what it was told, and answers choices as told beforehand."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from io import StringIO
from typing import Any

from dexter.events import Emitted, Event, Sink
from dexter.replay.paper import Paper, PlainPaper
from dexter.session.front import Choice
from dexter.ui.cards import Told


class _Said(StringIO):
    """Each line written is something said."""

    def __init__(self, said: list[str]) -> None:
        super().__init__()
        self._said = said

    def write(self, text: str) -> int:
        self._said.append(text.removesuffix("\n"))
        return len(text)


class RecordingFront:
    """`said` is everything shown as text, `events` all events, `given_back` the lines that came back."""

    def __init__(self, *chosen: int | None) -> None:
        self.said: list[str] = []
        self.events: list[Event] = []
        self.given_back: list[str] = []
        self.copied = ""
        self.left = False
        self.words = "words of my own"
        self._chosen = list(chosen)
        self._awaited: list[tuple[type, asyncio.Event]] = []

    async def heard(self, kind: type) -> None:
        """Wait for the next event of a kind."""
        event = asyncio.Event()
        self._awaited.append((kind, event))
        await event.wait()

    def sinks(self) -> Sequence[Sink]:
        def sink(emitted: Emitted) -> None:
            self.events.append(emitted.event)
            for kind, event in self._awaited:
                if isinstance(emitted.event, kind):
                    event.set()

        return (sink,)

    def echo(self, line: str) -> None:
        self.said.append(f"> {line}")

    def tell(self, told: Told) -> None:
        self.said.append(getattr(told, "text", None) or "\n".join(told.lines))

    def show(self, shown: Any) -> None:
        from rich.console import Console

        console = Console(width=100, force_terminal=False)
        with console.capture() as capture:
            console.print(shown)
        self.said.append(capture.get())

    def paper(self) -> Paper:
        return PlainPaper(_Said(self.said), 100)

    def show_answer(self, markdown: str) -> None:
        self.said.append(markdown)

    def give_back(self, lines: Sequence[str]) -> None:
        self.given_back.extend(lines)

    async def choose(
        self, title: str, choices: Sequence[Choice], *, guarded: bool = False, start: int = 0
    ) -> int | None:
        self.said.append("\n".join([title, *(f"{c.label} {c.about}" for c in choices)]))
        return self._chosen.pop(0)

    async def ask_text(self, prompt: str) -> str | None:
        return self.words

    async def edit(self) -> None:
        return

    def copy(self, text: str) -> bool:
        self.copied = text
        return True

    def clear_screen(self) -> None:
        self.said.append("(cleared)")

    def changed(self) -> None:
        return

    def finished(self, seconds: float) -> None:
        self.said.append("(idle)")

    def leave(self) -> None:
        self.left = True

    @property
    def text(self) -> str:
        """Everything said."""
        return "\n".join(self.said)
