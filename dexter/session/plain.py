"""A session without a terminal that can move its cursor: lines in, lines out. For pipes, screen readers, `--plain`."""

from __future__ import annotations

import asyncio
import termios
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from dexter.app.approving import approvals_for
from dexter.app.build import Parts
from dexter.app.outside import Setup
from dexter.errors import DexterError, ExitStatus
from dexter.events import Answered, Emitted, RunStarted, Sink
from dexter.session.front import Choice
from dexter.session.lines import handle
from dexter.session.session import Session
from dexter.ui.cards import Line, Told
from dexter.ui.literal import literal
from dexter.ui.plain import PlainSink
from dexter.ui.render import plain_lines

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dexter.replay.paper import Paper

_WIDTH = 100


async def run_plain_session(
    setup: Setup,
    stdin: TextIO,
    stdout: TextIO,
    *,
    parts: Parts | None = None,
    allow: Sequence[str] = (),
    opening: Callable[[Session], Awaitable[None]] | None = None,
) -> ExitStatus:
    """Answer line after line until there is no more. Lines from a pipe approve nothing: nobody has read the question.

    Raises:
        DexterError: the settings name what does not exist, or a model without a key.
    """
    front = PlainFront(stdin, stdout)
    if not stdin.isatty():
        parts = parts or Parts()
        parts = replace(parts, approvals=parts.approvals or approvals_for(setup, None, allow))
    session = Session(setup, front, parts=parts, allow=allow)
    if opening is not None:
        try:
            await opening(session)
        except DexterError as error:
            front.tell(Line(f"{error.message} {error.remedy}".rstrip(), "bad", "✗"))
    while not front.left and (line := await front.read("> ")) is not None:
        if line.strip():
            await handle(session, line.strip())
            await session.settle()
    return ExitStatus.ANSWERED


class PlainFront:
    """Reads lines and writes lines."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self.left = False

    async def read(self, prompt: str) -> str | None:
        """The next line; None where there is none."""
        if self._stdin.isatty():
            self._stdout.write(prompt)
            self._stdout.flush()
        line = await asyncio.to_thread(self._stdin.readline)
        return line or None

    def sinks(self) -> Sequence[Sink]:
        """Plain lines, then the answer."""
        progress = PlainSink(self._stdout)

        def sink(emitted: Emitted) -> None:
            if not isinstance(emitted.event, RunStarted):
                progress(emitted)
            if isinstance(emitted.event, Answered):
                self.show_answer(emitted.event.text)

        return (sink,)

    def echo(self, line: str) -> None:
        """It stands there already, unless it came from a pipe."""
        if not self._stdin.isatty():
            self._write(f"> {literal(line)}")

    def tell(self, told: Told) -> None:
        """A line or a card."""
        self._write("\n".join(plain_lines(told)))

    def show(self, shown: RenderableType) -> None:
        """Drawn without colours."""
        from dexter.ui.console import make_console

        console = make_console(self._stdout, {"NO_COLOR": "1", "TERM": "dumb"}, width=_WIDTH)
        console.print(shown)
        self._stdout.flush()

    def paper(self) -> Paper:
        """Plain lines."""
        from dexter.replay.paper import PlainPaper

        return PlainPaper(self._stdout, _WIDTH)

    def show_answer(self, markdown: str) -> None:
        """Its Markdown."""
        self._write(literal(markdown.rstrip("\n")))

    def give_back(self, lines: Sequence[str]) -> None:
        """There is no input to put them into: they are told."""
        for line in lines:
            self._write(f"not sent: {literal(line)}")

    async def choose(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        guarded: bool = False,
        start: int = 0,  # noqa: ARG002 - nothing is marked here: a choice is named
    ) -> int | None:
        """By number; Enter alone chooses nothing. A `guarded` question is not answered by what was typed before it."""
        if guarded and self._stdin.isatty():
            termios.tcflush(self._stdin.fileno(), termios.TCIFLUSH)
        rows = (f"{n}  {literal(f'{c.label}  {c.about}'.rstrip())}" for n, c in enumerate(choices, 1))
        self._write("\n".join([literal(title), *rows]))
        answer = (await self.read("number> ") or "").strip()
        return int(answer) - 1 if answer.isdecimal() and 0 < int(answer) <= len(choices) else None

    async def ask_text(self, prompt: str) -> str | None:
        """The next line."""
        line = await self.read(f"{prompt}> ")
        return None if line is None else line.rstrip("\n")

    async def edit(self) -> None:
        """Nothing to edit here."""
        self._write("There is no editor in plain mode.")

    def copy(self, text: str) -> bool:  # noqa: ARG002 - no sequences are written in plain mode
        """No clipboard."""
        return False

    def clear_screen(self) -> None:
        """What was written stays."""

    def changed(self) -> None:
        """Nothing stands still here."""

    def finished(self, seconds: float) -> None:
        """Nothing moves."""

    def leave(self) -> None:
        """No more lines."""
        self.left = True

    def _write(self, text: str) -> None:
        self._stdout.write(text + "\n")
        self._stdout.flush()
