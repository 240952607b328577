"""What the user types while a run goes on. The loop drains it, under every policy."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable


class Inbox:
    """Lines in the order typed. One thread: the event loop's. `on_change(action, line)` tells who shows them.

    `clean` is applied to each line first: what may not be shown or recorded goes.
    """

    def __init__(self, on_change: Callable[[str, str], None] = lambda _action, _line: None) -> None:
        self._lines: deque[str] = deque()
        self.on_change = on_change
        self.clean: Callable[[str], str] = lambda line: line

    def put(self, line: str) -> None:
        """Queue a line for the next drain."""
        line = self.clean(line)
        self._lines.append(line)
        self.on_change("queued", line)

    def take_back(self) -> str | None:
        """The newest line not drained yet leaves the queue, or None."""
        if not self._lines:
            return None
        line = self._lines.pop()
        self.on_change("taken_back", line)
        return line

    def drain(self) -> tuple[str, ...]:
        """Everything queued, oldest first; afterwards the queue is empty."""
        lines = tuple(self._lines)
        self._lines.clear()
        for line in lines:
            self.on_change("drained", line)
        return lines

    @property
    def pending(self) -> tuple[str, ...]:
        """What would be drained now."""
        return tuple(self._lines)
