"""The last resort without a model: the oldest rounds go, then the earliest questions with their answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from dexter.config.limits import Limits
from dexter.context.markers import index_message, is_marker, is_summary, is_users_own, lost_in
from dexter.context.previews import Shrinking, result_limits, results_from, shrink
from dexter.context.reports import TruncateReport
from dexter.context.stage import RunContext, StageResult
from dexter.context.tokens import estimate
from dexter.messages import (
    Message,
    Messages,
    Round,
    ToolCall,
    ToolMessage,
    UserMessage,
    calls_by_id,
    newest_assistant_index,
    question_index,
    rounds,
)


@dataclass(frozen=True)
class Truncate:
    """Over the threshold, or after a real overflow (`on_overflow`), keeps the last `keep` rounds of this run.

    Then whole question–answer pairs of the earlier conversation go, oldest first, while the view is too large; on an
    overflow also further rounds, down to the newest, and if there is nothing to drop, results become previews. System
    prompt, this question, what the user typed and summaries stay. None takes the number from the limits.
    """

    keep: int | None = None
    on_overflow: bool = False
    name: str = "truncate"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Drop what has to go; on an overflow without conditions."""
        if not self.on_overflow and not ctx.over_threshold(messages):
            return StageResult(messages)
        result = self._drop(messages, ctx, self._room(ctx))
        if result.report is None and self.on_overflow:
            result = _shrink_results(messages, ctx)
        if result.report is None and self.on_overflow:  # refused though it seemed to fit: the estimate is far off
            result = self._drop(messages, ctx, ctx.meter.estimate(messages) // 2)
        return result

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        if self.on_overflow:
            return f"the last {self._keep(limits)} rounds stay, if need be one; else results become previews"
        return f"over the threshold: the last {self._keep(limits)} rounds stay, then earlier questions go"

    def _keep(self, limits: Limits) -> int:
        default = limits.overflow_keep_rounds if self.on_overflow else limits.keep_rounds
        return default if self.keep is None else self.keep

    def _drop(self, messages: Messages, ctx: RunContext, room: int) -> StageResult:
        """Leave out what is more than `room` tokens, as far as it may go."""
        layout = _Layout.of(messages)

        def too_large(hole: _Hole) -> bool:
            return ctx.meter.estimate(layout.without(hole, ctx)) > room

        hole = _Hole(rounds=max(len(layout.rounds) - max(self._keep(ctx.limits), 1), 0))
        while hole.pairs < len(layout.pairs) and too_large(hole):
            hole = replace(hole, pairs=hole.pairs + 1)
        while self.on_overflow and hole.rounds < len(layout.rounds) - 1 and too_large(hole):
            hole = replace(hole, rounds=hole.rounds + 1)
        view = layout.without(hole, ctx)
        if hole == _Hole() or estimate(view) >= estimate(messages):
            return StageResult(messages)
        lost = tuple(sorted(_result_ids(messages) - _result_ids(view)))
        return StageResult(_with_ids(view, ctx), TruncateReport(hole.rounds, lost, hole.pairs))

    def _room(self, ctx: RunContext) -> int:
        """What the view may use. A real limit has to hold the answer, too."""
        if not self.on_overflow:
            return ctx.threshold
        return (ctx.learnt_limit or ctx.window) - ctx.limits.least_output


@dataclass(frozen=True)
class _Hole:
    """How many of this run's oldest rounds and of the earliest question–answer pairs are left out."""

    rounds: int = 0
    pairs: int = 0


@dataclass(frozen=True)
class _Layout:
    """A view's parts: earlier questions with their answers, this question, this run's rounds."""

    messages: Messages
    question: int
    pairs: tuple[Round, ...]
    rounds: tuple[Round, ...]
    calls: dict[str, ToolCall]

    @classmethod
    def of(cls, messages: Messages) -> _Layout:
        question = question_index(messages)
        starts = [i for i, m in enumerate(messages[: max(question, 0)]) if _is_question(m)]
        pairs = tuple(Round(a, b) for a, b in pairwise([*starts, question]))
        return cls(messages, question, pairs, rounds(messages, question + 1), calls_by_id(messages))

    def without(self, hole: _Hole, ctx: RunContext) -> Messages:
        """The view with the hole, and after the question one message that names all results it lacks.

        That message has the id of the one before it, or none yet.
        """
        kept: list[Message] = []
        gone: list[Message] = []
        place = 1
        for index, message in enumerate(self.messages):
            (kept if self._stays(index, message, hole) else gone).append(message)
            if index == self.question:
                place = len(kept)
        lost = lost_in(tuple(gone), self.calls, ctx.limits.argument_chars)
        if lost:
            old = next((message.id for message in gone if is_marker(message)), "")
            kept.insert(place, index_message(old, lost, ctx.limits.index_lines))
        return tuple(kept)

    def _stays(self, index: int, message: Message, hole: _Hole) -> bool:
        if is_marker(message):
            return False
        if hole.pairs and self.pairs[0].start <= index < self.pairs[hole.pairs - 1].stop:
            return is_summary(message)
        if hole.rounds and self.rounds[0].start <= index < self.rounds[hole.rounds - 1].stop:
            return is_summary(message) or is_users_own(message)
        return True


def _is_question(message: Message) -> bool:
    return isinstance(message, UserMessage) and message.origin == "question"


def _with_ids(view: Messages, ctx: RunContext) -> Messages:
    return tuple(message if message.id else replace(message, id=ctx.new_id()) for message in view)


def _result_ids(messages: Messages) -> set[int]:
    return {message.result for message in messages if isinstance(message, ToolMessage)}


def _shrink_results(messages: Messages, ctx: RunContext) -> StageResult:
    """The newest results as previews; where none of them can be shorter, all results."""
    limit = result_limits(ctx.limits, ctx.window).preview
    for start in (newest_assistant_index(messages) + 1, 0):
        shrinking = Shrinking(list(messages))
        for index, message in results_from(messages, start):
            shrinking.put(index, shrink(message, ctx, preview=limit, keep=limit, wording="dexter"))
        if shrinking.changed:
            report = TruncateReport(rounds=0, lost=(), shrunk=tuple(sorted(shrinking.results)))
            return StageResult(shrinking.messages, report)
    return StageResult(messages)
