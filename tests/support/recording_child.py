"""A process that records results and says so on its standard output, to be killed at any moment.

    python -m tests.support.recording_child FOLDER [RUN]

It begins a run in FOLDER, or goes on with RUN, and prints `id sha256` once a result is on record.
"""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

from dexter.messages import AssistantMessage, ToolMessage
from dexter.scratchpad.file import RealFiles
from dexter.scratchpad.lines import sha256_of
from dexter.scratchpad.lock import RunLock
from dexter.scratchpad.naming import RunPaths
from dexter.scratchpad.run_state import read_state
from dexter.scratchpad.scratchpad import Scratchpad
from tests.support.conversations import RecordedRun, new_scratchpad, ticking_clock


def begin(folder: Path) -> RecordedRun:
    """A new run."""
    run = RecordedRun(new_scratchpad(folder))
    run.begin()
    return run


def go_on(folder: Path, name: str) -> RecordedRun:
    """The run as its file leaves it; results that wait enter the view, open calls stay unanswered."""
    paths = RunPaths(folder, name)
    lock = RunLock.acquire(paths.lock)
    state = read_state(paths.scratchpad)
    run = RecordedRun(Scratchpad.reopen(state, lock, clock=ticking_clock(), port=RealFiles()))
    run.ids, run.view, run.turn = state.ids, state.messages, state.turn
    run.scratchpad.record.resume(turn=state.turn)
    for message in state.unplaced:
        run.enter(message)
    return run


def clear_old(run: RecordedRun) -> None:
    """Keep the view small, as a policy would."""
    kept = [message for message in run.view[-8:] if not isinstance(message, AssistantMessage | ToolMessage)]
    run.edit((run.view[0], *kept))


def main(folder: str, name: str = "") -> None:
    """Record for ever."""
    run = go_on(Path(folder), name) if name else begin(Path(folder))
    for number in itertools.count():
        calls = run.ask_model("NVDA", 1 + number % 3)
        for call in reversed(calls):
            message = run.finish(call, f'{{"revenue":{number}}}' if number % 2 else "text\n" * (number * 37 % 900))
            sys.stdout.write(f"{message.result} {sha256_of(message.text)}\n")
            sys.stdout.flush()
            run.enter(message)
        if number % 4 == 3:
            clear_old(run)


if __name__ == "__main__":
    main(*sys.argv[1:])
