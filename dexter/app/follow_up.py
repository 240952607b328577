"""Go on with a conversation: a new run whose view begins with what the last one ended with."""

from __future__ import annotations

from pathlib import Path

from dexter.agent.tool_calls import UNKNOWN
from dexter.app.ask import Conversation
from dexter.errors import UsageError
from dexter.ids import IdSource
from dexter.messages import Messages, ToolCall, ToolMessage, UserMessage, calls_by_id
from dexter.scratchpad.lock import is_locked
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.repair import whole_rounds
from dexter.scratchpad.run_state import RunState, conversation_ids, read_state
from dexter.scratchpad.runs import ancestors

_INTERRUPTED = "The user interrupted here, or the run was cut off. What was found until then stands above."


def conversation_of(path: Path) -> Conversation:
    """The conversation that the run in `path` is the newest of.

    Raises:
        UsageError: the run goes on still, was cut off, or was not written by Dexter.
        ScratchpadError: a file of the conversation cannot be read.
    """
    state = read_state(path)
    check_ended(state)
    runs = (path, *ancestors(path))
    messages = state.messages[1:]
    return Conversation(str(state.header["conversation"]), messages, runs, _ids(runs, messages), _untrusted(state))


def conversation_after(path: Path) -> Conversation:
    """The same, also where the run was cut off: what it found stays, and what it had begun is told as cut off.

    Raises:
        UsageError: the run goes on still, or was not written by Dexter.
        ScratchpadError: a file of the conversation cannot be read.
    """
    state = read_state(path)
    check_free(state)
    runs = (path, *ancestors(path))
    messages = whole_rounds(state.messages, state.view.waiting)
    ids = _ids(runs, messages)
    cut_off = tuple(_cut_off(call, ids) for call in state.open_calls)
    messages = (*messages, *state.unplaced, *cut_off)
    if is_cut_off(state) and len(messages) > 1:
        messages = (*messages, UserMessage(ids.next_message(), _INTERRUPTED, "harness", "note"))
    return Conversation(str(state.header["conversation"]), messages[1:], runs, ids, _untrusted(state))


def _untrusted(state: RunState) -> tuple[str, ...]:
    """Where text that others wrote came from, in this run and, by its header, in those before it."""
    return tuple(dict.fromkeys(state.untrusted))


def is_cut_off(state: RunState) -> bool:
    """Whether the run has no answer: interrupted, failed, or killed."""
    return state.answer is None


def _cut_off(call: ToolCall, ids: IdSource) -> ToolMessage:
    """Stands for the result of a call that was running when the process died."""
    return ToolMessage(
        ids.next_message(),
        result=ids.next_result(),
        call=call.id,
        tool=call.name,
        status="interrupted",
        content=UNKNOWN,
        chars=len(UNKNOWN),
    )


def check_ended(state: RunState) -> None:
    """Raises UsageError where there is no whole run to follow up."""
    check_free(state)
    paths = RunPaths.of(state.scratchpad)
    if state.answer is None or state.open_calls or state.unplaced:
        raise UsageError(
            f"{paths.run} has no answer yet: it was cut off.", remedy=f"`dexter resume {paths.run}` goes on with it."
        )


def check_free(state: RunState) -> None:
    """Raises UsageError where the file is not a run of ours, or somebody works on it."""
    paths = RunPaths.of(state.scratchpad)
    if not state.header:
        raise UsageError(f"{paths.run} was not written by Dexter.", remedy="`dexter runs` lists the runs.")
    if is_locked(paths.lock):
        raise UsageError(f"{paths.run} is still going on.", remedy="Wait for its end.")


def _ids(runs: tuple[Path, ...], messages: Messages) -> IdSource:
    """Ids that none of the conversation's runs has used."""
    ids = conversation_ids(runs)
    for call in calls_by_id(messages).values():
        ids.unique_provider_id(call.provider_id, call.id)
    return ids
