"""A compaction on request: the `compact` tool's siblings run first and are on record, then the view is compacted.

The call's own result is recorded only where it stays in the view: where the whole round gives way to the summary, the
call leaves with it. On failure it is an error result and nothing else changes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from dexter.agent.run import Run
from dexter.agent.tool_calls import Slot, record_result, result_message, run_tool_calls
from dexter.context.policy import StageEdit
from dexter.context.reports import CompactReport, Report
from dexter.messages import AssistantMessage, ToolCall, ToolMessage
from dexter.results import ToolResult
from dexter.text import cut
from dexter.tools.compact import COMPACT

_DONE = "Compacted: what was found before stands in the summary; exact values come back by read_result."
_FOCUS_CHARS = 2_000  # beside the results in the summariser's prompt, which has to fit its window
_INTERRUPTED = "Interrupted before the compaction was done."


async def run_calls(run: Run, calls: Sequence[ToolCall], *, again: bool = False) -> None:
    """Run a turn's calls; their results, and a compaction one of them asked for, enter the view.

    `again`: they were made before the run was cut off, and have no result on record.

    Raises:
        asyncio.CancelledError: after every open call has its "interrupted" result in the view.
        ScratchpadError: something could not be recorded.
    """
    request = next((call for call in calls if _asks_for_compaction(run, call)), None)
    others = [call for call in calls if call is not request]
    try:
        run.append(*await run_tool_calls(run, others, again=again))
        if request is not None:
            await _compact(run, request)
    except asyncio.CancelledError:
        if request is not None and _is_open(run, request):
            run.append(record_result(run, _slot(run, request), ToolResult(_INTERRUPTED, "interrupted")))
        raise


def _asks_for_compaction(run: Run, call: ToolCall) -> bool:
    return call.name == COMPACT and call.arguments is not None and bool(run.ports.policy.on_request)


def _is_open(run: Run, call: ToolCall) -> bool:
    return any(isinstance(m, AssistantMessage) and call in m.tool_calls for m in run.messages) and not any(
        isinstance(m, ToolMessage) and m.call == call.id for m in run.messages
    )


def _slot(run: Run, call: ToolCall) -> Slot:
    return Slot(call, run.ports.ids.next_result(), run.ports.ids.next_message())


async def _compact(run: Run, call: ToolCall) -> None:
    """Compact over a view in which the call has a result already, so that every call has one whatever stays."""
    slot = Slot(call, run.ports.ids.result + 1, run.ports.ids.next_message())
    pending, before, known = result_message(slot, ToolResult(_DONE)), run.messages, len(run.ctx.reports)

    def on_edit(edit: StageEdit) -> None:
        if _succeeded(edit.report) and pending in edit.after:
            run.ports.ids.next_result()
            record_result(run, slot, ToolResult(_DONE))
            run.ports.record.message(pending)
        run.record_edit(edit)

    focus = cut(str((call.arguments or {}).get("focus") or ""), _FOCUS_CHARS)
    run.messages, run.ctx = (*before, pending), replace(run.ctx, focus=focus)
    try:
        await run.run_stages(run.ports.policy.on_request, on_edit)
    except BaseException:
        run.messages = before
        raise
    finally:
        run.ctx = replace(run.ctx, focus="")
    reports = run.ctx.reports[known:]
    if not any(map(_succeeded, reports)):
        run.messages = before
        run.append(record_result(run, _slot(run, call), ToolResult(_failure(reports), "error")))


def _succeeded(report: Report) -> bool:
    return isinstance(report, CompactReport) and report.success


def _failure(reports: Sequence[Report]) -> str:
    reason = next((r.reason for r in reports if isinstance(r, CompactReport)), "there was nothing to do")
    return f"Error: the compaction failed and nothing else changed: {reason}."
