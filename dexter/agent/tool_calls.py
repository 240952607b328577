"""Run a turn's calls: neighbours marked `concurrent` together, the others alone and in their place.

Each call gets exactly one result, on disk before it is told to anyone: a value, an error the model can act on, a
timeout, or "interrupted". Result ids follow the order of the calls, whatever order they finish in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import BaseModel

from dexter.agent.approvals import denial
from dexter.agent.run import Run
from dexter.approval import ApprovalRequest, Proposal
from dexter.context.pages import page_parts
from dexter.context.stage import CallMade
from dexter.context.untrusted import marked
from dexter.errors import DexterError, ScratchpadError, ToolError
from dexter.events import Approval, ToolFinished, ToolProgress, ToolStarted
from dexter.messages import ToolCall, ToolMessage
from dexter.results import ToolResult
from dexter.tools.arguments import checked_arguments
from dexter.tools.tool import Tool, ToolContext, proposal_of

INTERRUPTED = "Interrupted by the user before it finished; nothing was returned."
UNKNOWN = "The run was cut off while this ran; whether it took effect is not known. Check before you call it again."


@dataclass(frozen=True)
class Slot:
    """A call with the ids its result will have."""

    call: ToolCall
    result: int
    message: str


async def run_tool_calls(run: Run, calls: Sequence[ToolCall], *, again: bool = False) -> list[ToolMessage]:
    """Run all calls; the results in the order of the calls.

    `again`: they were made before the run was cut off, and have no result on record. Those whose tool changes something
    outside are not run a second time.

    Raises:
        asyncio.CancelledError: after every open call has its "interrupted" result in the view.
        ScratchpadError: a result could not be recorded.
    """
    slots = [Slot(call, run.ports.ids.next_result(), run.ports.ids.next_message()) for call in calls]
    done: dict[str, ToolMessage] = {}
    if again:
        _settle_doubtful(run, slots, done)
    else:
        note_calls(run, calls)
    try:
        for group in groups(run, [slot for slot in slots if slot.call.id not in done]):
            await _run_group(run, group, done)
    except asyncio.CancelledError:
        for slot in slots:
            if slot.call.id not in done:
                done[slot.call.id] = record_result(run, slot, ToolResult(INTERRUPTED, "interrupted"), 0.0)
        run.append(*(done[slot.call.id] for slot in slots))
        raise
    return [done[slot.call.id] for slot in slots]


def _settle_doubtful(run: Run, slots: Sequence[Slot], done: dict[str, ToolMessage]) -> None:
    """A call that may have taken effect gets a result that says so."""
    for slot in slots:
        if run.ports.tools.has_effects(slot.call.name):
            done[slot.call.id] = record_result(run, slot, ToolResult(UNKNOWN, "interrupted"), 0.0)


def note_calls(run: Run, calls: Sequence[ToolCall]) -> None:
    """Count the calls for the soft limits."""
    made = tuple(CallMade(run.turn, call) for call in calls)
    run.ctx = replace(run.ctx, calls=run.ctx.calls + made)


def groups(run: Run, slots: Sequence[Slot]) -> Iterator[list[Slot]]:
    """Neighbours that may run together, in order; a call that is not concurrent is a group of its own."""
    group: list[Slot] = []
    for slot in slots:
        if run.ports.tools.is_concurrent(slot.call.name):
            group.append(slot)
            continue
        if group:
            yield group
            group = []
        yield [slot]
    if group:
        yield group


async def _run_group(run: Run, group: Sequence[Slot], done: dict[str, ToolMessage]) -> None:
    """Run a group, at most so many at a time; the first failure to record stops the rest."""
    places = asyncio.Semaphore(run.ctx.limits.parallel_tools)

    async def run_one(slot: Slot) -> None:
        async with places:
            done[slot.call.id] = await _run_call(run, slot)

    tasks = [asyncio.create_task(run_one(slot)) for slot in group]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _run_call(run: Run, slot: Slot) -> ToolMessage:
    call = slot.call
    run.emit(ToolStarted(call.id, call.name, call.arguments or {}))
    started = run.ports.monotonic()
    result = await _outcome(run, call)
    return record_result(run, slot, result, run.ports.monotonic() - started)


async def _outcome(run: Run, call: ToolCall) -> ToolResult:
    """The result, or what went wrong as a result."""
    try:
        tool = run.ports.tools.get(call.name)
        return await _run_tool(run, tool, call, _checked_arguments(tool, call))
    except ToolError as error:
        return ToolResult(error.as_text(), "error")
    except ScratchpadError:
        raise
    except DexterError as error:
        return ToolResult(f"Error: {error.message} {error.remedy}".strip(), "error")


def _checked_arguments(tool: Tool[Any], call: ToolCall) -> BaseModel:
    if call.arguments is None:
        raise ToolError(f"the arguments of {call.name} could not be read: {call.error}.")
    return checked_arguments(tool, call.arguments)


async def _run_tool(run: Run, tool: Tool[Any], call: ToolCall, arguments: BaseModel) -> ToolResult:
    context = ToolContext(
        run.ctx.results,
        progress=lambda text: run.emit(ToolProgress(call.id, text)),
        as_of=run.ports.as_of,
        call=call.id,
        caller=run,
        untrusted=tuple(run.untrusted),
    )
    try:
        async with asyncio.timeout(tool.timeout_s):
            proposal = await proposal_of(tool, arguments, context)
        if proposal is not None:  # however long the user takes
            await _approve(run, call, proposal)
            context = replace(context, approved=proposal)
        async with asyncio.timeout(tool.timeout_s):
            return as_data(await tool.run(arguments, context))
    except TimeoutError:
        return ToolResult(f"Error: {call.name} did not finish within {tool.timeout_s:g} seconds.", "timeout")


def as_data(result: ToolResult) -> ToolResult:
    """The result, its text marked if others wrote it."""
    if not result.untrusted:
        return result
    line, body = page_parts(result.text)  # where a page is stays outside the marks: that is not the others' word
    return replace(result, text=line + marked(body, result.untrusted))


async def _approve(run: Run, call: ToolCall, proposal: Proposal) -> None:
    """Ask; the decision is on record before the call runs.

    Raises:
        ToolError: the answer is no.
    """
    reason = str((call.arguments or {}).get("reason") or "")
    request = ApprovalRequest(call.id, call.name, proposal, reason, tuple(run.untrusted))
    decision = await run.ports.approvals.decide(request)
    run.ports.record.approval(
        call=call.id, decision=decision.kind, tool=call.name, target=proposal.target, reason=decision.reason
    )
    run.emit(Approval(call.id, decision.kind, call.name, proposal.target, decision.reason))
    if not decision.is_yes:
        raise denial(request, decision)


def result_message(slot: Slot, result: ToolResult) -> ToolMessage:
    """A result as it enters the view: whole."""
    recalls = result.data.get("recalls")
    return ToolMessage(
        slot.message,
        result=slot.result,
        call=slot.call.id,
        tool=slot.call.name,
        status=result.status,
        content=result.text,
        chars=len(result.text),
        recalls=recalls if isinstance(recalls, int) else None,
    )


def record_result(run: Run, slot: Slot, result: ToolResult, duration_s: float = 0.0) -> ToolMessage:
    """The whole result goes to disk; only then it is a message and an event."""
    call, message = slot.call, result_message(slot, result)
    run.ports.record.tool_result(call, message, result, duration_s=duration_s)
    run.add_sources(result.sources)
    run.add_untrusted(result.untrusted)
    sources = [source.to_json() for source in result.sources]
    run.emit(
        ToolFinished(
            call.id,
            slot.result,
            result.status,
            message.size,
            message.tokens,
            round(duration_s, 3),
            sources,
            call.name,
        )
    )
    return message
