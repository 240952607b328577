"""A front without a terminal: remembers what it was told, and answers choices as told beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dexter.events import Emitted, Event, Sink
from dexter.session.front import Choice
from dexter.ui.cards import Told


class RecordingFront:
    """`said` is everything shown as text, `events` all events, `given_back` the lines that came back."""

    def __init__(self, *chosen: int | None) -> None:
        self.said: list[str] = []
        self.events: list[Event] = []
        self.given_back: list[str] = []
        self.copied = ""
        self.left = False
        self._chosen = list(chosen)

    def sinks(self) -> Sequence[Sink]:
        def sink(emitted: Emitted) -> None:
            self.events.append(emitted.event)

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

    def show_answer(self, markdown: str) -> None:
        self.said.append(markdown)

    def give_back(self, lines: Sequence[str]) -> None:
        self.given_back.extend(lines)

    async def choose(self, title: str, choices: Sequence[Choice]) -> int | None:
        self.said.append("\n".join([title, *(f"{c.label} {c.about}" for c in choices)]))
        return self._chosen.pop(0)

    async def ask_text(self, prompt: str) -> str | None:
        return prompt

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
