"""What the events of a session add up to: the status line, `/cost` and `/copy` read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path

from dexter.events import Answered, ContextUsed, Emitted, ModelCall, ModelResponded, RunFinished, RunStarted
from dexter.usage import Usage


@dataclass(frozen=True)
class Spent:
    """Tokens and USD of one run; `cost_usd` is None where a price is unknown."""

    usage: Usage = field(default_factory=Usage)
    cost_usd: Decimal | None = Decimal(0)

    def __add__(self, other: Spent) -> Spent:
        known = self.cost_usd is not None and other.cost_usd is not None
        cost = (self.cost_usd or Decimal(0)) + (other.cost_usd or Decimal(0)) if known else None
        return Spent(self.usage + other.usage, cost)


@dataclass
class Tracker:
    """A sink. `meter` is how full the window is, as last heard; `path` the newest run's record; `answer` its answer.

    `spent` holds each run of this session by name, in order.
    """

    run: str = ""
    path: Path | None = None
    meter: ContextUsed | None = None
    answer: str = ""
    spent: dict[str, Spent] = field(default_factory=dict)
    _threshold: int = 0
    _window: int = 0

    def __call__(self, emitted: Emitted) -> None:
        """Take one event."""
        event = emitted.event
        if isinstance(event, RunStarted):
            self.run, self.path = emitted.run, Path(event.path)
            self._threshold, self._window = event.threshold, event.window
            self.spent.setdefault(emitted.run, Spent())
        elif isinstance(event, ModelCall):
            self.meter = ContextUsed(event.tokens_estimated, self._threshold, self._window)
        elif isinstance(event, ContextUsed):
            self.meter = event
        elif isinstance(event, ModelResponded):
            self._add(emitted.run, Spent(event.usage, _known(event.cost_usd)))
        elif isinstance(event, Answered):
            self.answer = event.text
        elif isinstance(event, RunFinished):
            self.spent[emitted.run] = Spent(event.usage, _known(event.cost_usd))

    @property
    def total(self) -> Spent:
        """All runs of this session together."""
        return sum(self.spent.values(), Spent())

    def spend(self, run: str, usage: Usage | None, cost_usd: Decimal | None) -> None:
        """A request of a run that is over: its conversation was compacted."""
        self._add(run, Spent(usage or Usage(), cost_usd))

    def _add(self, run: str, spent: Spent) -> None:
        self.spent[run] = self.spent.get(run, Spent()) + spent


def _known(cost_usd: str) -> Decimal | None:
    return Decimal(cost_usd) if cost_usd else None
