"""Compact a conversation between two questions: the newest run's record is taken up, its view edited, and closed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path

from dexter.agent.metering import Spend
from dexter.agent.queue import Inbox
from dexter.agent.run import Run, cost_text
from dexter.app.build import Parts, build_run, plan_run
from dexter.app.outside import Setup
from dexter.app.resume import mend_view, reopen, restore
from dexter.context.reports import CompactReport
from dexter.errors import ExitStatus, Interrupted, UsageError
from dexter.events import Sink
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.run_state import RunState, read_state
from dexter.text import cut

_FOCUS_CHARS = 2_000


async def compact(
    path: Path,
    setup: Setup,
    focus: str = "",
    *,
    sinks: Sequence[Sink] = (),
    parts: Parts | None = None,
    on_spend: Spend = lambda _usage, _cost: None,
) -> CompactReport:
    """Summarise what the run in `path` ended with; the next follow-up begins with the summary.

    Args:
        path: the newest run of the conversation.
        setup: its model and policy do the work.
        focus: what the summary should dwell on.
        sinks: are told what happens.
        parts: instead of what the settings say.
        on_spend: hears what each request used and cost.

    Raises:
        UsageError: the policy has no compaction, or the run was cut off in the middle of a call.
        ScratchpadError: another process works on the run, or it can't be written.
        Interrupted: it was cancelled; the conversation is as it was.
    """
    parts = parts or Parts()
    plan = plan_run(setup, parts)
    if not plan.policy.on_request:
        raise UsageError(
            f"The policy {plan.policy.name!r} has no compaction.", remedy="`/policy dexter` chooses one that has."
        )
    lock = RunLock.acquire(RunPaths.of(path).lock)
    try:
        state = read_state(path)
        _check_whole(state)
        scratchpad = reopen(state, setup, lock)
    except BaseException:
        lock.release()
        raise
    async with AsyncExitStack() as stack:
        stack.callback(scratchpad.close)
        run = build_run(plan, setup, scratchpad, ids=state.ids, inbox=Inbox(), sinks=sinks, parts=parts, stack=stack)
        restore(run, state)
        run.on_spend = on_spend
        run.ports.record.resume(turn=state.turn)
        mend_view(run, state)
        return await _compact(run, state, cut(focus, _FOCUS_CHARS))


def _check_whole(state: RunState) -> None:
    if state.open_calls or state.unplaced:
        name = RunPaths.of(state.scratchpad).run
        raise UsageError(f"{name} was cut off while tools ran.", remedy="`/resume` goes on with it; or ask on first.")


async def _compact(run: Run, state: RunState, focus: str) -> CompactReport:
    """Run the stages, then end the record as it had ended before."""
    run.ctx, known = replace(run.ctx, focus=focus), len(run.ctx.reports)
    try:
        await run.run_stages(run.ports.policy.on_request)
    except asyncio.CancelledError:
        raise Interrupted("Interrupted; the conversation is as it was.", exit_status=ExitStatus.INTERRUPTED) from None
    finally:
        _end(run, state)
    run.show_context()
    return next(report for report in run.ctx.reports[known:] if isinstance(report, CompactReport))


def _end(run: Run, state: RunState) -> None:
    before = state.end or {}
    run.ports.record.end(
        status=str(before.get("status", "interrupted")),
        exit_status=int(before.get("exit_status", ExitStatus.INTERRUPTED)),
        usage=run.usage,
        cost_usd=cost_text(run.cost_usd),
        error=str(before.get("error", "")),
    )
