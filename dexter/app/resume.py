"""Go on with a run that was cut off, from what is on record and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

from dexter.agent.compact_call import run_calls
from dexter.agent.loop import answer_with
from dexter.agent.outcome import Answer
from dexter.agent.queue import Inbox
from dexter.agent.run import Run
from dexter.app.build import Parts, Plan, build_run, plan_run
from dexter.app.outside import Setup
from dexter.app.session import run_to_its_end
from dexter.context.reports import Report, report_from_json
from dexter.context.stage import CallMade
from dexter.errors import UsageError
from dexter.events import RunStarted, Sink
from dexter.messages import AssistantMessage, question_index
from dexter.results import Source
from dexter.scratchpad.lines import timestamp
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.repair import whole_rounds
from dexter.scratchpad.run_state import RunState, StageRecord, read_whole_state
from dexter.scratchpad.scratchpad import Scratchpad
from dexter.scratchpad.view import diff_view

_GO_ON = "The run was interrupted here and is taken up again. Go on from what is there; do not start over."

_NAMES = ("model", "policy", "as_of")
_NAMED_NOW = ("flag", "environment")


async def resume(
    path: Path,
    setup: Setup,
    *,
    sinks: Sequence[Sink] = (),
    inbox: Inbox | None = None,
    parts: Parts | None = None,
) -> Answer:
    """Take the run in `path` up again. Calls with a result on record are not run again; those without one are.

    Raises:
        UsageError: it was answered already, or was not written by Dexter.
        ScratchpadError: another process works on it, or the file cannot be read or written.
        DexterError: the run failed again.
        Interrupted: it was cancelled.
    """
    parts = parts or Parts()
    lock = RunLock.acquire(RunPaths.of(path).lock)  # before reading: nobody may add lines meanwhile
    try:
        state = read_whole_state(path)
        check_resumable(state)
        setup = in_its_window(as_recorded(setup, state), state)
        plan = plan_run(setup, parts)
        scratchpad = reopen(state, setup, lock)
    except BaseException:
        lock.release()
        raise
    inbox = inbox or Inbox()
    for line in state.queued:
        inbox.put(line)
    async with AsyncExitStack() as stack:
        run = build_run(plan, setup, scratchpad, ids=state.ids, inbox=inbox, sinks=sinks, parts=parts, stack=stack)
        restore(run, state)
        tell_start(run, plan, state)
        return await run_to_its_end(run, scratchpad, lambda: continue_run(run, state))


def check_resumable(state: RunState) -> None:
    """Raises UsageError where there is nothing to go on with."""
    name = state.scratchpad.name.removesuffix(".jsonl")
    if state.header and state.question and question_index(state.messages) < 0 and not state.turn:
        raise UsageError(
            f"{name} was cut off before its question had been put to the model.",
            remedy="Ask it again; `dexter runs` shows it.",
        )
    if not state.header or question_index(state.messages) < 0:
        raise UsageError(
            f"{name} holds no run of Dexter's that could be resumed.", remedy="`dexter runs` lists the runs."
        )
    if state.header.get("spawned_by"):
        parent = state.header.get("parent")
        raise UsageError(
            f"{name} is the run of a sub-agent; it goes on with the run that started it.",
            remedy=f"`dexter resume {parent}`; `dexter replay` shows either.",
        )
    if state.end is not None and state.end.get("status") == "answered":
        raise UsageError(
            f"{name} was answered already.", remedy=f"`dexter replay {name}` shows it; --continue asks a follow-up."
        )


def as_recorded(setup: Setup, state: RunState) -> Setup:
    """Model, policy and day as they were, unless this call names others: in a flag or a variable, not in a file.

    Raises:
        UsageError: the day the run was to be answered as of cannot be read.
    """
    recorded = state.header.get("settings", {})
    named_now = {name for name in _NAMES if setup.config.origin(name).kind in _NAMED_NOW}
    changes = {name: recorded[name] for name in ("model", "policy") if recorded.get(name) and name not in named_now}
    if setup.settings.budget_usd is None and recorded.get("budget_usd"):  # it holds for the run as a whole
        changes["budget_usd"] = _usd(recorded["budget_usd"])
    if changes.get("model") == "offline":
        changes = {**changes, "model": None, "offline": True}
    if "as_of" in recorded and "as_of" not in named_now:
        changes["as_of"] = _day(recorded["as_of"])
    config = replace(setup.config, settings=setup.settings.model_copy(update=changes))
    return replace(setup, config=config)


def in_its_window(setup: Setup, state: RunState) -> Setup:
    """With the window that the run had, unless this call names another one, or another model."""
    window = state.header.get("settings", {}).get("window")
    named_now = any(setup.config.origin(name).kind in _NAMED_NOW for name in ("model", "window", "window_cap"))
    if named_now or not isinstance(window, int) or window <= 0:
        return setup
    settings = setup.settings.model_copy(update={"window": window, "window_cap": 0})
    return replace(setup, config=replace(setup.config, settings=settings))


def _usd(recorded: object) -> Decimal:
    try:
        return Decimal(str(recorded))
    except ArithmeticError as error:
        raise UsageError(
            f"The budget of this run can't be read: {recorded}.", remedy="Name one with --budget-usd."
        ) from error


def _day(recorded: object) -> date | None:
    try:
        return date.fromisoformat(str(recorded)) if recorded else None
    except ValueError as error:
        raise UsageError(
            f"The run was asked as of {recorded!r}, which is no day.", remedy="Name it: --as-of YYYY-MM-DD."
        ) from error


def reopen(state: RunState, setup: Setup, lock: RunLock) -> Scratchpad:
    """The record, open for more lines."""
    outside = setup.outside
    return Scratchpad.reopen(state, lock, clock=lambda: timestamp(outside.now()), port=outside.files)


def restore(run: Run, state: RunState) -> None:
    """View, reports, calls, usage and sources as the record has them."""
    run.messages = state.messages
    run.opening = ()  # the prompt is the recorded one, whatever rules and skills there are now
    run.specs = state.view.tools
    run.usage, run.cost_usd, run.turn = state.usage, state.cost_usd, state.turn
    run.ports.emitter.turn = state.turn
    run.ctx = replace(
        run.ctx,
        turn=state.turn,
        calls=tuple(CallMade(turn, call) for turn, call in state.calls),
        reports=tuple(report for record in state.reports if (report := _report(record)) is not None),
    )
    run.charge(state.spent_usd)
    run.sources.extend(_recorded_sources(state))
    run.add_untrusted(state.untrusted)
    if state.turn >= run.ports.max_turns:  # out of turns: as many again
        run.ports = replace(run.ports, max_turns=state.turn + run.ports.max_turns)


def _report(record: StageRecord) -> Report | None:
    """A recorded report; a stage of a later version says nothing to this one."""
    try:
        return report_from_json(record.stage, record.report)
    except (KeyError, TypeError):
        return None


def _recorded_sources(state: RunState) -> list[Source]:
    return list(Source.readable(state.sources))


def tell_start(run: Run, plan: Plan, state: RunState) -> None:
    """Record that a process takes the run up, then tell the sinks."""
    run.ports.record.resume(turn=state.turn)
    header = state.header
    run.emit(
        RunStarted(
            question=state.question,
            conversation=str(header.get("conversation", "")),
            parent=header.get("parent"),
            model=plan.models.info.name,
            fast_model=plan.models.fast_name,
            policy=plan.policy.name,
            window=plan.window,
            threshold=plan.threshold,
            reason="Resumed.",
            path=str(state.scratchpad),
        )
    )


def mend_view(run: Run, state: RunState) -> None:
    """Where lines of the record were lost, the view becomes one that a provider takes again; that is an edit, too."""
    mended = whole_rounds(run.messages, state.view.waiting)
    if mended is run.messages:
        return
    ops = diff_view(run.messages, mended)
    run.ports.record.view_edit("repair", report={"bad_lines": len(state.bad)}, ops=ops, tokens=(0, 0))
    run.messages = mended
    run.notice("damaged", f"{len(state.bad)} lines of the record were damaged; the view was mended.")


async def continue_run(run: Run, state: RunState) -> Answer | None:
    """Bring the view to the start of a turn. An answer that was given but not recorded as one is the answer."""
    mend_view(run, state)
    if state.unplaced:
        run.append(*state.unplaced)
    if state.open_calls:
        await run_calls(run, state.open_calls, again=True)
    newest = run.messages[-1]
    if isinstance(newest, AssistantMessage) and not newest.tool_calls:
        unanswered = state.answer is None or state.answer.get("complete") is True  # killed before `end` was written
        if unanswered and state.stop_reason not in ("interrupted", "pause_turn"):
            return await answer_with(run, state.stop_reason)
        run.add_harness_line(_GO_ON)
    return None
