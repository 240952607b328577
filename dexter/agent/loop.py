"""The while loop: microcompact and strip → model → tools → govern, thresholds, notices → again."""

from __future__ import annotations

from dataclasses import replace
from itertools import takewhile

from dexter.agent.budget import BudgetReachedError
from dexter.agent.compact_call import run_calls
from dexter.agent.figure_check import checked_figures
from dexter.agent.model_call import ask_model
from dexter.agent.outcome import Answer, unique_sources
from dexter.agent.run import Run
from dexter.context.markers import is_users_own
from dexter.events import Answered
from dexter.messages import AssistantMessage, Messages, SystemMessage, question_index
from dexter.threads import in_daemon_thread

_EMPTY_NOTE = "Your last message was empty. Answer the question, or call a tool."
_PAUSED = ("pause_turn",)
# Around the threshold the estimate's error decides whether a compaction is paid for: there the provider is asked.
_COUNT_FROM, _COUNT_TO = 0.85, 1.15


async def run_loop(run: Run) -> Answer:
    """Answer the newest question in the view. A budget that is used up ends the run with what was said until then.

    Raises:
        ModelError: the model failed for good.
        ScratchpadError: something could not be recorded; nothing unrecorded entered the view.
        asyncio.CancelledError: interrupted; every open call has an "interrupted" result on record.
    """
    try:
        return await _answer(run)
    except BudgetReachedError as error:
        run.notice("budget", f"{error.message} {error.remedy}")
        return await finish(run, newest_text(run.messages), complete=False, reason=error.message)


async def _answer(run: Run) -> Answer:
    policy = run.ports.policy
    await run.run_stages(policy.after_tools)  # a follow-up, a resumed run or a smaller model may start too full
    warn_of_fixed_parts(run)
    empty_answers = 0
    while run.turn < run.ports.max_turns:
        run.begin_turn()
        await run.run_stages(policy.before_model)
        response = await ask_model(run, tool_choice="auto")
        if response is None:
            empty_answers += 1
            if empty_answers > 1:
                return await finish(run, "", complete=False, reason="The model answered with nothing, twice.")
            run.add_harness_line(_EMPTY_NOTE)
            continue
        message = response.message
        run.append(message)
        if message.tool_calls:
            await run_calls(run, message.tool_calls)
            await count_near_threshold(run)
            await run.run_stages(policy.after_tools)
            if run.drain_queue():
                warn_of_fixed_parts(run)
            run.show_context()
        elif response.stop_reason not in _PAUSED and not run.drain_queue():
            return await answer_with(run, response.stop_reason)
    return await last_answer(run)


async def last_answer(run: Run) -> Answer:
    """Turns are used up: one more call that may not use tools, so that the user gets an answer from what is there."""
    reason = f"The limit of {run.ports.max_turns} turns was reached."
    run.notice("max_turns", f"{reason} The answer rests on what was found until then.")
    run.begin_turn()
    await run.run_stages(run.ports.policy.before_model)
    response = await ask_model(run, tool_choice="none")
    if response is None:
        return await finish(run, "", complete=False, reason=reason)
    run.append(response.message)
    return await finish(run, text_at_end(run.messages), complete=False, reason=reason)


async def answer_with(run: Run, stop_reason: str) -> Answer:
    """The model gave text and no calls at the view's end: the answer, unless it was cut off or refused."""
    reasons = {
        "max_tokens": "The answer was cut off by the output limit.",
        "refusal": "The model declined to answer.",
    }
    reason = reasons.get(stop_reason, "")
    if reason:
        run.notice(stop_reason, reason)
    return await finish(run, text_at_end(run.messages), complete=not reason, reason=reason)


def text_at_end(messages: Messages) -> str:
    """The text with which the view ends; a turn that had paused stands in several messages."""
    parts = takewhile(lambda m: isinstance(m, AssistantMessage) and not m.tool_calls, reversed(messages))
    return "".join([message.text for message in parts][::-1])


async def finish(run: Run, text: str, *, complete: bool, reason: str = "") -> Answer:
    """Check the answer's figures, record it, then tell it. Meanwhile the loop is free: the user may go on typing."""
    sources = unique_sources(run.sources)
    check, notices = await in_daemon_thread(checked_figures, text, run.ctx.results)
    for notice in notices:
        run.notice(notice.kind, notice.text)
    figures, as_json = check.to_json(), [source.to_json() for source in sources]
    run.ports.record.answer(text=text, complete=complete, figures=figures, sources=as_json)
    run.emit(Answered(text, complete, figures, as_json))
    return Answer(
        text,
        complete,
        sources,
        run.usage,
        run.cost_usd,
        run.ports.emitter.run,
        reason=reason,
        figures=check,
        strict=run.ports.strict,
        untrusted=tuple(run.untrusted),
    )


def newest_text(messages: Messages) -> str:
    """The last thing the model said about this question, '' if nothing."""
    since = messages[question_index(messages) + 1 :]
    return next((m.text for m in reversed(since) if isinstance(m, AssistantMessage) and m.text.strip()), "")


async def count_near_threshold(run: Run) -> None:
    """Let the provider count where an estimate could decide wrongly, if it can count."""
    used, threshold = run.ctx.used(run.messages), run.ctx.threshold
    if not _COUNT_FROM * threshold <= used <= _COUNT_TO * threshold:
        return
    counted = await run.ports.model.count(run.messages, tools=run.specs)
    if counted is not None:
        run.ctx = replace(run.ctx, meter=run.ctx.meter.counted_now(run.messages, counted))


def warn_of_fixed_parts(run: Run) -> None:
    """Say once when what no stage may remove nearly fills the window."""
    ctx = run.ctx
    system = sum(m.tokens for m in run.messages if isinstance(m, SystemMessage))
    said = sum(m.tokens for m in run.messages[max(question_index(run.messages), 0) :] if is_users_own(m))
    tools = ctx.meter.tools_tokens
    if system + tools + said > ctx.limits.fixed_share_warning * ctx.threshold:
        run.notice_once(
            "fixed_parts",
            f"System prompt ({system:,} tokens), tools ({tools:,}) and what you wrote ({said:,}) take most of the"
            f" {ctx.threshold:,} tokens there are. Use a larger --window, fewer tools or a shorter question.",
        )
