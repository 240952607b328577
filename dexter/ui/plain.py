"""Progress as plain lines: for pipes, logs, screen readers and `--plain`."""

from __future__ import annotations

from typing import TextIO

from dexter.events import Emitted, ErrorRaised, Event, ModelResponded, ToolFinished, ToolStarted
from dexter.ui.cards import Line, Told
from dexter.ui.literal import literal
from dexter.ui.render import plain_lines
from dexter.ui.telling import tell, tell_more
from dexter.ui.tools import finished_line, started_text


class PlainSink:
    """Writes lines and flushes each event's.

    `errors`: also the one that ended the run, which the edge tells too. `verbose`: calls in full, each request.
    """

    def __init__(self, stream: TextIO, *, errors: bool = True, verbose: bool = False) -> None:
        self._stream = stream
        self._errors = errors
        self._verbose = verbose

    def __call__(self, emitted: Emitted) -> None:
        """Tell one event. Raises OSError where the stream is gone."""
        event = emitted.event
        if isinstance(event, ErrorRaised) and not self._errors:
            return
        if self._verbose and (more := tell_more(event)):
            self._tell(more)
        if isinstance(event, ModelResponded):
            if event.tool_calls and event.text.strip():
                self._write(literal(event.text.strip()))
        elif told := self._told(event):
            self._tell(told)

    def _told(self, event: Event) -> Told | None:
        if isinstance(event, ToolStarted):
            return Line(started_text(event, verbose=self._verbose), "quiet", "→")
        return finished_line(event, None, verbose=self._verbose) if isinstance(event, ToolFinished) else tell(event)

    def _tell(self, told: Told) -> None:
        self._write("\n".join(plain_lines(told)))

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()
