"""How a run ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Literal

from dexter.errors import ExitStatus
from dexter.results import Source
from dexter.usage import Usage

if TYPE_CHECKING:
    from dexter.figures.check import FigureCheck

EndStatus = Literal["answered", "incomplete", "failed", "interrupted", "terminated", "hung_up"]


def _nothing_checked() -> FigureCheck:
    from dexter.figures.check import FigureCheck  # a quarter of a second to import, needed once a run

    return FigureCheck()


@dataclass(frozen=True)
class Answer:
    """The answer to one question.

    `complete` is False where turns, budget or the model's output ran out. `cost_usd` is None where a price is unknown.
    `sources` are those of the results the run rests on, in order of first use. `path` is the run's scratchpad.
    `figures` says of every figure whether the run's results say it; with `strict` one that is not found, or that could
    not be checked at all, is a failure.
    `untrusted` says where text that others wrote came from, in this run and before it in the conversation.
    """

    text: str
    complete: bool
    sources: Sequence[Source]
    usage: Usage
    cost_usd: Decimal | None
    run: str
    path: str = ""
    reason: str = ""
    figures: FigureCheck = field(default_factory=_nothing_checked)
    strict: bool = False
    untrusted: Sequence[str] = ()

    @property
    def exit_status(self) -> ExitStatus:
        """What the process should tell its caller."""
        if not self.complete:
            return ExitStatus.INCOMPLETE
        is_doubtful = bool(self.figures.not_found) or self.figures.failed
        return ExitStatus.FIGURE_NOT_FOUND if self.strict and is_doubtful else ExitStatus.ANSWERED


def unique_sources(sources: Sequence[Source]) -> tuple[Source, ...]:
    """Each source once, in order of first use; when it was retrieved does not make it another."""
    seen: dict[tuple[str, ...], Source] = {}
    for source in sources:
        seen.setdefault((source.kind, source.title, source.url, source.accession, source.dataset), source)
    return tuple(seen.values())
