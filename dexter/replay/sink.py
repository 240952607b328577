"""A run's events as a timeline for reading: a sink like those of a live run, but for one that is over, or followed."""

from __future__ import annotations

from collections.abc import Callable

from dexter.events import (
    Answered,
    ContextUsed,
    Emitted,
    ModelCall,
    ModelResponded,
    RunStarted,
    ToolFinished,
    ToolStarted,
)
from dexter.replay.paper import Paper
from dexter.ui.telling import tell, tell_more
from dexter.ui.tools import finished_line

_CLOCK = slice(11, 19)
_INDENT = 4


class TimelineSink:
    """Prints each event on paper, under its turn's heading; a tool call is one line, told when it has finished.

    Args:
        paper: where it is printed.
        requests: whether requests are told, too, and not only their answers.
        header: whether how the run began is printed, too; else whoever has the whole timeline does it better.
        below: what is printed below a result's line, by its id: the whole result, or what was looked for; '' nothing.
    """

    def __init__(
        self,
        paper: Paper,
        *,
        requests: bool = False,
        header: bool = False,
        below: Callable[[int], str] = lambda _result: "",
    ) -> None:
        self._paper = paper
        self._requests = requests
        self._header = header
        self._below = below
        self._turn = 0
        self._started: dict[str, ToolStarted] = {}
        self._held = ""  # text without calls: the answer, unless something else follows

    def __call__(self, emitted: Emitted) -> None:
        """Print one event. Raises OSError where nobody reads any more."""
        if not isinstance(emitted.event, Answered | ModelResponded | ContextUsed):
            self._release()
        if emitted.turn > self._turn:
            self._turn = emitted.turn
            self._paper.heading(f"turn {emitted.turn} · {emitted.ts[_CLOCK]}".rstrip(" ·"))
        match emitted.event:
            case ContextUsed():
                return
            case ModelCall() as event:
                if self._requests and (more := tell_more(event)):
                    self._paper.told(more)
            case RunStarted() as event:
                self._begun(event)
            case ToolStarted() as event:
                self._started[event.call] = event
            case ToolFinished() as event:
                self._finished(event)
            case ModelResponded() as event:
                self._responded(event)
            case Answered() as event:
                self._answered(event)
            case event:
                if told := tell(event):
                    self._paper.told(told)

    def _begun(self, event: RunStarted) -> None:
        if self._header and not event.reason:
            self._paper.text(event.question)
        if (self._header or event.reason) and (told := tell(event)):
            self._paper.told(told)

    def close(self) -> None:
        """Nothing follows."""
        self._release()

    def _responded(self, event: ModelResponded) -> None:
        self._release()
        is_recorded = event.stop_reason or event.usage.input  # of the original's turns nothing is known but the text
        if is_recorded and (more := tell_more(event)):
            self._paper.told(more)
        self._held = event.text.strip()
        if event.tool_calls or not is_recorded:
            self._release()

    def _release(self) -> None:
        if self._held:
            self._paper.markdown(self._held)
        self._held = ""

    def _finished(self, event: ToolFinished) -> None:
        self._paper.told(finished_line(event, self._started.pop(event.call, None)))
        if text := self._below(event.result):
            self._paper.text(text, indent=_INDENT)

    def _answered(self, event: Answered) -> None:
        if self._held != event.text.strip():
            self._release()
        self._held = ""
        self._paper.heading("answer" if event.complete else "answer, not complete")
        self._paper.markdown(event.text)
        if told := tell(event):
            self._paper.told(told)
