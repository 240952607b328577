"""The default compaction: nine sections by a model that reads the record, and every figure it dropped put back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from dexter.config.limits import Limits
from dexter.context.compaction.draft import Draft
from dexter.context.compaction.prompt import task_of
from dexter.context.compaction.splice import Split, all_covers, boundary_after, split, summary_message
from dexter.context.compaction.summarise import Assignment, Summary, summarise
from dexter.context.ledger import LedgerFigure, Restored, restore
from dexter.context.ledger_figures import CellFigures, FigureReader
from dexter.context.reports import boundary, result_state
from dexter.context.stage import RunContext
from dexter.messages import AssistantMessage, Messages, UserMessage

_WORD = re.compile(r"[\w.&-]+")


@dataclass(frozen=True)
class _Work:
    """A usable summary on its way into the view: what it was made from, and the ledger of the run's figures."""

    messages: Messages
    answer: Summary
    results: Sequence[int]
    figures: Sequence[LedgerFigure]
    message_id: str


@dataclass(frozen=True)
class NineSections:
    """The record is summarised, not the cleared view; what the summary drops of its figures is put back."""

    figures: FigureReader = field(default_factory=CellFigures)

    def is_due(self, messages: Messages, ctx: RunContext) -> bool:
        """Whether the view is over the threshold and there are enough results to make a summary worth it."""
        if not ctx.over_threshold(messages):
            return False
        fresh = islice(ctx.results.read_after(boundary(ctx.reports)), ctx.limits.compaction_least_results)
        return sum(1 for _ in fresh) == ctx.limits.compaction_least_results

    async def draft(self, messages: Messages, ctx: RunContext) -> Draft:
        """Summarise and splice; nothing is changed yet.

        Raises:
            NoSummaryError: the summary is useless.
            ModelError: no model gave one.
        """
        state = result_state(ctx.reports)
        results = tuple(ctx.results.read_after(state.boundary))
        assignment = Assignment(task_of(messages, ctx.focus), results, state.summary)
        answer = await summarise(assignment, ctx)
        figures = [figure for result in ctx.results.read_after(0) for figure in self.figures.in_result(result)]
        work = _Work(messages, answer, [result.id for result in results], figures, ctx.new_id())
        whole = self._spliced(split(messages, keep_newest=True), work, ctx)
        if ctx.meter.estimate(whole.view) <= ctx.limits.newest_round_share * ctx.threshold:
            return whole
        return self._spliced(split(messages, keep_newest=False), work, ctx)

    def is_tight(self, view: Messages, ctx: RunContext) -> bool:
        """Whether the new view leaves too little room to count as a success."""
        return ctx.meter.estimate(view) > ctx.limits.compaction_goal_share * ctx.threshold

    def when(self, limits: Limits) -> str:
        """What makes it due, with its numbers."""
        return f"over the threshold with {limits.compaction_least_results} or more new results"

    def what(self, limits: Limits) -> str:
        """What it makes, with its numbers."""
        return (
            f"nine sections, dropped figures put back within {limits.ledger_tokens:,} tokens,"
            f" the newest round whole below {limits.newest_round_share:.0%} of the threshold"
        )

    def _spliced(self, part: Split, work: _Work, ctx: RunContext) -> Draft:
        limit = boundary_after(part.kept, work.results, ctx.reports)
        restored = self._restored(work, limit, ctx)
        covers = all_covers(part, work.results, limit)
        message = summary_message(work.message_id, work.answer.text, restored.table, covers)
        return Draft(part.view(message), work.answer, limit, covers, part.unseen, restored)

    def _restored(self, work: _Work, limit: int, ctx: RunContext) -> Restored:
        room = min(ctx.limits.ledger_tokens, int(ctx.limits.ledger_share * ctx.threshold))
        figures = [figure for figure in work.figures if figure.result <= limit]
        return restore(
            figures,
            is_kept=self.figures.holds(work.answer.text),
            is_preferred=self._preference(work.messages, figures),
            room=int(room / max(ctx.meter.factor, 1.0)),
        )

    def _preference(self, messages: Messages, figures: Sequence[LedgerFigure]) -> Callable[[LedgerFigure], bool]:
        """Figures of the companies the user names, and those the model itself has written down."""
        asked = " ".join(m.text for m in messages if isinstance(m, UserMessage) and m.origin != "harness")
        words = {word.strip(".").lower() for word in _WORD.findall(asked)}
        subjects = {figure.company for figure in figures if figure.company.lower() in words}
        written = self.figures.holds("\n".join(m.text for m in messages if isinstance(m, AssistantMessage)))
        return lambda figure: not subjects or figure.company in subjects or written(figure)
