"""Two columns, the way a terminal of any width can show them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dexter.ui.literal import literal, literal_line

if TYPE_CHECKING:
    from rich.table import Table


def two_columns(rows: Iterable[tuple[str, str]], *, right: bool = False) -> Table:
    """Names and what is said about them; texts wrap below themselves. `right`: the second column holds figures."""
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=not right, max_width=34)
    table.add_column(justify="right" if right else "left", overflow="fold")
    for name, about in rows:
        table.add_row(Text(literal_line(name), style="bold"), Text(literal(about)))
    return table
