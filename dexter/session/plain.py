"""A session without a terminal that can move its cursor: lines in, lines out. For pipes, screen readers, `--plain`."""

from __future__ import annotations

import errno
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from dexter.app.approving import approvals_for
from dexter.app.build import Parts
from dexter.app.outside import Setup
from dexter.errors import DexterError, ExitStatus
from dexter.events import Answered, Emitted, RunStarted, Sink
from dexter.session.front import Choice
from dexter.session.lines import handle
from dexter.session.plain_signals import heeding_signals
from dexter.session.session import Session
from dexter.session.streams import LineReader, Output, Streams
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
    streams: Streams,
    *,
    parts: Parts | None = None,
    allow: Sequence[str] = (),
    opening: Callable[[Session], Awaitable[None]] | None = None,
) -> ExitStatus:
    """Answer line after line until there is no more. Lines from a pipe approve nothing: nobody has read the question.

    Raises:
        DexterError: the settings name what does not exist, or a model without a key.
        OSError: the output is gone; the run that went on was ended first.
    """
    front = PlainFront(streams)
    if not front.has_user:
        parts = parts or Parts()
        parts = replace(parts, approvals=parts.approvals or approvals_for(setup, None, allow))
    session = Session(setup, front, parts=parts, allow=allow)
    front.on_failure = session.interrupt
    with heeding_signals(session, front) as ended:
        await _talk(session, front, opening)
    if front.has_hung_up:
        return ExitStatus.HUNG_UP
    if front.failure is not None:
        raise front.failure
    return ended.status


async def _talk(session: Session, front: PlainFront, opening: Callable[[Session], Awaitable[None]] | None) -> None:
    if opening is not None:
        try:
            await opening(session)
        except DexterError as error:
            front.tell(Line(f"{error.message} {error.remedy}".rstrip(), "bad", "✗"))
        await session.settle()
    while not front.left and (line := await front.read("> ")) is not None:
        if line.strip():
            await handle(session, line.strip())
            await session.settle()


class PlainFront:
    """Reads lines and writes lines.

    Into a pipe go answers and what commands were asked to show; the rest goes to standard error. At a terminal both
    are one. `failure` is how the output broke, `on_failure` is called when it does.
    """

    def __init__(self, streams: Streams) -> None:
        self._lines = LineReader(streams.stdin)
        self._out = Output(streams.stdout, self._failed)
        self._aside = self._out if streams.stdout.isatty() else Output(streams.stderr, self._failed)
        self.left = False
        self.failure: OSError | None = None
        self.on_failure: Callable[[ExitStatus], object] = lambda _status: None

    @property
    def has_hung_up(self) -> bool:
        """Whether the terminal is gone."""
        return self.failure is not None and self.failure.errno == errno.EIO

    @property
    def has_user(self) -> bool:
        """Whether somebody types the lines."""
        return self._lines.isatty()

    async def read(self, prompt: str) -> str | None:
        """The next line; None where there is none."""
        if self.has_user:
            self._aside.write(prompt)
            self._aside.flush()
        return await self._lines.line()

    def sinks(self) -> Sequence[Sink]:
        """Plain lines, then the answer."""
        progress = PlainSink(self._aside)

        def sink(emitted: Emitted) -> None:
            if not isinstance(emitted.event, RunStarted):
                progress(emitted)
            if isinstance(emitted.event, Answered):
                self.show_answer(emitted.event.text)

        return (sink,)

    def echo(self, line: str) -> None:
        """It stands there already, unless it came from a pipe."""
        if not self.has_user:
            self._write(f"> {literal(line)}", self._aside)

    def tell(self, told: Told) -> None:
        """A line or a card; what went wrong is no output."""
        went_wrong = isinstance(told, Line) and told.tone in ("warn", "bad")
        self._write("\n".join(plain_lines(told)), self._aside if went_wrong else self._out)

    def show(self, shown: RenderableType) -> None:
        """Drawn without colours."""
        from dexter.ui.console import make_console

        console = make_console(self._out, {"NO_COLOR": "1", "TERM": "dumb"}, width=_WIDTH)
        console.print(shown)
        self._out.flush()

    def paper(self) -> Paper:
        """Plain lines."""
        from dexter.replay.paper import PlainPaper

        return PlainPaper(self._out, _WIDTH)

    def show_answer(self, markdown: str) -> None:
        """Its Markdown."""
        self._write(literal(markdown.rstrip("\n")))

    def give_back(self, lines: Sequence[str]) -> None:
        """There is no input to put them into: they are told."""
        for line in lines:
            self._write(f"not sent: {literal(line)}", self._aside)

    async def choose(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        guarded: bool = False,
        start: int = 0,  # noqa: ARG002 - nothing is marked here: a choice is named
    ) -> int | None:
        """By number; Enter alone chooses nothing. A `guarded` question is not answered by what was typed before it."""
        if guarded and self.has_user:
            self._lines.forget()
        rows = (f"{n}  {literal(f'{c.label}  {c.about}'.rstrip())}" for n, c in enumerate(choices, 1))
        self._write("\n".join([literal(title), *rows]), self._aside)
        answer = (await self.read("number> ") or "").strip()
        return int(answer) - 1 if answer.isdecimal() and 0 < int(answer) <= len(choices) else None

    async def ask_text(self, prompt: str) -> str | None:
        """The next line."""
        return await self.read(f"{prompt}> ")

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
        self._lines.end()

    def _failed(self, failure: OSError) -> None:
        """Nobody hears the rest: the session ends."""
        self.failure = failure
        self.leave()
        self.on_failure(ExitStatus.HUNG_UP if self.has_hung_up else ExitStatus.FAILED)

    def _write(self, text: str, output: Output | None = None) -> None:
        output = output or self._out
        output.write(text + "\n")
        output.flush()
