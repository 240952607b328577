"""A compaction before it is accepted."""

from __future__ import annotations

from dataclasses import dataclass

from dexter.context.compaction.summarise import Summary
from dexter.context.ledger import NOTHING_RESTORED, Restored
from dexter.messages import IdRange, Messages


@dataclass(frozen=True)
class Draft:
    """The new view and what it rests on.

    `boundary` is the last result the summary covers, `covers` all that it stands for, `unseen` how many results no
    request had carried. `transcript` is the path of the saved messages where the form saves them.
    """

    view: Messages
    summary: Summary
    boundary: int
    covers: tuple[IdRange, ...]
    unseen: int = 0
    restored: Restored = NOTHING_RESTORED
    transcript: str = ""
