"""Shows the made-up run in this terminal and stops at three moments until the parent says go.

Arguments: a folder for the signals, and `live` or `plain`. The clock counts events, so every run looks the same.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from dexter.events import ContextUsed, Event, ModelResponded, ToolProgress
from dexter.ui.console import make_console
from dexter.ui.live import LiveSink
from dexter.ui.plain import PlainSink
from tests.support.events import emitted, whole_run


def _is_moment(event: Event, following: Event | None) -> bool:
    """While two tools run; when the meter has its first figures; when the answer is all but whole."""
    nearly = isinstance(following, ModelResponded) and not following.tool_calls
    return nearly or isinstance(event, ToolProgress | ContextUsed)


def main() -> None:
    """Show all events."""
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    clock = [0.0]
    live = LiveSink(make_console(sys.stderr, os.environ), monotonic=lambda: clock[0])
    sink = live if kind == "live" else PlainSink(sys.stderr)
    events = list(whole_run())
    moments = 0
    for number, event in enumerate(events):
        clock[0] += 0.5
        following = events[number + 1] if number + 1 < len(events) else None
        sink(emitted(event, number))
        if _is_moment(event, following):
            moments += 1
            (folder / f"reached-{moments}").touch()
            while not (folder / f"go-{moments}").exists():
                time.sleep(0.01)


if __name__ == "__main__":
    main()
