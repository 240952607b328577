"""What the loop costs a turn: an instant model, one 1 KB result a turn, real files; fsync counted apart.

Usage: python -m benchmarks.loop [policy]
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timed_files import TimedFiles
from dexter.agent.loop import run_loop
from dexter.context.policies import policy_named
from dexter.messages import Messages
from dexter.models.protocol import ModelResponse, RequestedCall
from dexter.models.scripted import ScriptedModel, says
from dexter.usage import Usage
from tests.support.runs import echo, make_run

TURNS = (300, 1_000)
RESULT_CHARS = 1_000


class InstantModel(ScriptedModel):
    """Calls one tool a turn with other words each time, then answers."""

    def __init__(self, turns: int) -> None:
        super().__init__([self.decide], piece=1_000)
        self.left = turns

    def decide(self, _messages: Messages) -> ModelResponse:
        if not self.left:
            return says("done")
        self.left -= 1
        raw = json.dumps({"query": f"{self.left:04d}{'x' * 6}", "size": RESULT_CHARS // 10})
        return ModelResponse("", tool_calls=(RequestedCall("a", "echo", raw),), stop_reason="tool_use", usage=Usage(1))


def overhead_ms(turns: int, policy: str) -> tuple[float, float, float]:
    """Milliseconds a turn without fsync, milliseconds of one fsync, fsyncs a turn."""
    with tempfile.TemporaryDirectory() as folder:
        files = TimedFiles()
        bench = make_run(
            Path(folder),
            InstantModel(turns),
            tools=[echo(limited=True, query="query")],
            policy=policy_named(policy),
            port=files,
            max_turns=turns + 1,
        )
        bench.events = []  # the sink is not measured
        started = time.perf_counter()
        asyncio.run(run_loop(bench.run))
        spent = time.perf_counter() - started - files.synced_s
        return spent / turns * 1e3, files.synced_s / files.syncs * 1e3, files.syncs / turns


def main() -> None:
    policy = sys.argv[1] if len(sys.argv) > 1 else "dexter"
    overhead_ms(30, policy)
    print(f"Loop overhead, policy {policy}, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    print("| turns | ms a turn | of which the original needs | fsync ms | fsyncs a turn |\n|---|---|---|---|---|")
    reference = {300: 3.6, 1_000: 5.0}
    measured = {}
    for turns in TURNS:
        measured[turns], fsync, count = min(overhead_ms(turns, policy) for _ in range(3))
        ratio = measured[turns] / reference[turns]
        print(f"| {turns:,} | {measured[turns]:.2f} | {ratio:.2f}× of {reference[turns]} | {fsync:.2f} | {count:.1f} |")
    print(f"\n1,000 turns against 300: {measured[1_000] / measured[300]:.2f}× a turn")


if __name__ == "__main__":
    main()
