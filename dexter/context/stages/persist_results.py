"""One result over the cap goes to a file of its own; a preview stays."""

from __future__ import annotations

from dataclasses import dataclass

from dexter.config.limits import Limits
from dexter.context.previews import Shrinking, Wording, result_limits, results_from, shrink
from dexter.context.reports import PersistReport
from dexter.context.stage import RunContext, StageResult
from dexter.messages import Messages, newest_assistant_index


@dataclass(frozen=True)
class PersistResults:
    """Governs results as they enter: those after the newest assistant message, so that sent bytes stay as they are.

    `chars` is the cap, by default that of the limits. Pages of results and files are cut at a line instead.
    """

    chars: int | None = None
    wording: Wording = "dexter"
    name: str = "persist_results"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Shrink every unseen result over the cap."""
        limits = result_limits(ctx.limits, ctx.window)
        cap = min(self.chars or limits.result, limits.result)
        large = [(i, m) for i, m in results_from(messages, newest_assistant_index(messages) + 1) if m.size > cap]
        if not large:
            return StageResult(messages)
        shrinking = Shrinking(list(messages))
        for index, message in large:
            shrinking.put(index, shrink(message, ctx, preview=limits.preview, keep=cap, wording=self.wording))
        if not shrinking.changed:
            return StageResult(messages)
        report = PersistReport(tuple(shrinking.persisted), tuple(shrinking.cut), tuple(shrinking.failed))
        return StageResult(shrinking.messages, report)

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        return (
            f"a result over {self.chars or limits.result_chars:,} characters: to a file,"
            f" {limits.preview_chars:,} characters stay"
        )
