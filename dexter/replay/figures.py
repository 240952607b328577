"""What became of every figure of a run's answer: as it was checked then, or checked now where that is not on record."""

from __future__ import annotations

from collections.abc import Iterator

from dexter.errors import UsageError
from dexter.figures.check import FigureCheck, check_answer
from dexter.replay.read import read_timeline
from dexter.replay.timeline import Timeline
from dexter.replay.whole import whole_results
from dexter.results import StoredResult
from dexter.scratchpad.runs import ancestors


def figures_of(timeline: Timeline) -> FigureCheck:
    """Every figure of the newest answer.

    Raises:
        UsageError: the run has no answer.
        ScratchpadError: an earlier run of the conversation cannot be read.
    """
    answer = timeline.answer
    if answer is None:
        raise UsageError(
            f"{timeline.run} has no answer whose figures could be told.",
            remedy="`--results` shows what its tools brought.",
        )
    if answer.figures:
        return FigureCheck.from_json(answer.figures)
    return check_answer(answer.text, tuple(_results(timeline)))


def _results(timeline: Timeline) -> Iterator[StoredResult]:
    """Those of the conversation, the earliest run first."""
    for scratchpad in reversed(ancestors(timeline.path)):
        yield from whole_results(read_timeline(scratchpad))
    yield from whole_results(timeline)
