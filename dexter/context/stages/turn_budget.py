"""All results of one turn together over the budget: the largest go to files until the rest fits."""

from __future__ import annotations

from dataclasses import dataclass

from dexter.config.limits import Limits
from dexter.context.previews import Shrinking, Wording, result_limits, results_from, shrink
from dexter.context.reports import TurnBudgetReport
from dexter.context.stage import RunContext, StageResult
from dexter.messages import Messages, newest_assistant_index


@dataclass(frozen=True)
class TurnBudget:
    """Governs the results after the newest assistant message, largest first, on ties in call order.

    What counts afterwards is each preview's real length. Pages are cut at a line, by no more than is needed. `chars` is
    the budget, by default that of the limits; results of at most `spare` characters stay as they are.
    """

    chars: int | None = None
    spare: int = 0
    wording: Wording = "dexter"
    name: str = "turn_budget"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Shrink the largest unseen results until all fit the budget together."""
        limits = result_limits(ctx.limits, ctx.window)
        budget = min(self.chars or limits.turn, limits.turn)
        results = list(results_from(messages, newest_assistant_index(messages) + 1))
        total = before = sum(message.size for _, message in results)
        if total <= budget:
            return StageResult(messages)
        shrinking = Shrinking(list(messages))
        for index, message in sorted(results, key=lambda pair: -pair[1].size):
            if total <= budget or message.size <= self.spare:
                break
            keep = max(limits.preview, message.size - (total - budget))
            shrunk = shrink(message, ctx, preview=limits.preview, keep=keep, wording=self.wording)
            shrinking.put(index, shrunk)
            total -= message.size - shrunk.message.size if shrunk else 0
        if not shrinking.changed:
            return StageResult(messages)
        report = TurnBudgetReport(
            tuple(shrinking.persisted), before, total, tuple(shrinking.cut), tuple(shrinking.failed)
        )
        return StageResult(shrinking.messages, report)

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        spare = f", none of {self.spare:,} or less" if self.spare else ""
        return f"results of one turn over {self.chars or limits.turn_chars:,} characters: the largest to files{spare}"
