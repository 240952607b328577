"""A run in a terminal: what is done is printed once, above; what goes on is a small region below that is redrawn.

The sink does not tick by itself: `refresh` is called by whoever has a clock. Nothing printed is ever repainted.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from dexter.events import (
    STARTED,
    Answered,
    ContextUsed,
    Emitted,
    ErrorRaised,
    Event,
    ModelCall,
    ModelResponded,
    Notice,
    Queue,
    Retry,
    RunFinished,
    RunStarted,
    TextDelta,
    ToolFinished,
    ToolProgress,
    ToolStarted,
)
from dexter.ui.cards import Told
from dexter.ui.literal import literal_line
from dexter.ui.region import Activity, Region, RunningTool
from dexter.ui.render import renderable
from dexter.ui.streamed import StreamedText
from dexter.ui.surface import RichSurface, Surface
from dexter.ui.telling import tell, tell_more
from dexter.ui.tools import finished_line

if TYPE_CHECKING:
    from rich.console import Console, Group, RenderableType


class LiveSink:
    """Panels, tool lines and streamed text on one console.

    `answers`: this console is where the answer belongs, so text is printed for good as it arrives; otherwise only the
    text between tool calls is. `hyperlinks`: links as OSC 8. `errors` and `verbose` as for plain lines. `surface` is
    where the region is drawn, by Rich below what is printed unless another is given.
    """

    def __init__(
        self,
        console: Console,
        *,
        answers: bool = True,
        hyperlinks: bool = False,
        stream: bool = True,
        errors: bool = True,
        verbose: bool = False,
        monotonic: Callable[[], float] = time.monotonic,
        surface: Surface | None = None,
    ) -> None:
        self._console = console
        self._surface = surface or RichSurface(console)
        self._answers = answers
        self._hyperlinks = hyperlinks
        self._stream = stream
        self._errors = errors
        self._verbose = verbose
        self._now = monotonic
        self._text = StreamedText()
        self._region = Region()
        self._after_text = False
        self._anything = False
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            RunStarted: self._open,
            RunFinished: self._finish,
            ModelCall: self._model_call,
            TextDelta: self._delta,
            ModelResponded: self._responded,
            ToolStarted: self._tool_started,
            ToolProgress: self._tool_progress,
            ToolFinished: self._tool_finished,
            Notice: self._notice,
            Retry: self._retry,
            ContextUsed: self._context,
            Queue: self._queue,
            Answered: self._answered,
        }

    def __call__(self, emitted: Emitted) -> None:
        """Show one event. Raises OSError where the terminal is gone."""
        event = emitted.event
        if self._verbose and (more := tell_more(event)):
            self._print(more)
        if handler := self._handlers.get(type(event)):
            handler(event)
        elif not isinstance(event, ErrorRaised) or self._errors:
            self._tell(event)
        self.refresh()

    def refresh(self) -> None:
        """Redraw the region: spinners, seconds, countdowns."""
        self._surface.refresh()

    def stopping(self) -> None:
        """Say that the run was asked to end; what goes on still is being cancelled."""
        self._wait_for("stopping (Ctrl-C again: at once)")
        self.refresh()

    def pause(self) -> None:
        """Take the region away while somebody else uses the terminal."""
        self._surface.pause()

    def go_on(self) -> None:
        """Bring the region back."""
        self._surface.go_on()

    def close(self) -> None:
        """Take the region away and give the cursor back."""
        self._surface.close()

    @property
    def region(self) -> Region:
        """What is going on at this moment."""
        return self._region

    def _open(self, event: RunStarted) -> None:
        self._tell(event)
        self._surface.open(self._draw)

    def _draw(self) -> Group:
        from rich.console import Group

        ascii_only = self._console.options.ascii_only
        return Group(*self._region.lines(self._now(), self._console.width, ascii_only=ascii_only))

    def _finish(self, event: RunFinished) -> None:
        if self._answers and self._stream:  # of a response that was broken off, what came until then
            for block in self._text.finish():
                self._print_text(block)
        self.close()
        self._tell(event)

    def _model_call(self, _event: ModelCall) -> None:
        self._text.begin()
        self._wait_for("waiting for the model")

    def _delta(self, event: TextDelta) -> None:
        activity = self._region.activity
        if event.thinking:
            self._region.activity = replace(activity, what="thinking") if activity else None
            return
        self._region.activity = None
        for block in self._text.feed(event.text):
            if self._answers and self._stream:
                self._print_text(block)
        self._region.tail = self._text.tail if self._answers else self._text.text

    def _responded(self, event: ModelResponded) -> None:
        region = self._region
        region.tail, region.usage = "", region.usage + event.usage
        unknown = region.cost_usd is None or not event.cost_usd
        region.cost_usd = None if unknown else (region.cost_usd or 0) + float(Decimal(event.cost_usd))
        region.activity = None
        if self._answers and self._stream:
            for block in self._text.finish():
                self._print_text(block)
        elif event.tool_calls and event.text.strip():
            self._print_text(event.text.strip())

    def _tool_started(self, event: ToolStarted) -> None:
        self._region.tools[event.call] = RunningTool(event, self._now())

    def _tool_progress(self, event: ToolProgress) -> None:
        if tool := self._region.tools.get(event.call):
            tool.progress = event.text

    def _tool_finished(self, event: ToolFinished) -> None:
        running = self._region.tools.pop(event.call, None)
        self._print(finished_line(event, running.started if running else None, verbose=self._verbose))

    def _notice(self, event: Notice) -> None:
        if event.kind.endswith(STARTED):  # it belongs into the status line
            self._wait_for(literal_line(event.text))
        else:
            self._tell(event)

    def _retry(self, event: Retry) -> None:
        self._tell(event)
        if event.wait_s:
            self._wait_for("trying again in", self._now() + event.wait_s)

    def _context(self, event: ContextUsed) -> None:
        self._region.meter = event

    def _queue(self, event: Queue) -> None:
        self._region.queued = max(0, self._region.queued + (1 if event.action == "queued" else -1))
        self._tell(event)

    def _answered(self, event: Answered) -> None:
        if self._answers:
            missing = self._text.missing(event.text) if self._stream else event.text
            if missing:
                self._print_text(missing)
        self._tell(event)

    def _wait_for(self, what: str, until: float | None = None) -> None:
        self._region.activity = Activity(what, self._now(), until)

    def _tell(self, event: Event) -> None:
        if told := tell(event):
            self._print(told)

    def _print(self, told: Told) -> None:
        self._put(renderable(told, self._console.width), text=False)

    def _print_text(self, text: str) -> None:
        from dexter.ui.markdown import AnswerMarkdown

        self._put(AnswerMarkdown(text, hyperlinks=self._hyperlinks), text=True)

    def _put(self, shown: RenderableType, *, text: bool) -> None:
        """Print for good; text stands between blank lines."""
        if (text or self._after_text) and self._anything:
            self._console.print()
        self._console.print(shown)
        self._after_text, self._anything = text, True
