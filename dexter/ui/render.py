"""What is told, as Rich shows it or as plain lines. Pure: nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dexter.events import Event
from dexter.ui.cards import Card, Line, Told
from dexter.ui.telling import tell

if TYPE_CHECKING:
    from rich.console import RenderableType

_LEAST_PANEL = 40


def render(event: Event, width: int) -> RenderableType | None:
    """An event for a terminal of this width; None for those shown in other ways."""
    told = tell(event)
    return renderable(told, width) if told else None


def renderable(told: Told, width: int) -> RenderableType:
    """A card as a panel, a line as text that hangs behind its mark. Very narrow terminals get no panels."""
    if isinstance(told, Line):
        return _line(told)
    return _panel(told) if width >= _LEAST_PANEL else _line(Line("\n".join((told.title, *told.lines)), told.tone))


def plain_lines(told: Told) -> Iterator[str]:
    """The same for pipes and `--plain`: a card's title stands in brackets, what follows is indented."""
    if isinstance(told, Line):
        first, *rest = told.text.split("\n")
        yield f"{told.mark} {first}".strip() if told.mark.strip() else first
        yield from (f"  {line}" for line in rest)
        return
    yield f"[{told.title}] {told.lines[0] if told.lines else ''}".rstrip()
    yield from (f"  {line}" for line in told.lines[1:])


def _line(line: Line) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    from dexter.ui.console import TONES

    style = TONES[line.tone]
    if not line.mark:
        return Text(line.text, style=style, overflow="fold")
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_row(
        Text(line.mark, style=style), Text(line.text, style="dim" if line.tone == "good" else style, overflow="fold")
    )
    return grid


def _panel(card: Card) -> RenderableType:
    from rich import box
    from rich.panel import Panel
    from rich.text import Text

    from dexter.ui.console import TONES

    style = TONES[card.tone]
    body = Text("\n".join(card.lines), overflow="fold")
    title = Text(card.title, style=style if style != "dim" else "")
    return Panel(body, title=title, title_align="left", border_style=style, box=box.ROUNDED, expand=False)
