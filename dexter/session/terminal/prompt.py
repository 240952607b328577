"""The front of a session in a terminal: a prompt at the bottom, everything else printed once above it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import is_searching
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import merge_key_bindings
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.search import stop_search

from dexter.errors import DexterError
from dexter.events import Emitted, Queue, RunStarted, Sink
from dexter.session.front import Choice
from dexter.session.lines import handle
from dexter.session.session import Session, fault_line
from dexter.session.terminal import fragments
from dexter.session.terminal.above import Above
from dexter.session.terminal.asking import Asking
from dexter.session.terminal.completer import SessionCompleter
from dexter.session.terminal.drawing import Drawing
from dexter.session.terminal.frames import Frames
from dexter.session.terminal.history import SessionHistory
from dexter.session.terminal.keys import answer_keys, choice_keys, line_keys
from dexter.session.terminal.layout import build_screen
from dexter.session.terminal.pasting import PastedEnter
from dexter.ui.cards import Line, Told
from dexter.ui.console import make_console
from dexter.ui.literal import literal
from dexter.ui.live import LiveSink
from dexter.ui.render import renderable
from dexter.ui.telling import tell

if TYPE_CHECKING:
    from rich.console import RenderableType

    from dexter.replay.paper import Paper

_KEY_WAIT_S = 0.05
_LEAVE_S = 2.0
_TWICE_S = 1.0
_LONG_RUN_S = 15.0
_BELL = "\a"


@dataclass(frozen=True)
class Look:
    """How things are shown. `hyperlinks`: OSC 8; `stream`: answers as they are written; `verbose`: calls in full."""

    hyperlinks: bool = False
    stream: bool = True
    verbose: bool = False
    colours: bool = True


class PromptFront:
    """Owns the bottom of the screen. `session` is set before `run`."""

    session: Session

    def __init__(
        self,
        terminal: TextIO,
        environ: Mapping[str, str],
        *,
        look: Look,
        history: SessionHistory,
        input: Input,  # noqa: A002 - prompt_toolkit's word
        output: Output,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._above = Above(terminal, self.changed)
        self._console = make_console(self._above, environ)
        self._environ = environ
        self._look = look
        self._now = monotonic
        self._live: LiveSink | None = None
        self._leaving_until = 0.0
        self._escaped_at = -_TWICE_S
        self._tasks: set[asyncio.Task[None]] = set()
        self._line = Buffer(history=history, multiline=True, complete_while_typing=True)
        self._answer = Buffer(multiline=False, accept_handler=self._take_answer)
        self._entering = PastedEnter(monotonic)
        self._frames = Frames(self._redraw, monotonic)
        self._asking = Asking(self._turn, self._frames.after, self._line.insert_text, monotonic)
        self._drawing = Drawing(
            session=lambda: self.session,
            asking=self._asking,
            region=lambda: self._live.region if self._live else None,
            room=lambda: max(self.app.output.get_size().columns - 1, 1),
            is_leaving=lambda: monotonic() < self._leaving_until,
            monotonic=monotonic,
            ascii_only=self._console.options.ascii_only,
        )
        keys = choice_keys(self._asking.chooser_for, self._close_choice)
        self._screen = build_screen(self._drawing, self._line, self._answer, keys)
        self.app = self._application(input, output)

    def _application(self, keyboard: Input, output: Output) -> Application[None]:
        keys = [line_keys(self._line, self, self._entering), answer_keys(self._answer, self._asking.cancel)]
        app: Application[None] = Application(
            layout=self._screen.layout,
            key_bindings=merge_key_bindings(keys),
            style=fragments.STYLE,
            color_depth=None if self._look.colours else ColorDepth.DEPTH_1_BIT,
            editing_mode=EditingMode.EMACS,
            erase_when_done=True,
            include_default_pygments_style=False,
            terminal_size_polling_interval=None,
            before_render=lambda _app: self._print_waiting(),
            input=keyboard,
            output=output,
        )
        app.timeoutlen = app.ttimeoutlen = _KEY_WAIT_S
        app.key_processor.before_key_press += lambda keys: self._entering.key(len(keys.input_queue) + 1)
        return app

    def complete_with(self, completer: SessionCompleter) -> None:
        """Offer completions from now on."""
        self._line.completer = completer

    async def run(self) -> None:
        """Until the user leaves. The terminal is as it was afterwards."""
        try:
            await self.app.run_async()
        finally:
            self._entering.drop()
            self._frames.rest()
            with contextlib.suppress(OSError):  # the terminal is gone: nobody would see it
                self.app.output.write_raw(self._above.take())
                self.app.output.flush()

    # What a session asks of its front.

    def sinks(self) -> Sequence[Sink]:
        """Panels and streamed text, drawn by this prompt."""
        live = LiveSink(
            self._console,
            hyperlinks=self._look.hyperlinks,
            stream=self._look.stream,
            verbose=self._look.verbose,
            monotonic=self._now,
            surface=_Below(self),
        )
        self._live = live
        self._frames.move()

        def sink(emitted: Emitted) -> None:
            event = emitted.event
            if isinstance(event, Queue):
                self._show_queue(event)
            elif isinstance(event, RunStarted):
                self._show_start(event)
            else:
                live(emitted)

        return (sink,)

    def echo(self, line: str) -> None:
        """What the user said, behind the prompt's mark."""
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid()
        grid.add_row(Text(self._drawing.mark, style="bold cyan"), Text(literal(line), style="bold", overflow="fold"))
        self._console.print()
        self._console.print(grid)

    def tell(self, told: Told) -> None:
        """A line or a card."""
        self._console.print(renderable(told, self._console.width))

    def show(self, shown: RenderableType) -> None:
        """Anything Rich draws."""
        self._console.print()
        self._console.print(shown)

    def paper(self) -> Paper:
        """The same console."""
        from dexter.replay.paper import RichPaper

        return RichPaper(self._console, hyperlinks=self._look.hyperlinks)

    def show_answer(self, markdown: str) -> None:
        """An answer."""
        from dexter.ui.markdown import AnswerMarkdown

        self.show(AnswerMarkdown(markdown, hyperlinks=self._look.hyperlinks))

    def give_back(self, lines: Sequence[str]) -> None:
        """Lines come back before what is in the input."""
        self._replace("\n".join([*lines, *([self._line.text] if self._line.text else [])]))

    async def choose(
        self, title: str, choices: Sequence[Choice], *, guarded: bool = False, start: int = 0
    ) -> int | None:
        """A list in the place of the input."""
        return await self._asking.choose(title, choices, guarded=guarded, start=start)

    async def ask_text(self, prompt: str) -> str | None:
        """A line of its own in the place of the input."""
        self._answer.reset()
        return await self._asking.write(prompt)

    async def edit(self) -> None:
        """The user's editor, on what is in the input."""
        from dexter.session.terminal.editor import edited

        self._replace(await edited(self._line.text, self._environ))

    def copy(self, text: str) -> bool:
        """By OSC 52, which reaches the user's own machine through ssh too."""
        from dexter.session.clipboard import osc52

        self.app.output.write_raw(osc52(text))
        self.app.output.flush()
        return True

    def clear_screen(self) -> None:
        """The screen, nothing else."""
        self._print_waiting()
        self.app.renderer.clear()
        self.changed()

    def changed(self) -> None:
        """Draw soon; many changes at once are drawn together."""
        self._frames.soon()

    def finished(self, seconds: float) -> None:
        """Nothing moves any more; after a long run the bell rings."""
        self._frames.rest()
        self._live = None
        if seconds >= _LONG_RUN_S:
            self.app.output.write_raw(_BELL)
        self.changed()

    def leave(self) -> None:
        """End the session, a run that goes on first."""
        self._start(self._leave())

    # What keys ask for.

    def submit(self) -> None:
        """Hand the line on."""
        text = self._line.text
        if not text.strip():
            return
        self._line.append_to_history()
        self._line.reset()
        self._start(handle(self.session, text.strip()))

    def open_editor(self) -> None:
        """Ctrl-X Ctrl-E: what is typed goes along."""
        self._start(self.edit())

    def stop_or_clear(self) -> None:
        """Ctrl-C: close what is open, stop the run, clear the line; twice leaves."""
        if is_searching():
            stop_search()
            if not self.session.busy:
                return
        if not self.session.busy and self._asking.cancel():
            return
        if self.session.stopping:
            self.app.exit(exception=KeyboardInterrupt)
        elif self.session.interrupt():
            self._say_stopping()
        elif self._line.text:
            self._line.reset()
        elif self._now() < self._leaving_until:
            self.leave()
        else:
            self._leaving_until = self._now() + _LEAVE_S
            self.changed()
            self._frames.after(_LEAVE_S)

    def escape(self) -> None:
        """Esc stops the run. Twice at idle the last question comes back to be changed."""
        if self.session.interrupt():
            self._say_stopping()
            return
        twice, self._escaped_at = self._now() < self._escaped_at + _TWICE_S, self._now()
        if twice and not self._line.text and (question := self.session.rewind()) is not None:
            self.tell(Line("Taken back: the conversation goes on from before this question.", "quiet"))
            self.give_back([question])

    def _close_choice(self) -> None:
        """Esc where a choice is open: what a run asks is not answered, the run stops."""
        if self.session.busy:
            self.escape()
        else:
            self._asking.cancel()

    def take_back(self) -> bool:
        """The newest waiting line."""
        line = self.session.take_back()
        if line is not None:
            self.give_back([line])
        return line is not None

    # How it goes about it.

    def _turn(self) -> None:
        """What is asked, or the input, has the keys."""
        screen = self._screen
        asked = screen.choice if self._asking.is_choosing else screen.answer if self._asking.is_writing else None
        self.app.layout.focus(asked or screen.input)
        self.changed()

    def _redraw(self) -> None:
        self.app.invalidate()

    def _print_waiting(self) -> None:
        """What was printed goes above, in one go with the new drawing of what stands below."""
        if text := self._above.take():
            self.app.renderer.erase()
            self.app.output.write_raw(text)

    def _show_queue(self, event: Queue) -> None:
        if event.action == "drained":
            self.echo(self.session.as_typed(event.line))
        self.changed()

    def _show_start(self, event: RunStarted) -> None:
        """Model and policy stand in the status line; the reason is told where it is not the usual one."""
        if self._look.verbose and (told := tell(event)):
            self.tell(told)

    def _say_stopping(self) -> None:
        if self._live is not None:
            self._live.stopping()

    def _take_answer(self, buffer: Buffer) -> bool:
        self._asking.finish(buffer.text)
        return False

    def _replace(self, text: str) -> None:
        """Another text in the input, the cursor at its end."""
        self._line.text = text
        self._line.cursor_position = len(text)
        self.changed()

    def _keep_draft(self) -> None:
        """What was not sent is said, and stands in the history."""
        if text := self._line.text.strip():
            self._line.append_to_history()
            self.tell(Line(f"Not sent, but kept in the history: {literal(text)}", "quiet"))

    async def _leave(self) -> None:
        self.session.interrupt()
        await self.session.settle()
        self._keep_draft()
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    async def _told(self, work: Coroutine[Any, Any, None]) -> None:
        """What goes wrong is told; the session goes on."""
        try:
            await work
        except DexterError as error:
            self.tell(Line(literal(f"{error.message} {error.remedy}".rstrip()), "warn", "!"))
        except Exception as fault:  # noqa: BLE001 - a fault of one command must not take the session with it
            self.tell(fault_line(fault))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(self._told(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Below:
    """The region of a run, drawn by the prompt."""

    def __init__(self, front: PromptFront) -> None:
        self._front = front

    def open(self, _draw: object) -> None:
        """The prompt draws it anyway."""
        self._front.changed()

    def refresh(self) -> None:
        """Draw soon."""
        self._front.changed()

    def pause(self) -> None:
        """Nobody else uses the terminal."""

    def go_on(self) -> None:
        """See `pause`."""

    def close(self) -> None:
        """The run is over."""
        self._front.changed()
