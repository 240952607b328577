"""A model's summary takes the place of what was found; a failure leaves everything as it was."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, Protocol, TypeAlias

from dexter.config.limits import Limits
from dexter.context.compaction.draft import Draft
from dexter.context.compaction.nine_sections import NineSections
from dexter.context.compaction.parse import NoSummaryError
from dexter.context.reports import CompactReport, compaction_failures
from dexter.context.stage import RunContext, StageResult
from dexter.context.tokens import estimate
from dexter.errors import ModelError, ScratchpadError
from dexter.messages import Messages

Moment: TypeAlias = Literal["when due", "on overflow", "on request"]


class CompactionForm(Protocol):
    """How to make the new view, when that has to be, and when the new view is too large to count as a success."""

    def is_due(self, messages: Messages, ctx: RunContext, /) -> bool:
        """Whether the view is so large that a compaction should be tried."""
        ...

    async def draft(self, messages: Messages, ctx: RunContext, /) -> Draft:
        """The new view; raises `NoSummaryError`, `ModelError` or `ScratchpadError`."""
        ...

    def is_tight(self, view: Messages, ctx: RunContext, /) -> bool:
        """Whether the new view leaves too little room to count as a success."""
        ...

    def when(self, limits: Limits, /) -> str:
        """What makes it due, with its numbers."""
        ...

    def what(self, limits: Limits, /) -> str:
        """What it makes, with its numbers."""
        ...


@dataclass(frozen=True)
class Compact:
    """Judged by its outcome: a view that did not shrink is a failure, one that hardly shrank is kept but counts as one.

    `form` says what is summarised and what stays. When due it is tried until there were too many failures in a row; on
    request always; on an overflow once in a turn.
    """

    form: CompactionForm = field(default_factory=NineSections)
    moment: Moment = "when due"
    name: str = "compact"

    async def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Compact if it is due."""
        if not self._is_due(messages, ctx):
            return StageResult(messages)
        started = ctx.effects.clock()
        ctx.effects.announce(self.name, "Summarising what was found so far …")
        before = ctx.used(messages)
        report = CompactReport(
            success=False,
            counts_as_failure=True,
            tokens_before=before,
            tokens_after=before,
            requested=self.moment == "on request",
            reactive=self.moment == "on overflow",
            turn=ctx.turn,
        )
        try:
            draft = await self.form.draft(messages, ctx)
        except (NoSummaryError, ModelError, ScratchpadError) as error:
            view, report = messages, replace(report, reason=str(error))
        else:
            view, report = self._judged(draft, messages, report, ctx)
        return StageResult(view, replace(report, duration_s=round(ctx.effects.clock() - started, 3)))

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        moments = {
            "when due": f"{self.form.when(limits)}, no {limits.compaction_failures} failures in a row",
            "on overflow": "once a turn",
            "on request": "at once",
        }
        return f"{moments[self.moment]}: {self.form.what(limits)}"

    def _is_due(self, messages: Messages, ctx: RunContext) -> bool:
        if self.moment == "on request":
            return True
        if self.moment == "on overflow":
            return not any(isinstance(r, CompactReport) and r.reactive and r.turn == ctx.turn for r in ctx.reports)
        if not self.form.is_due(messages, ctx):
            return False
        return compaction_failures(ctx.reports) < ctx.limits.compaction_failures

    def _judged(
        self, draft: Draft, messages: Messages, report: CompactReport, ctx: RunContext
    ) -> tuple[Messages, CompactReport]:
        """Keep the draft if it is smaller than what it replaces."""
        cost = draft.summary.cost_usd
        paid = replace(
            report,
            model=draft.summary.model,
            cost_usd="" if cost is None else format(cost, "f"),
            parts=draft.summary.parts,
            transcript=draft.transcript,
        )
        if estimate(draft.view) >= estimate(messages):
            return messages, replace(paid, reason="the new view would be no smaller than the old one")
        tight = self.form.is_tight(draft.view, ctx)
        return draft.view, replace(
            paid,
            success=True,
            counts_as_failure=tight,
            reason="the new view is still large" if tight else "",
            tokens_after=ctx.meter.estimate(draft.view),
            boundary=draft.boundary,
            covered=tuple(number for first, last in draft.covers for number in range(first, last + 1)),
            unseen=draft.unseen,
            figures_kept=draft.restored.kept,
            figures_restored=draft.restored.restored,
            figures_left=draft.restored.left,
            summary=draft.summary.text,
        )
