"""What the loop costs a turn: an instant model, one 1 KB result a turn, real files; fsync counted apart.

    python -m benchmarks.loop [POLICY]

The processor's time is what counts: on a machine that others use, too, the clock counts their work as well.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
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
ROUNDS = 3
ORIGINAL_MS = {300: 3.6, 1_000: 5.0}  # what the original needs a turn, by the clock


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


@dataclass(frozen=True, order=True)
class Overhead:
    """Milliseconds a turn, without fsync: of this process on a processor, and by the clock; fsync apart."""

    cpu_ms: float
    clock_ms: float
    fsync_ms: float
    fsyncs: float


def overhead(turns: int, policy: str) -> Overhead:
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
        clock, cpu = time.perf_counter(), time.process_time()
        asyncio.run(run_loop(bench.run))
        cpu_s = time.process_time() - cpu - files.synced_cpu_s
        clock_s = time.perf_counter() - clock - files.synced_s
        return Overhead(
            cpu_s / turns * 1e3, clock_s / turns * 1e3, files.synced_s / files.syncs * 1e3, files.syncs / turns
        )


def main() -> None:
    policy = sys.argv[1] if len(sys.argv) > 1 else "dexter"
    overhead(30, policy)
    print(f"Loop overhead, policy {policy}, {os.cpu_count()} cores, Python {sys.version.split()[0]}\n")
    print("| turns | CPU ms a turn | by the clock | the original | × the original | fsync ms | fsyncs a turn |")
    print("|---|---|---|---|---|---|---|")
    rounds = [{turns: overhead(turns, policy) for turns in TURNS} for _ in range(ROUNDS)]
    least = {turns: min(measured[turns] for measured in rounds) for turns in TURNS}
    for turns, found in least.items():
        original = ORIGINAL_MS[turns]
        print(
            f"| {turns:,} | {found.cpu_ms:.2f} | {found.clock_ms:.2f} | {original} | {found.cpu_ms / original:.2f}"
            f" | {found.fsync_ms:.2f} | {found.fsyncs:.1f} |"
        )
    print(f"\n1,000 turns against 300: {least[1_000].cpu_ms / least[300].cpu_ms:.2f}× a turn")


if __name__ == "__main__":
    main()
