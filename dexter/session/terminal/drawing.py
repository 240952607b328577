"""What the bottom of the screen shows at a moment: nothing here changes anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prompt_toolkit.formatted_text import StyleAndTextTuples

from dexter.session.session import Session
from dexter.session.status import Status
from dexter.session.terminal import fragments
from dexter.session.terminal.asking import Asking
from dexter.ui.cards import Tone
from dexter.ui.literal import literal_line
from dexter.ui.region import Region
from dexter.ui.words import cut

_TAIL_ROWS = 6
_WAITING_SHOWN = 3
_QUIET: Tone = "quiet"


@dataclass(frozen=True)
class Drawing:
    """Each part as styled text (`dexter.session.terminal.layout.Parts`).

    `room` is the number of cells in a line, `region` what moves in the run that goes on, `is_leaving` whether Ctrl-C
    would leave now.
    """

    session: Callable[[], Session]
    asking: Asking
    region: Callable[[], Region | None]
    room: Callable[[], int]
    is_leaving: Callable[[], bool]
    monotonic: Callable[[], float]
    ascii_only: bool = False

    @property
    def mark(self) -> str:
        """What stands before the input, and before what was said."""
        return "> " if self.ascii_only else "❯ "

    def moving(self) -> StyleAndTextTuples:
        """The end of the text that streams, the tools that run, what is waited for."""
        region, now, room = self.region(), self.monotonic(), self.room()
        if region is None or not self.session().busy:
            return []
        rows = region.moving_lines(now, room, _TAIL_ROWS, ascii_only=self.ascii_only)
        waiting = [(cut(line, room), _QUIET) for line in region.waiting_line(now, ascii_only=self.ascii_only)]
        return fragments.lines([*rows, *waiting])

    def waiting(self) -> StyleAndTextTuples:
        """The newest lines that wait for the next turn."""
        lines = self.session().waiting
        shown = [(cut(f"queued: {literal_line(line)}", self.room()), _QUIET) for line in lines[-_WAITING_SHOWN:]]
        more = [(f"{len(lines) - _WAITING_SHOWN} more queued", _QUIET)] if len(lines) > _WAITING_SHOWN else []
        return fragments.lines([*more, *shown])

    def choice(self) -> StyleAndTextTuples:
        """What can be chosen."""
        chooser = self.asking.chooser
        if chooser is None:
            return []
        escape = "stops the run" if self.session().busy else "leaves"
        return fragments.choice_list(chooser, self.room(), is_open=self.asking.takes_keys, escape=escape)

    def status(self) -> StyleAndTextTuples:
        """The status line."""
        session = self.session()
        status = Status(
            model=session.plan.models.info.name,
            policy=session.plan.policy.name,
            meter=session.tracker.meter,
            spent=session.tracker.total,
            queued=len(session.inbox.pending),
            elapsed=session.elapsed if session.busy else None,
        )
        return fragments.lines([(status.text(self.room(), ascii_only=self.ascii_only), status.tone)])

    def prompt(self) -> str:
        """What stands before the cursor's line."""
        return f"{self.asking.prompt} {self.mark}" if self.asking.is_writing else self.mark

    def placeholder(self) -> str:
        """What an empty input says."""
        if self.is_leaving():
            return "Ctrl-C again leaves"
        if self.session().busy:
            return "" if self.session().stopping else "Enter queues a line for the next turn · Esc stops"
        return "Ask about a company, or /help"

    def choosing(self) -> bool:
        """Whether a choice stands in the place of the input."""
        return self.asking.is_choosing

    def writing(self) -> bool:
        """Whether another line does."""
        return self.asking.is_writing
