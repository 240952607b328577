"""Run every session through every policy and print the table: `python -m benchmarks.context`."""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.context.measure import Sent, measure
from benchmarks.context.original import ORIGINAL
from benchmarks.context.sessions import Session, figures_of, sessions
from dexter.agent.loop import run_loop
from dexter.config.limits import Limits
from dexter.context.policies import POLICIES, policy_named
from dexter.context.policy import Policy
from dexter.messages import Messages, ToolMessage, UserMessage, canonical_json
from dexter.models.protocol import ModelInfo, ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says
from tests.support.runs import make_run, tool

WINDOW = 200_000
SUMMARY = "<analysis>-</analysis><summary>The run compared the companies' statements. See the results by id.</summary>"


@dataclass(frozen=True)
class Row:
    """One policy on one session."""

    policy: str
    sent: Sent
    summaries: int
    in_view: float
    reachable: float
    pipeline_ms: float


def replay(session: Session, policy: Policy) -> Row:
    """Play the session's turns under a policy and watch what is sent."""
    results = list(session.results)
    turns: list[ModelResponse] = []
    number = 0
    for turn in session.turns:
        requested = []
        for _ in turn.results:
            requested.append(("get_financials", json.dumps({"query": f"statements {number}"})))
            number += 1
        turns.append(calls(*requested, text=turn.text))
    requests: list[Messages] = []
    model = ScriptedModel([*turns, says("The answer.")], info=ModelInfo("m", "m", window=WINDOW), piece=10**6)
    fast = ScriptedModel([says(SUMMARY)], piece=10**6)
    given = iter(results)
    source = tool("get_financials", lambda _a, _c: next(given), concurrent=False, clearable=True, query="query")
    with tempfile.TemporaryDirectory() as folder:
        bench = make_run(
            Path(folder), model, fast_model=fast, tools=[source], policy=policy, window=WINDOW, max_turns=500
        )
        spent = timed_stages(bench.run)
        asyncio.run(run_loop(bench.run))
        requests = [request.messages for request in model.requests]
        bench.scratchpad.close()
    final = requests[-1]
    text = wire_text(final)
    everything = [figures_of(result) for result in results]
    total = sum(map(len, everything))
    in_view = sum(sum(figure in text for figure in figures) for figures in everything)
    known = named(final, policy)
    reachable = sum(
        len(figures) if number in known else sum(figure in text for figure in figures)
        for number, figures in enumerate(everything, 1)
    )
    sent = measure([wire_text(request) for request in requests])
    sent = replace(sent, summaries=sum(len(wire_text(request.messages)) for request in fast.requests))
    return Row(
        policy.name, sent, len(fast.requests), in_view / total, reachable / total, spent[0] / len(requests) * 1e3
    )


def timed_stages(run: object) -> list[float]:
    """Seconds spent in stages, summed while the run goes on."""
    spent = [0.0]
    plain = run.run_stages  # type: ignore[attr-defined]

    async def timed(*arguments: object) -> None:
        started = time.perf_counter()
        await plain(*arguments)
        spent[0] += time.perf_counter() - started

    run.run_stages = timed  # type: ignore[attr-defined]
    return spent


def wire_text(messages: Messages) -> str:
    """A request as one text, in the order it is sent."""
    return "\n".join(canonical_json(message.content_json()) for message in messages)


def named(messages: Messages, policy: Policy) -> set[int]:
    """Results that the view holds or names by id, so that `read_result` gives them back. The original has no recall."""
    if policy is ORIGINAL:
        return {m.result for m in messages if isinstance(m, ToolMessage) and m.form == "whole"}
    ids = {m.result for m in messages if isinstance(m, ToolMessage)}
    for message in messages:
        if isinstance(message, UserMessage):
            ids.update(number for first, last in message.covers for number in range(first, last + 1))
    return ids


def main() -> None:
    limits = Limits()
    policies = [*(policy_named(name, limits) for name in POLICIES), ORIGINAL]
    print(f"Context policies, window {WINDOW:,}, Python {sys.version.split()[0]}\n")
    for session in sessions():
        rows = [replay(session, policy) for policy in policies]
        reference = next(row for row in rows if row.policy == "original").sent.cost
        print(f"Session {session.name} ({len(session.results)} results, {len(session.turns)} turns)\n")
        print(
            "| policy | chars sent, M | outside the cached prefix, k | cost, k | × original | peak, k tokens | requests"
            " | summaries | figures in view | reachable | pipeline ms a turn |\n" + "|---" * 11 + "|"
        )
        for row in rows:
            sent = row.sent
            print(
                f"| {row.policy} | {sent.chars / 1e6:.1f} | {sent.uncached / 1e3:,.0f} | {sent.cost:,.0f}"
                f" | {sent.cost / reference:.2f} | {sent.peak / 2.65 / 1e3:,.0f} | {sent.requests} | {row.summaries}"
                f" | {row.in_view:.0%} | {row.reachable:.0%} | {row.pipeline_ms:.2f} |"
            )
        print()


if __name__ == "__main__":
    main()
