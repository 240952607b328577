"""The status line: model, policy, context, tokens, cost, queue, time; narrow terminals get what is needed most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dexter.events import ContextUsed
from dexter.session.tracker import Spent
from dexter.ui.cards import Tone
from dexter.ui.literal import literal_line
from dexter.ui.meter import meter_bar, meter_tone
from dexter.ui.words import cut, money, percent, seconds, short

_BAR_CELLS = 10
_BETWEEN = " · "
_FROM_HERE_WHOLE = 10


def whole_seconds(value: float) -> str:
    """A duration that is looked at while it grows: 9 s, 75 s, 3 min 5 s."""
    return seconds(value) if value >= _FROM_HERE_WHOLE else f"{int(value)} s"


@dataclass(frozen=True)
class Status:
    """What the line tells. `elapsed` in seconds, None while no run goes on; `spent` is the session's."""

    model: str
    policy: str
    meter: ContextUsed | None
    spent: Spent
    queued: int = 0
    elapsed: float | None = None

    def text(self, room: int, *, ascii_only: bool = False) -> str:
        """The line in at most `room` cells."""
        parts = [part for part in self._parts(ascii_only=ascii_only) if part[1]]
        while len(parts) > 1 and len(_BETWEEN.join(text for _, text in parts)) > room:
            parts.remove(max(parts))
        return cut(_BETWEEN.join(text for _, text in parts), room)

    @property
    def tone(self) -> Tone:
        """How full the window is."""
        tone = meter_tone(self.meter) if self.meter else "quiet"
        return "quiet" if tone == "good" else tone

    def _parts(self, *, ascii_only: bool) -> Sequence[tuple[int, str]]:
        """Each with its rank: the highest goes first."""
        usage, cost = self.spent.usage, self.spent.cost_usd
        return (
            (0, literal_line(self.model)),
            (6, literal_line(self.policy)),
            (8, meter_bar(self.meter, _BAR_CELLS, ascii_only=ascii_only) if self.meter else ""),
            (1, self._context()),
            (7, f"window {short(self.meter.window)}" if self.meter else ""),
            (5, f"{short(usage.input)} in, {short(usage.output)} out" if usage.input else ""),
            (4, (money("" if cost is None else format(cost, "f"))) if usage.input else ""),
            (2, f"{self.queued} queued" if self.queued else ""),
            (3, "" if self.elapsed is None else whole_seconds(self.elapsed)),
        )

    def _context(self) -> str:
        if self.meter is None:
            return ""
        return (
            f"{short(self.meter.used)}/{short(self.meter.threshold)} ({percent(self.meter.used, self.meter.threshold)})"
        )
