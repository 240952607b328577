"""Go on with a conversation: a new run whose view begins with what the last one ended with."""

from __future__ import annotations

from pathlib import Path

from dexter.app.ask import Conversation
from dexter.errors import UsageError
from dexter.messages import IdSource, Messages, calls_by_id
from dexter.scratchpad.lock import is_locked
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.run_state import RunState, conversation_ids, read_state
from dexter.scratchpad.runs import ancestors


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
    return Conversation(str(state.header["conversation"]), messages, runs, _ids(runs, messages))


def check_ended(state: RunState) -> None:
    """Raises UsageError where there is no whole run to follow up."""
    paths = RunPaths.of(state.scratchpad)
    if not state.header:
        raise UsageError(f"{paths.run} was not written by Dexter.", remedy="`dexter runs` lists the runs.")
    if is_locked(paths.lock):
        raise UsageError(f"{paths.run} is still going on.", remedy="Wait for its end.")
    if state.answer is None or state.open_calls or state.unplaced:
        raise UsageError(
            f"{paths.run} has no answer yet: it was cut off.", remedy=f"`dexter resume {paths.run}` goes on with it."
        )


def _ids(runs: tuple[Path, ...], messages: Messages) -> IdSource:
    """Ids that none of the conversation's runs has used."""
    ids = conversation_ids(runs)
    for call in calls_by_id(messages).values():
        ids.unique_provider_id(call.provider_id, call.id)
    return ids
