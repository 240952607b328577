"""Ask for a summary: in one request where the material fits, else part by part, each carrying on the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from dexter.context.compaction.material import Part, in_parts
from dexter.context.compaction.parse import read_summary
from dexter.context.compaction.prompt import Task, fitted, summary_request
from dexter.context.stage import RunContext
from dexter.context.text_call import TextRoom, ask_for_text, candidates
from dexter.context.tokens import estimate, summary_room
from dexter.errors import ModelError
from dexter.models.protocol import Model, ModelResponse
from dexter.results import StoredResult
from dexter.text import estimate_tokens

# After a refusal for size the parts are made this much smaller, at most so often.
_SMALLER = 0.5
_REFUSALS = 2
_LEAST_ROOM = 500
# Of the prompt the question, earlier answers and the focus may take an eighth each, the summary so far a third.
_TASK_SHARE, _EARLIER_SHARE = 8, 3


@dataclass(frozen=True)
class Assignment:
    """What is to be summarised: the results after the boundary, whole, and the summary of what came before, if any."""

    task: Task
    results: Sequence[StoredResult]
    earlier: str | None = None


@dataclass(frozen=True)
class Summary:
    """A usable summary and what it took. `cost_usd` is None where a price is unknown."""

    text: str
    model: str
    parts: int = 1
    cost_usd: Decimal | None = Decimal(0)

    def after(self, response: ModelResponse) -> Summary:
        """The same with one more call paid."""
        if self.cost_usd is None or response.cost_usd is None:
            return replace(self, cost_usd=None)
        return replace(self, cost_usd=self.cost_usd + response.cost_usd)


async def summarise(assignment: Assignment, ctx: RunContext) -> Summary:
    """A summary by the fast model, or by the main one where that is refused.

    Raises:
        NoSummaryError: an answer was useless.
        ModelError: no model could be reached, or all refused.
    """
    refused: ModelError | None = None
    for model in candidates(ctx):
        try:
            return await _by_model(model, assignment, ctx)
        except ModelError as error:
            if error.retryable:  # the wait was long enough already; the other model of the provider would fail, too
                raise
            refused = error
    raise refused or ModelError("There is no model to summarise with.", kind="other")


async def _by_model(model: Model, assignment: Assignment, ctx: RunContext) -> Summary:
    """In parts that fit; after a refusal for size in smaller ones."""
    room = TextRoom.of(model.info, ctx, output=summary_room(ctx.window, ctx.limits))
    assignment = _fitted(assignment, room.prompt)
    frame = estimate(summary_request(assignment.task, (), earlier=None, number=1, parts=2))
    carried = max(room.output, estimate_tokens(assignment.earlier or ""))
    free = max(room.prompt - frame - carried, _LEAST_ROOM)
    refusals = 0
    while True:
        parts = in_parts(assignment.results, free, ctx.limits.compaction_parts)
        try:
            return await _in_parts(model, assignment, parts, ctx, room.output)
        except ModelError as error:
            refusals += 1
            if not error.shrinkable or refusals > _REFUSALS:
                raise
        largest = max(sum(estimate_tokens(result.text) for result in part) for part in parts)
        free = max(int(min(free, largest) * _SMALLER), _LEAST_ROOM)


def _fitted(assignment: Assignment, prompt: int) -> Assignment:
    """The assignment with what stands beside the results cut to shares of the prompt: characters say little of CJK."""
    task, earlier = assignment.task, assignment.earlier
    task = replace(
        task,
        question=fitted(task.question, prompt // _TASK_SHARE),
        earlier=fitted(task.earlier, prompt // _TASK_SHARE),
        focus=fitted(task.focus, prompt // _TASK_SHARE),
    )
    return replace(assignment, task=task, earlier=earlier and fitted(earlier, prompt // _EARLIER_SHARE))


async def _in_parts(
    model: Model, assignment: Assignment, parts: Sequence[Part], ctx: RunContext, max_tokens: int
) -> Summary:
    """One summary after the other, each carrying on the one before."""
    summary = Summary(assignment.earlier or "", model.info.name, len(parts))
    for number, part in enumerate(parts, 1):
        earlier = summary.text or None
        request = summary_request(assignment.task, part, earlier=earlier, number=number, parts=len(parts))
        response = await ask_for_text(model, request, ctx, max_tokens=max_tokens)
        summary = replace(summary.after(response), text=read_summary(response))
    return summary
