"""How a run ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from dexter.errors import ExitStatus
from dexter.results import Source
from dexter.usage import Usage

EndStatus = Literal["answered", "incomplete", "failed", "interrupted", "terminated", "hung_up"]


@dataclass(frozen=True)
class Answer:
    """The answer to one question.

    `complete` is False where turns, budget or the model's output ran out. `cost_usd` is None where a price is unknown.
    `sources` are those of the results the run rests on, in order of first use. `path` is the run's scratchpad.
    """

    text: str
    complete: bool
    sources: Sequence[Source]
    usage: Usage
    cost_usd: Decimal | None
    run: str
    path: str
    reason: str = ""

    @property
    def exit_status(self) -> ExitStatus:
        """What the process should tell its caller."""
        return ExitStatus.ANSWERED if self.complete else ExitStatus.INCOMPLETE


def unique_sources(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Each source once, in order of first use; when it was retrieved does not make it another."""
    seen: dict[tuple[str, ...], Source] = {}
    for source in sources:
        seen.setdefault((source.kind, source.title, source.url, source.accession, source.dataset), source)
    return tuple(seen.values())
