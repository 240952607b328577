"""Telling an Enter that was typed from one that was pasted, in a terminal that does not mark what is pasted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

# Between two keys of a person there is more time, between two of a paste less; once something was pasted, its pieces
# may come with pauses.
_GAP_S = 0.015
_PAUSE_S = 0.04


class PastedEnter:
    """Holds each Enter back for a moment. A key that follows at once tells that it was pasted, as the next ones are.

    `monotonic` gives seconds. Everything is called on the event loop's thread.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._now = monotonic
        self._pasting_until = 0.0
        self._held: asyncio.TimerHandle | None = None
        self._if_pasted: Callable[[], None] = lambda: None

    def press(self, if_typed: Callable[[], None], if_pasted: Callable[[], None]) -> None:
        """Enter: one of the two is called, `if_typed` only once no key has followed for a moment."""
        if self._now() < self._pasting_until:
            if_pasted()
            return

        def typed() -> None:
            self._held = None
            if_typed()

        self._if_pasted = if_pasted
        self._held = asyncio.get_running_loop().call_later(_GAP_S, typed)

    def key(self) -> None:
        """Any key, before it does what it does."""
        was_held = self.drop()
        if was_held or self._now() < self._pasting_until:
            self._pasting_until = self._now() + _PAUSE_S
        if was_held:
            self._if_pasted()

    def drop(self) -> bool:
        """Forget an Enter that is held back; whether one was."""
        held, self._held = self._held, None
        if held is not None:
            held.cancel()
        return held is not None
