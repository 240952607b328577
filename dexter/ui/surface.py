"""Where the region that moves is drawn: by Rich below what is printed, or by whoever owns the bottom of the screen."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.console import Console, Group
    from rich.live import Live


class Surface(Protocol):
    """Draws what `draw` gives until it is closed."""

    def open(self, draw: Callable[[], Group], /) -> None:
        """A run begins."""
        ...

    def refresh(self) -> None:
        """Something changed."""
        ...

    def pause(self) -> None:
        """Somebody else uses the terminal for a while."""
        ...

    def go_on(self) -> None:
        """The terminal is ours again."""
        ...

    def close(self) -> None:
        """The run is over."""
        ...


class RichSurface:
    """Below what the console prints; nothing else may write to the terminal meanwhile."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None

    def open(self, draw: Callable[[], Group]) -> None:
        """Begin to draw."""
        from rich.live import Live

        self._live = Live(
            console=self._console,
            get_renderable=draw,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._live.start()

    def refresh(self) -> None:
        """Draw anew."""
        if self._live is not None and self._live.is_started:
            self._live.refresh()

    def pause(self) -> None:
        """Take the region away while somebody else uses the terminal."""
        if self._live is not None:
            self._live.stop()

    def go_on(self) -> None:
        """Bring the region back."""
        if self._live is not None:
            self._live.start()

    def close(self) -> None:
        """Take the region away and give the cursor back."""
        if self._live is not None:
            live, self._live = self._live, None
            live.stop()
