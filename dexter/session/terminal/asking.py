"""What is asked in the place of the input: a choice, or a line that is no message. One question at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from dexter.session.front import Choice
from dexter.session.terminal.chooser import Chooser

_GUARD_S = 0.6


class Asking:
    """The open question, if there is one. `turned` is called when the focus goes elsewhere, `later` in some seconds.

    A guarded choice opens only when no key was pressed for a moment: what is typed just then was meant for the input,
    and goes there through `put_back`.
    """

    def __init__(
        self,
        turned: Callable[[], None],
        later: Callable[[float], None],
        put_back: Callable[[str], None],
        monotonic: Callable[[], float],
    ) -> None:
        self.chooser: Chooser | None = None
        self.prompt = ""
        self._turned = turned
        self._later = later
        self._put_back = put_back
        self._now = monotonic
        self._written: asyncio.Future[str | None] | None = None
        self._one = asyncio.Lock()

    @property
    def is_choosing(self) -> bool:
        """Whether a choice is open."""
        return self.chooser is not None

    @property
    def is_writing(self) -> bool:
        """Whether a line is asked for."""
        return self._written is not None

    @property
    def takes_keys(self) -> bool:
        """Whether a key decides the choice that is open."""
        return self.chooser is not None and self._now() >= self.chooser.opens_at

    async def choose(self, title: str, choices: Sequence[Choice], *, guarded: bool, start: int = 0) -> int | None:
        """Ask for one of several, `start` marked at first; its number, or None."""
        async with self._one:
            opens_at = self._now() + _GUARD_S if guarded else 0.0
            decided: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
            chooser = self.chooser = Chooser(title, choices, decided, opens_at, start)
            self._later(_GUARD_S)
            self._turned()
            try:
                return await chooser.decided
            finally:
                self.chooser = None
                self._turned()

    async def write(self, prompt: str) -> str | None:
        """Ask for a line; None where that was broken off."""
        async with self._one:
            written: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
            self._written = written
            self.prompt = prompt
            self._turned()
            try:
                return await written
            finally:
                self._written = None
                self._turned()

    def chooser_for(self, typed: str) -> Chooser | None:
        """The choice, if it takes keys already; else what was typed is put back and the opening put off."""
        if self.chooser is None or self.takes_keys:
            return self.chooser
        self.chooser.opens_at = self._now() + _GUARD_S
        self._later(_GUARD_S)
        if typed.isprintable():
            self._put_back(typed)
        return None

    def finish(self, text: str | None) -> None:
        """The line that was asked for is there, or will not come."""
        if self._written is not None and not self._written.done():
            self._written.set_result(text)

    def cancel(self) -> bool:
        """Break off what is asked; False where nothing is."""
        if self.chooser is not None:
            self.chooser.cancel()
            return True
        self.finish(None)
        return self.is_writing
