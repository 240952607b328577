"""Where a replay is printed: on a terminal with Rich, or as plain lines. One thing after the other, nothing moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TextIO

from dexter.replay.chart import ChartLine, Part
from dexter.ui.cards import Told, Tone
from dexter.ui.literal import literal
from dexter.ui.render import plain_lines, renderable

if TYPE_CHECKING:
    from rich.console import Console

_PART_STYLES: dict[Part, str] = {
    "bar": "cyan",
    "over": "red",
    "threshold": "yellow",
    "axis": "dim",
    "mark": "bold",
    "blank": "",
}


class Paper(Protocol):
    """Takes what is printed, in order. Raises OSError where nobody reads any more."""

    @property
    def width(self) -> int:
        """Cells in a line."""
        ...

    @property
    def ascii_only(self) -> bool:
        """Whether there are no letters but ASCII's."""
        ...

    def told(self, told: Told) -> None:
        """A card or a line."""
        ...

    def heading(self, text: str) -> None:
        """A heading, after a blank line."""
        ...

    def markdown(self, text: str) -> None:
        """What a model wrote."""
        ...

    def text(self, text: str, tone: Tone = "info", indent: int = 0) -> None:
        """Text as it is spelled, indented."""
        ...

    def chart(self, lines: Iterable[ChartLine]) -> None:
        """A chart, after a blank line."""
        ...


class PlainPaper:
    """Lines without colours, never cut and never wrapped; charts in as many cells as said."""

    def __init__(self, stream: TextIO, width: int) -> None:
        self._stream = stream
        self._width = width

    @property
    def width(self) -> int:
        """See `Paper`."""
        return self._width

    @property
    def ascii_only(self) -> bool:
        """Whether the stream has no letters but ASCII's."""
        return "utf" not in (self._stream.encoding or "utf-8").lower()

    def told(self, told: Told) -> None:
        """See `Paper`."""
        for line in plain_lines(told):
            self._line(line)
        self._stream.flush()  # who follows a run through a pipe sees it as it comes

    def heading(self, text: str) -> None:
        """See `Paper`."""
        self._line("")
        self._line(text)

    def markdown(self, text: str) -> None:
        """See `Paper`: as it was written."""
        self.text(text)

    def text(self, text: str, tone: Tone = "info", indent: int = 0) -> None:  # noqa: ARG002 - no colours here
        """See `Paper`."""
        for line in literal(text).split("\n"):
            self._line(" " * indent + line if line else "")
        self._stream.flush()

    def chart(self, lines: Iterable[ChartLine]) -> None:
        """See `Paper`."""
        for number, line in enumerate(lines):
            if not number:
                self._line("")
            self._line("".join(piece.text for piece in line).rstrip())

    def _line(self, text: str) -> None:
        self._stream.write(text + "\n")


class RichPaper:
    """A terminal, or a pager on one."""

    def __init__(self, console: Console, *, hyperlinks: bool) -> None:
        self._console = console
        self._hyperlinks = hyperlinks

    @property
    def width(self) -> int:
        """See `Paper`."""
        return self._console.width

    @property
    def ascii_only(self) -> bool:
        """Whether the terminal has no letters but ASCII's."""
        return self._console.options.ascii_only

    def told(self, told: Told) -> None:
        """See `Paper`."""
        self._console.print(renderable(told, self.width))

    def heading(self, text: str) -> None:
        """See `Paper`."""
        from rich.text import Text

        self._console.print()
        self._console.print(Text(text, style="bold", overflow="fold"))

    def markdown(self, text: str) -> None:
        """See `Paper`: rendered."""
        from dexter.ui.markdown import AnswerMarkdown

        self._console.print(AnswerMarkdown(text, hyperlinks=self._hyperlinks))

    def text(self, text: str, tone: Tone = "info", indent: int = 0) -> None:
        """See `Paper`."""
        from rich.padding import Padding
        from rich.text import Text

        from dexter.ui.console import TONES

        style = "" if tone == "info" else TONES[tone]
        self._console.print(Padding(Text(literal(text), style=style, overflow="fold"), (0, 0, 0, indent)))

    def chart(self, lines: Iterable[ChartLine]) -> None:
        """See `Paper`."""
        from rich.text import Text

        for number, line in enumerate(lines):
            if not number:
                self._console.print()
            self._console.print(
                Text.assemble(*((piece.text, _PART_STYLES[piece.part]) for piece in line)), no_wrap=True
            )
