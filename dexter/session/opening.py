"""How a session begins with an earlier conversation."""

from __future__ import annotations

from pathlib import Path

from dexter.attached import as_typed
from dexter.scratchpad.run_state import read_state
from dexter.scratchpad.runs import list_runs
from dexter.session.commands.records import conversations, pick_run, take_up
from dexter.session.session import Session
from dexter.ui.cards import Line


def open_run(session: Session, path: Path) -> None:
    """`--continue`: show what was said last, and wait. A run that was cut off is not gone on with unasked.

    What waited for its next turn when the process died comes back into the input.

    Raises:
        DexterError: it can't be read, or is no run of ours.
    """
    state = read_state(path)
    cut_off = session.open(path)
    if state.queued:
        session.front.give_back([as_typed(line) for line in state.queued])
    session.front.echo(as_typed(state.question))
    if state.answer is not None:
        session.front.show_answer(str(state.answer.get("text", "")))
    if cut_off:
        session.front.tell(
            Line(f"This was cut off. /resume {path.stem} goes on with it; or ask on from what was found.", "warn", "!")
        )


async def open_picked(session: Session) -> None:
    """`dexter resume`: the user picks; what was cut off goes on at once."""
    path = await pick_run(session, conversations(list_runs(session.setup.config.scratchpads)))
    if path is not None:
        await take_up(session, path)
