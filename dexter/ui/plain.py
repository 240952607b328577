"""Progress as plain lines: for pipes, logs, screen readers and `--plain`."""

from __future__ import annotations

from typing import TextIO

from dexter.events import Emitted, ErrorRaised, ModelResponded, ToolFinished
from dexter.ui.cards import Told
from dexter.ui.literal import literal
from dexter.ui.render import plain_lines
from dexter.ui.telling import tell
from dexter.ui.tools import finished_line


class PlainSink:
    """Writes lines and flushes each event's. `errors`: also the one that ended the run, which the edge tells too."""

    def __init__(self, stream: TextIO, *, errors: bool = True) -> None:
        self._stream = stream
        self._errors = errors

    def __call__(self, emitted: Emitted) -> None:
        """Tell one event. Raises OSError where the stream is gone."""
        event = emitted.event
        if isinstance(event, ErrorRaised) and not self._errors:
            return
        if isinstance(event, ModelResponded):
            if event.tool_calls and event.text.strip():
                self._write(literal(event.text.strip()))
        elif told := finished_line(event, None) if isinstance(event, ToolFinished) else tell(event):
            self._tell(told)

    def _tell(self, told: Told) -> None:
        self._write("\n".join(plain_lines(told)))

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()
