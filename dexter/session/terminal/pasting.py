"""Telling an Enter that was typed from one that was pasted, in a terminal that does not mark what is pasted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

# Enter with so many keys right behind it was pasted; fewer may have been typed ahead, by a script too.
_MANY_KEYS = 10
# An Enter at the end of a piece waits for the next one; once something was pasted, the pieces may come with pauses.
_GAP_S = 0.004
_PAUSE_S = 0.04


class PastedEnter:
    """Holds each Enter back for a moment. Many keys that follow at once tell that it was pasted, as the next ones are.

    `monotonic` gives seconds. Everything is called on the event loop's thread.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._now = monotonic
        self._pasting_until = 0.0
        self._held: asyncio.TimerHandle | None = None
        self._if_typed: Callable[[], None] = lambda: None
        self._if_pasted: Callable[[], None] = lambda: None

    def press(self, if_typed: Callable[[], None], if_pasted: Callable[[], None]) -> None:
        """Enter: one of the two is called, now or when it is clear."""
        if self._now() < self._pasting_until:
            if_pasted()
            return
        self._if_typed, self._if_pasted = if_typed, if_pasted
        self._held = asyncio.get_running_loop().call_later(_GAP_S, self._typed)

    def key(self, waiting: int) -> None:
        """Any key, before it does what it does; so many wait to be heeded, this one among them."""
        if self._now() < self._pasting_until or (self._held is not None and waiting >= _MANY_KEYS):
            self._pasting_until = self._now() + _PAUSE_S
            if self.drop():
                self._if_pasted()
        elif self.drop():
            self._if_typed()

    def drop(self) -> bool:
        """Forget an Enter that is held back; whether one was."""
        held, self._held = self._held, None
        if held is not None:
            held.cancel()
        return held is not None

    def _typed(self) -> None:
        self._held = None
        self._if_typed()
