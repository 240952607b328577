"""Passages of a filing that match a query, over pieces of its items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dexter.data.filings.blocks import pieces
from dexter.data.filings.items import Item
from dexter.data.passages import Passage, best_passages

_LENGTH = 900  # characters a passage grows to before the next begins
_LONGEST = 2400  # characters of a single piece that are kept; a long table is cut


def find_passages(items: Sequence[Item], query: str, *, limit: int = 5) -> list[Passage[Item]]:
    """The passages of all items that fit the query best, as `dexter.data.passages.best_passages`."""
    return best_passages([passage for item in items for passage in _passages(item)], query, limit=limit)


def _passages(item: Item) -> Iterator[Passage[Item]]:
    """The item's pieces gathered into passages, each with its offset in `item.text`."""
    start, gathered, position = 0, "", 0
    for piece in pieces(item.blocks):
        if gathered and len(gathered) + len(piece) > _LENGTH:
            yield Passage(item, start, gathered)
            start, gathered = position, ""
        gathered = f"{gathered}\n\n{piece[:_LONGEST]}" if gathered else piece[:_LONGEST]
        position += len(piece) + 2  # the empty line between pieces
    if gathered:
        yield Passage(item, start, gathered)
