"""The answer on standard output: rendered at a terminal, its Markdown as it is anywhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from dexter.events import Answered, Emitted
from dexter.ui.literal import literal

if TYPE_CHECKING:
    from rich.console import Console


def write_plain(stream: TextIO) -> Callable[[str], None]:
    """Writes an answer's Markdown, made literal."""

    def write(text: str) -> None:
        stream.write(literal(text.rstrip("\n")) + "\n")
        stream.flush()

    return write


def write_rendered(console: Console, *, hyperlinks: bool) -> Callable[[str], None]:
    """Writes an answer as a terminal shows it."""

    def write(text: str) -> None:
        from dexter.ui.markdown import AnswerMarkdown

        console.print(AnswerMarkdown(text, hyperlinks=hyperlinks))

    return write


class AnswerSink:
    """Hands the answer's text to `write`, and nothing else."""

    def __init__(self, write: Callable[[str], None]) -> None:
        self._write = write

    def __call__(self, emitted: Emitted) -> None:
        """Take the answer. Raises OSError where the stream is gone."""
        if isinstance(emitted.event, Answered):
            self._write(emitted.event.text)
