"""A list to choose from, in the place of the input: arrows or digits move, letters narrow it down, Enter takes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from dexter.session.front import Choice

SHOWN = 8
_DIGITS = 9


@dataclass
class Chooser:
    """A choice that is open. `decided` gets the index of the choice, or None. Until `opens_at` keys choose nothing.

    `start` is the choice that is marked at first.
    """

    title: str
    choices: Sequence[Choice]
    decided: asyncio.Future[int | None]
    opens_at: float = 0.0
    start: int = 0
    typed: str = ""
    at: int = 0
    _fitting: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._narrow("")
        self.at = self.start

    @property
    def fitting(self) -> Sequence[int]:
        """The choices that hold what was typed."""
        return self._fitting

    @property
    def first_shown(self) -> int:
        """Where the window of shown choices begins."""
        return max(0, min(self.at - SHOWN // 2, len(self._fitting) - SHOWN))

    def move(self, by: int) -> None:
        """Up or down; round at the ends."""
        if self._fitting:
            self.at = (self.at + by) % len(self._fitting)

    def type(self, text: str) -> None:
        """A digit takes a choice where there are few; other letters narrow the list down."""
        if text.isdecimal() and len(self.choices) <= _DIGITS and not self.typed:
            if 0 < int(text) <= len(self.choices):
                self._decide(int(text) - 1)
        elif text.isprintable():
            self._narrow(self.typed + text)

    def erase(self) -> None:
        """Take the last letter back."""
        self._narrow(self.typed[:-1])

    def take(self) -> None:
        """Choose what is marked."""
        if self._fitting:
            self._decide(self._fitting[self.at])

    def cancel(self) -> None:
        """Choose nothing."""
        self._decide(None)

    def _decide(self, index: int | None) -> None:
        if not self.decided.done():
            self.decided.set_result(index)

    def _narrow(self, typed: str) -> None:
        wanted = typed.casefold()
        self.typed, self.at = typed, 0
        self._fitting = [n for n, c in enumerate(self.choices) if wanted in f"{c.label} {c.about}".casefold()]
