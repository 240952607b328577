"""Whether companies meet criteria, and which of those that do come first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from dexter.data.company import Company
from dexter.data.provider import Criterion, Match, ScreenQuery
from dexter.data.unavailable import Unavailable
from dexter.results import Cell

Figure = Cell | Unavailable
_MONEY = "USD"


@dataclass(frozen=True)
class Judged:
    """All that meet the criteria, in order, and of how many that could not be said."""

    matches: tuple[Match, ...]
    judged: int
    unjudged: int


def judge(companies: Iterable[tuple[Company, Callable[[str], Figure]]], query: ScreenQuery) -> Judged:
    """Looks at every company; the function of each gives its figure of a name.

    A company that fails one criterion is out, whatever else is missing; one that fails none and lacks a figure can't be
    judged.
    """
    metrics = metrics_of(query.criteria)
    matches: list[Match] = []
    judged = unjudged = 0
    for company, figure in companies:
        figures = {metric: figure(metric) for metric in metrics}
        verdicts = [_verdict(criterion, figures[criterion.metric]) for criterion in query.criteria]
        if False not in verdicts and None in verdicts:
            unjudged += 1
            continue
        judged += 1
        if all(verdicts):
            matches.append(Match(company, tuple(found for found in figures.values() if isinstance(found, Cell))))
    return Judged(tuple(in_order(matches, query.criteria[0])), judged, unjudged)


def metrics_of(criteria: Sequence[Criterion]) -> tuple[str, ...]:
    """What the criteria are on, each once, in their order: a match has its figures so."""
    return tuple(dict.fromkeys(criterion.metric for criterion in criteria))


def in_order(matches: Sequence[Match], first: Criterion) -> list[Match]:
    """By the first criterion's figure: the largest first, or the smallest where small ones were asked for."""
    return sorted(
        matches,
        key=lambda match: (match.figures[0].number, match.company.name),
        reverse=first.op not in ("lt", "lte"),
    )


def _verdict(criterion: Criterion, figure: Figure) -> bool | None:
    if isinstance(figure, Unavailable) or (figure.currency and figure.currency != _MONEY):
        return None
    return criterion.meets(figure.number)
