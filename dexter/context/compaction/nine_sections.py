"""The default compaction: nine sections by a model that reads the record, and every figure it dropped put back."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from dexter.config.limits import Limits
from dexter.context.compaction.draft import Draft
from dexter.context.compaction.parse import NoSummaryError
from dexter.context.compaction.prompt import earlier_summary, task_of
from dexter.context.compaction.splice import Split, all_covers, boundary_after, split, summary_message
from dexter.context.compaction.summarise import Assignment, Summary, summarise
from dexter.context.ledger import Ledger, Restored, restore
from dexter.context.markers import covers_in, is_users_own
from dexter.context.reports import boundary, result_state
from dexter.context.stage import RunContext
from dexter.context.tokens import estimate
from dexter.errors import ScratchpadError
from dexter.messages import AssistantMessage, Messages
from dexter.results import StoredResult
from dexter.text import estimate_tokens

if TYPE_CHECKING:
    from dexter.figures.ledger import Figure

# Of the user's and the model's words the newest so many characters say what matters most.
_READ_CHARS = 30_000


@dataclass(frozen=True)
class _Work:
    """A usable summary on its way into the view; `results` are all whose figures may leave it."""

    messages: Messages
    answer: Summary
    results: Sequence[StoredResult]
    message_id: str


@dataclass(frozen=True)
class NineSections:
    """The record is summarised, not the cleared view; what the summary drops of its figures is put back."""

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
        own = tuple(ctx.results.read_after(0))
        every = (*_earlier_results(messages, own, ctx), *own)
        fresh = [result for result in own if result.id > state.boundary]
        earlier = state.summary if state.summary is not None else earlier_summary(messages)
        assignment = Assignment(task_of(messages, ctx.focus), fresh, earlier)
        answer = await _summary_while_reading(assignment, every, ctx)
        if estimate_tokens(answer.text) >= estimate(messages):
            raise NoSummaryError("the summary is no smaller than what it would replace")
        work = _Work(messages, answer, every, ctx.new_id())
        whole = await _spliced(split(messages, keep_newest=True), work, ctx)
        if ctx.meter.estimate(whole.view) <= ctx.limits.newest_round_share * ctx.threshold:
            return whole
        return await _spliced(split(messages, keep_newest=False), work, ctx)

    def is_tight(self, view: Messages, ctx: RunContext) -> bool:
        """Whether the new view leaves too little room to count as a success."""
        return ctx.meter.estimate(view) > ctx.limits.compaction_goal_share * ctx.threshold

    def when(self, limits: Limits) -> str:
        """What makes it due, with its numbers."""
        return f"over the threshold, {limits.compaction_least_results} new results or more"

    def what(self, limits: Limits) -> str:
        """What it makes, with its numbers."""
        return f"nine sections, lost figures restored ({limits.ledger_tokens:,} tokens), newest round whole"


def _earlier_results(messages: Messages, own: Sequence[StoredResult], ctx: RunContext) -> Iterator[StoredResult]:
    """Results of the conversation's earlier runs that the view holds or names: their figures leave with it."""
    known = {result.id for result in own}
    for first, last in covers_in(messages):
        for number in range(first, last + 1):
            if number not in known:
                with suppress(KeyError, ScratchpadError):
                    yield ctx.results.read(number)


async def _summary_while_reading(assignment: Assignment, every: Sequence[StoredResult], ctx: RunContext) -> Summary:
    """The summary; meanwhile a thread reads the results' figures, which takes seconds where filings are long."""
    stop = threading.Event()
    reading = asyncio.create_task(asyncio.to_thread(ctx.figures.read, every, ctx.limits.ledger_chars, stop.is_set))
    try:
        answer = await summarise(assignment, ctx)
        await reading
    finally:
        stop.set()
    return answer


async def _spliced(part: Split, work: _Work, ctx: RunContext) -> Draft:
    ids = [result.id for result in work.results]
    limit = boundary_after(part.kept, ids, ctx.reports)
    restored = await asyncio.to_thread(_restored, work, limit, ctx)
    covers = all_covers(part, ids, limit)
    message = summary_message(work.message_id, work.answer.text, restored.table, covers)
    return Draft(part.view(message), work.answer, limit, covers, part.unseen, restored)


def _restored(work: _Work, limit: int, ctx: RunContext) -> Restored:
    """The figures of all results up to `limit` that the summary lacks."""
    from dexter.figures.ledger import stated_in

    ledger = ctx.figures.ledger([result for result in work.results if result.id <= limit])
    room = min(ctx.limits.ledger_tokens, int(ctx.limits.ledger_share * ctx.threshold))
    return restore(
        ledger,
        is_kept=stated_in(work.answer.text, ledger.reader),
        is_preferred=_preference(work.messages, ledger),
        room=int(room / max(ctx.meter.factor, 1.0)),
    )


def _preference(messages: Messages, ledger: Ledger) -> Callable[[Figure], bool]:
    """Figures of the companies the user names, and those the model has written itself."""
    from dexter.figures.ledger import stated_in

    asked = "\n".join(message.text for message in messages if is_users_own(message))[-_READ_CHARS:]
    subjects = {mention.ticker for mention in ledger.reader.companies.find(asked)}
    subjects &= {figure.company for figure in ledger.figures}
    own = "\n".join(message.text for message in messages if isinstance(message, AssistantMessage))[-_READ_CHARS:]
    written = stated_in(own, ledger.reader)
    return lambda figure: figure.company in subjects or written(figure)
