"""One attempt at a run, from an open record to its `end` line, however it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from dexter.agent.loop import newest_text, run_loop
from dexter.agent.outcome import Answer, EndStatus, unique_sources
from dexter.agent.run import Run, cost_text
from dexter.errors import DexterError, ExitStatus, Interrupted, ScratchpadError
from dexter.events import Answered, ErrorRaised, RunFinished
from dexter.messages import Messages, ToolMessage, question_index
from dexter.scratchpad.scratchpad import Scratchpad

_SHOWN_RESULTS = 50


@dataclass(frozen=True)
class Ending:
    """How an attempt ended, for the `end` line."""

    status: EndStatus
    exit_status: ExitStatus
    error: str = ""


Prelude = Callable[[], Awaitable[Answer | None]]


async def run_to_its_end(run: Run, scratchpad: Scratchpad, prelude: Prelude | None = None) -> Answer:
    """Run the loop; whatever happens, the attempt has one `end` line and its events, and the record is closed.

    `prelude` comes before the loop (a resumed run); an answer it gives is the run's.

    Raises:
        DexterError: the run failed; it was told to the sinks already.
        Interrupted: it was cancelled; the message of the cancellation says by what.
    """
    for told in run.opening:
        run.notice(told.kind, told.text)
    try:
        answer = (await prelude() if prelude else None) or await run_loop(run)
    except asyncio.CancelledError as cancelled:
        status = _status_of(cancelled)
        _end(run, scratchpad, Ending(_ending_name(status), status))
        raise Interrupted(
            f"Interrupted; what was found is in {scratchpad.paths.scratchpad}.", exit_status=status
        ) from None
    except DexterError as error:
        _tell_failure(run, error)
        _end(run, scratchpad, Ending("failed", error.exit_status, error.message))
        raise
    except BaseException as error:
        _end(run, scratchpad, Ending("failed", ExitStatus.FAILED, repr(error)))
        raise
    status = answer.exit_status
    _end(run, scratchpad, Ending("answered" if answer.complete else "incomplete", status, answer.reason))
    return replace(answer, path=str(scratchpad.paths.scratchpad))


def _status_of(cancelled: asyncio.CancelledError) -> ExitStatus:
    """Who cancels says why: `task.cancel(ExitStatus.TERMINATED)`; otherwise it was the user."""
    reason = cancelled.args[0] if cancelled.args else None
    return reason if isinstance(reason, ExitStatus) else ExitStatus.INTERRUPTED


def _ending_name(status: ExitStatus) -> EndStatus:
    if status is ExitStatus.TERMINATED:
        return "terminated"
    return "hung_up" if status is ExitStatus.HUNG_UP else "interrupted"


def _tell_failure(run: Run, error: DexterError) -> None:
    """Show what was found where the record failed, then the error."""
    if isinstance(error, ScratchpadError):
        text = found_so_far(run.messages)
        sources = [source.to_json() for source in unique_sources(run.sources)]
        run.emit(Answered(text, complete=False, figures=(), sources=sources))
    kind = getattr(error, "kind", type(error).__name__)
    run.emit(ErrorRaised(kind, error.message, error.remedy))


def found_so_far(messages: Messages) -> str:
    """What this question's rounds brought, for a person: the newest text, and the results by number."""
    since = messages[question_index(messages) + 1 :]
    results = [m for m in since if isinstance(m, ToolMessage)]
    lines = [f"- #{m.result} {m.tool} ({m.status}, {m.chars:,} characters)" for m in results[-_SHOWN_RESULTS:]]
    listing = "\n".join(lines) or "- nothing yet"
    parts = ["The run could not go on. Found until then:", newest_text(messages), listing]
    return "\n\n".join(filter(None, parts))


def _end(run: Run, scratchpad: Scratchpad, ending: Ending) -> None:
    """Record the end, give the record back, tell the sinks.

    Raises:
        ScratchpadError: the end itself could not be recorded; that is how the attempt ended, then.
    """
    failure: ScratchpadError | None = None
    try:
        _record_end(run, ending)
    except ScratchpadError as error:
        failure, ending = error, Ending("failed", error.exit_status, error.message)
        run.emit(ErrorRaised(type(error).__name__, error.message, error.remedy))
    scratchpad.close()
    run.emit(RunFinished(ending.status, int(ending.exit_status), run.usage, cost_text(run.cost_usd)))
    if failure is not None:
        raise failure


def _record_end(run: Run, ending: Ending) -> None:
    run.ports.record.end(
        status=ending.status,
        exit_status=int(ending.exit_status),
        usage=run.usage,
        cost_usd=cost_text(run.cost_usd),
        error=ending.error,
    )
