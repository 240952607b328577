"""What is printed for good, above the prompt: collected here, written out when the prompt is drawn next."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TextIO


class Above(io.StringIO):
    """Stands for the terminal where Rich prints. `on_text` is called once something waits to be shown."""

    def __init__(self, terminal: TextIO, on_text: Callable[[], None]) -> None:
        super().__init__()
        self._terminal = terminal
        self._on_text = on_text

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The terminal's: Rich chooses its characters by it."""
        return self._terminal.encoding or "utf-8"

    def isatty(self) -> bool:
        """It is drawn on one."""
        return True

    def flush(self) -> None:
        """Something was printed."""
        self._on_text()

    def take(self) -> str:
        """What waits; it is the caller's to write."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text
