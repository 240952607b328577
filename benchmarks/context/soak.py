"""A soak: 2,000 turns of one run; the last 200 against turns 200 to 400. Of three soaks the one in the middle counts.

Usage: python -m benchmarks.context.soak [policy …]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.loop import InstantModel
from dexter.agent.loop import run_loop
from dexter.config.limits import Limits
from dexter.context.policies import policy_named
from dexter.events import Event, ModelCall
from dexter.models.scripted import ScriptedModel, says
from tests.support.runs import echo, make_run

TURNS = 2_000
SUMMARY = "<analysis>-</analysis><summary>Found so far: see the results by id.</summary>"


def soak(policy: str) -> list[float]:
    """When each request went out, in seconds of processor time (the disk is not measured)."""
    moments: list[float] = []

    def note(event: Event) -> None:
        if isinstance(event, ModelCall):
            moments.append(time.process_time())

    with tempfile.TemporaryDirectory() as folder:
        bench = make_run(
            Path(folder),
            InstantModel(TURNS),
            fast_model=ScriptedModel([says(SUMMARY)], piece=10**6),
            tools=[echo(query="query")],
            policy=policy_named(policy, Limits()),
            max_turns=TURNS + 1,
            on_event=note,
        )
        bench.events.clear()
        asyncio.run(run_loop(bench.run))
        bench.scratchpad.close()
    return moments


def windows(moments: list[float]) -> tuple[float, float]:
    """Seconds that turns 200 to 400 took, and the last 200."""
    return moments[400] - moments[200], moments[-1] - moments[-201]


def main() -> None:
    names = sys.argv[1:] or ["dexter", "lean", "four-level"]
    print(f"{TURNS:,} turns of 1 KB results\n")
    print("| policy | ms a turn, 200–400 | ms a turn, last 200 | ratio |\n|---|---|---|---|")
    for name in names:
        early, late = sorted((windows(soak(name)) for _ in range(3)), key=lambda pair: pair[1] / pair[0])[1]
        print(f"| {name} | {early / 200 * 1e3:.2f} | {late / 200 * 1e3:.2f} | {late / early:.2f}× |", flush=True)


if __name__ == "__main__":
    main()
