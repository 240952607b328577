"""Runs recorded by the real loop with a scripted model: for replay and everything that reads whole runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

from dexter.agent.loop import run_loop
from dexter.agent.queue import Inbox
from dexter.context.policies import policy_named
from dexter.errors import ModelError
from dexter.models.protocol import ModelInfo
from dexter.models.scripted import ScriptedModel, Turn, calls, says
from tests.support.runs import AnyArguments, Bench, make_run, tool

SUMMARY = "<analysis>-</analysis><summary>Values were read; exact ones by read_result.</summary>"
WINDOW = 16_000


def record_run(
    folder: Path,
    policy: str = "dexter",
    *,
    turns: int = 6,
    queued: Sequence[int] = (3,),
    overloaded: bool = True,
    size: int = 120,
    line: str = "and what about turn {turn}?",
) -> Bench:
    """A run of so many turns with three results each and an answer; lines are queued while the turns of `queued` run.

    The window is so small that every policy has work to do. The second call is made again after a failure.
    """
    inbox = Inbox()

    def fetch(arguments: AnyArguments, _context: object) -> str:
        turn, call = arguments.query.split("-")
        if int(turn) in queued and call == "0":
            inbox.put(line.format(turn=turn))
        return f"NVDA revenue of {turn}-{call} is {26_044 + int(turn)} million; " * size

    script: list[Turn] = [
        calls(*(("fetch", json.dumps({"query": f"{turn}-{call}"})) for call in range(3)), text=f"Turn {turn}: I look.")
        for turn in range(1, turns + 1)
    ]
    if overloaded:
        script.insert(1, ModelError("The server is busy.", kind="overloaded"))
    info = ModelInfo("scripted", "scripted", window=WINDOW)
    bench = make_run(
        folder,
        ScriptedModel([*script, says("Revenue was **26,044 million**.")], info=info),
        fast_model=ScriptedModel([says(SUMMARY)], info=info),
        tools=[tool("fetch", fetch, clearable=True, query="query")],
        policy=policy_named(policy),
        window=WINDOW,
        inbox=inbox,
        max_turns=turns + 2,
    )
    answer = asyncio.run(run_loop(bench.run))
    bench.scratchpad.record.end(status="answered", exit_status=0, usage=answer.usage, cost_usd="")
    bench.scratchpad.close()
    return bench
