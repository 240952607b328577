"""Which sinks a run gets, by the options and by what stands at the other ends of the streams."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from dexter.approval import Approver
from dexter.cli.output_file import check_writable, is_stdout, write_output
from dexter.cli.run_options import RunOptions
from dexter.cli.terminal import Terminal
from dexter.errors import DexterError
from dexter.events import Sink
from dexter.ui.answer import AnswerSink, write_plain, write_rendered
from dexter.ui.guard import Guard
from dexter.ui.json_object import JsonObjectSink
from dexter.ui.jsonl import JsonLinesSink
from dexter.ui.links import use_links
from dexter.ui.plain import PlainSink
from dexter.ui.report import ReportSink
from dexter.ui.safe_json import safe_json

if TYPE_CHECKING:
    from dexter.tools.ask_user_question import AskUser

LinkSetting = Literal["auto", "always", "never"]


class Outputs:
    """The sinks of one run. `on_failure` is called once a stream is gone; `close` when the run is over."""

    def __init__(self, options: RunOptions, terminal: Terminal, on_failure: Callable[[], object]) -> None:
        if options.output is not None and is_stdout(options.output):
            options = replace(options, output=None)
        self._options = options
        self._terminal = terminal.without_colours() if options.no_color else terminal
        self._on_failure = on_failure
        self._guards: list[Guard] = []
        output = options.output
        self._object = JsonObjectSink() if options.json or (output and output.suffix.lower() == ".json") else None
        self._report = ReportSink(output.suffix) if output and self._object is None else None
        self._refresh: Callable[[], None] = lambda: None
        self._stopping: Callable[[], None] = lambda: None
        self._pause: Callable[[], None] = lambda: None
        self._go_on: Callable[[], None] = lambda: None
        self._close: Callable[[], None] = lambda: None
        if output is not None:
            check_writable(output)

    def sinks(self, links: LinkSetting, *, stream: bool) -> tuple[Sink, ...]:
        """Progress first, then the answer or its JSON."""
        hyperlinks = use_links(links, self._terminal.environ)
        progress = self._progress(hyperlinks=hyperlinks, stream=stream)
        answer = self._answer(hyperlinks=hyperlinks)
        self._guards = [Guard(sink, self._on_failure) for sink in (progress, answer) if sink is not None]
        return tuple(self._guards)

    def approver(self) -> Approver | None:
        """Who asks for approval at this terminal, None without one. The sinks are made before."""
        from dexter.cli.asking import terminal_approver

        return terminal_approver(self._terminal, plain=self._options.plain, pause=self._pause, go_on=self._go_on)

    def asker(self) -> AskUser | None:
        """Who puts the model's questions to the user, None without a terminal. The sinks are made before."""
        from dexter.cli.asking import terminal_asker

        return terminal_asker(self._terminal, plain=self._options.plain, pause=self._pause, go_on=self._go_on)

    def refresh(self) -> None:
        """Redraw what moves."""
        if self._guards:
            self._guards[0].attempt(self._refresh)

    def stopping(self) -> None:
        """Tell that the run was asked to end."""
        if self._guards:
            self._guards[0].attempt(self._stopping)

    def give_up(self) -> None:
        """Leave the terminal usable; the process ends right after."""
        self._close()

    def close(self, error: DexterError | None = None) -> None:
        """Write what belongs at the end.

        Raises:
            DexterError: the output file or a stream can't be written.
            BrokenPipeError: nobody reads any more.
        """
        self._close()
        if self._object is not None:
            if error is not None:
                self._object.fail(error)
            self._write(safe_json(self._object.result) + "\n")
        elif self._report is not None and (text := self._report.text()):
            self._write(text)
        self._raise_failure()

    def _progress(self, *, hyperlinks: bool, stream: bool) -> Sink | None:
        options, terminal = self._options, self._terminal
        if options.quiet or options.events:
            return None
        if options.plain or not terminal.shows_progress:
            return PlainSink(terminal.stderr, errors=False, verbose=options.verbose)
        from dexter.ui.console import make_console
        from dexter.ui.live import LiveSink

        console = make_console(terminal.stderr, terminal.environ)
        live = LiveSink(
            console,
            answers=self._streams_answer,
            hyperlinks=hyperlinks,
            stream=stream,
            errors=False,
            verbose=options.verbose,
        )
        self._refresh, self._stopping, self._close = live.refresh, live.stopping, live.close
        self._pause, self._go_on = live.pause, live.go_on
        return live

    def _answer(self, *, hyperlinks: bool) -> Sink | None:
        options, terminal = self._options, self._terminal
        if options.events:
            return JsonLinesSink(terminal.stdout)
        if self._object is not None:
            return self._object
        if self._report is not None:
            return self._report
        if not options.quiet and self._streams_answer:
            return None
        if not options.plain and (terminal.shows_answers or terminal.wants_colour_anyway):
            from dexter.ui.console import make_console

            return AnswerSink(write_rendered(make_console(terminal.stdout, terminal.environ), hyperlinks=hyperlinks))
        return AnswerSink(write_plain(terminal.stdout))

    @property
    def _streams_answer(self) -> bool:
        """Whether the answer appears among the progress as it is written: both go to one terminal."""
        options = self._options
        elsewhere = options.json or options.output is not None or options.plain
        return self._terminal.is_one and not elsewhere

    def _write(self, text: str) -> None:
        """To the file, or to standard output; an answer that can't go to its file is not lost."""
        stdout = self._terminal.stdout
        try:
            if self._options.output is not None:
                write_output(self._options.output, text)
                return
        except DexterError:
            stdout.write(text)
            raise
        stdout.write(text)
        stdout.flush()

    def _raise_failure(self) -> None:
        failure = next((guard.failure for guard in self._guards if guard.failure is not None), None)
        if isinstance(failure, BrokenPipeError) or (failure is not None and failure.errno in {errno.EPIPE, errno.EIO}):
            raise BrokenPipeError(failure.errno, failure.strerror)
        if failure is not None:
            raise DexterError(
                f"The output can't be written: {failure.strerror}.", remedy="`dexter runs` names the record."
            )
