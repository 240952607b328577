"""The few lines at the bottom that change while a run goes on: running tools, the text's tail, a status line.

Never more than `MOST_LINES`, each cut to the terminal's width: what is small can be redrawn without flicker, and a
narrowed terminal leaves little behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dexter.events import ContextUsed, ToolStarted
from dexter.ui.cards import Tone
from dexter.ui.literal import literal, literal_line
from dexter.ui.meter import meter_bar, meter_tone
from dexter.ui.tools import started_text
from dexter.ui.words import cut, money, percent, seconds, short
from dexter.usage import Usage

if TYPE_CHECKING:
    from rich.text import Text

_TOOLS_SHOWN = 4
TAIL_SHOWN = 3
MOST_LINES = _TOOLS_SHOWN + 1 + TAIL_SHOWN + 1
_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_FRAMES = "-\\|/"
_FRAMES_A_SECOND = 8
_BAR_CELLS = 20
_NARROW_BAR_CELLS = 8
_NARROW = 80


@dataclass(frozen=True)
class Activity:
    """What is waited for, since when and, where that is known, until when (monotonic seconds)."""

    what: str
    since: float
    until: float | None = None

    def text(self, now: float) -> str:
        """With the seconds that passed, or that are left."""
        passed = seconds(now - self.since) if self.until is None else f"{max(self.until - now, 0):.0f} s"
        return f"{self.what} {passed}"


def spinner_frame(now: float, *, ascii_only: bool = False) -> str:
    """The spinner at a moment."""
    frames = _ASCII_FRAMES if ascii_only else _FRAMES
    return frames[int(now * _FRAMES_A_SECOND) % len(frames)]


@dataclass
class RunningTool:
    """A call that has begun: since when (monotonic seconds), and its last word on progress."""

    started: ToolStarted
    since: float
    progress: str = ""


@dataclass
class Region:
    """What is going on at this moment."""

    tools: dict[str, RunningTool] = field(default_factory=dict)
    tail: str = ""
    activity: Activity | None = None
    meter: ContextUsed | None = None
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = 0.0
    queued: int = 0

    def lines(self, now: float, width: int, *, ascii_only: bool = False) -> list[Text]:
        """The region at a moment, each line shorter than `width` cells."""
        from rich.text import Text

        from dexter.ui.console import TONES

        room = max(width - 1, 1)
        shown = self.moving_lines(now, room, TAIL_SHOWN, ascii_only=ascii_only)
        waiting = list(self.waiting_line(now, ascii_only=ascii_only))
        status = cut(" · ".join([*waiting, *self._bar(room, ascii_only=ascii_only), *self._sums()]), room)
        tone = meter_tone(self.meter) if self.meter else "quiet"
        return [Text(text, style=TONES[of]) for text, of in [*shown, (status, tone)]]

    def moving_lines(self, now: float, room: int, most: int, *, ascii_only: bool = False) -> list[tuple[str, Tone]]:
        """The end of the text, at most `most` lines, and the running tools, each line at most `room` cells."""
        tail: list[tuple[str, Tone]] = [(cut(line, room), "quiet") for line in self._tail_lines(room, most)]
        frame = spinner_frame(now, ascii_only=ascii_only)
        return [*tail, *((cut(f"{frame} {line}", room), "info") for line in self._tool_lines(now))]

    def waiting_line(self, now: float, *, ascii_only: bool = False) -> Iterator[str]:
        """What is waited for, if anything is."""
        if self.activity:
            yield f"{spinner_frame(now, ascii_only=ascii_only)} {self.activity.text(now)}"

    def _tail_lines(self, room: int, most: int) -> list[str]:
        """The end of the text, wrapped, so that one sees it grow."""
        from rich.console import Console
        from rich.text import Text

        if not self.tail.strip():
            return []
        text = Text(literal(self.tail[-most * room :]))
        wrapped = text.wrap(Console(width=room), room)
        return [line.plain.rstrip() for line in wrapped if line.plain.strip()][-most:]

    def _tool_lines(self, now: float) -> Iterator[str]:
        running = list(self.tools.values())
        for tool in running[:_TOOLS_SHOWN]:
            progress = f" · {literal_line(tool.progress)}" if tool.progress else ""
            yield f"{started_text(tool.started)} · {seconds(now - tool.since)}{progress}"
        if len(running) > _TOOLS_SHOWN:
            yield f"and {len(running) - _TOOLS_SHOWN} more"

    def _bar(self, room: int, *, ascii_only: bool) -> Iterator[str]:
        if self.meter:
            bar = meter_bar(self.meter, _NARROW_BAR_CELLS if room < _NARROW else _BAR_CELLS, ascii_only=ascii_only)
            used, threshold = self.meter.used, self.meter.threshold
            yield f"{bar} {short(used)} of {short(threshold)} ({percent(used, threshold)})"

    def _sums(self) -> Iterator[str]:
        if self.usage.input:
            yield f"{short(self.usage.input)} in, {short(self.usage.output)} out"
            yield money("" if self.cost_usd is None else str(self.cost_usd))
        if self.queued:
            yield f"{self.queued} queued"
