"""Run every session through every policy and print tables and goals: `python -m benchmarks.context`."""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterable
from pathlib import Path

from benchmarks.context.goals import goals
from benchmarks.context.measure import Row, measured
from benchmarks.context.original import ORIGINAL
from benchmarks.context.peer_policies import PEERS, play
from benchmarks.context.pipeline import POLICIES as TIMED_POLICIES
from benchmarks.context.pipeline import pipeline_ms
from benchmarks.context.replay import WINDOW, replay
from benchmarks.context.sessions import Session, sessions
from benchmarks.environments import UnavailableError, default_cache
from dexter.context.policies import POLICIES, policy_named

COLUMNS = (
    "policy",
    "sent, M chars",
    "sent, M tokens",
    "outside the cached prefix",
    "cost, k",
    "× original",
    "peak, k tokens",
    "model calls (summaries)",
    "figures in view",
    "figures reachable",
    "pipeline, ms a turn",
)


def main(arguments: list[str] | None = None) -> int:
    """Print everything; 1 if a goal is not met."""
    parser = argparse.ArgumentParser(prog="benchmarks.context", description=__doc__)
    parser.add_argument("--cache", type=Path, default=default_cache(), help="folder for the peers' environments")
    parser.add_argument("--no-peers", action="store_true", help="leave the peers out")
    options = parser.parse_args(arguments)
    cache = None if options.no_peers else options.cache.resolve()
    print(f"Context policies: window {WINDOW:,}, Python {platform.python_version()}, {platform.machine()}")
    versions: dict[str, str] = {}
    tables = [print_session(session, cache, versions) for session in sessions()]
    if versions:
        print("Peers: " + ", ".join(f"{name} {number}" for name, number in sorted(versions.items())) + "\n")
    met = True
    for goal in goals(tables, {name: pipeline_ms(name) for name in TIMED_POLICIES}):
        print(goal)
        met = met and goal.met
    return 0 if met else 1


def print_session(session: Session, cache: Path | None, versions: dict[str, str]) -> dict[str, Row]:
    """Print a session's table; our own rows by policy. `versions` gets those of the peers' packages."""
    policies = [*(policy_named(name) for name in POLICIES), ORIGINAL]
    rows = {policy.name: measured(session, replay(session, policy)) for policy in policies}
    reference = rows[ORIGINAL.name].sent.cost
    print(f"\nSession {session.name} ({len(session.results)} results, {len(session.turns)} turns)\n")
    print(table_line(COLUMNS) + "\n" + "|---" * len(COLUMNS) + "|")
    for row in rows.values():
        print(table_line(cells(row, reference)), flush=True)
    for peer in PEERS if cache else ():
        try:
            played, used = play(peer, session, cache)
        except UnavailableError as reason:
            print(table_line([peer.name, f"not available here: {reason}", *[""] * (len(COLUMNS) - 2)]), flush=True)
            continue
        versions.update(used)
        print(table_line(cells(measured(session, played), reference)), flush=True)
    print()
    return rows


def cells(row: Row, reference: float) -> Iterable[str]:
    """A row's texts, in the columns' order; `reference` is the original's cost."""
    sent = row.sent
    return (
        row.policy,
        f"{sent.chars / 1e6:.2f}",
        f"{sent.tokens / 1e6:.2f}",
        f"{sent.uncached_share:.0%}",
        f"{sent.cost / 1e3:,.0f}",
        f"{sent.cost / reference:.2f}",
        f"{sent.peak_tokens / 1e3:,.0f}",
        f"{row.calls} ({row.summaries})",
        f"{row.in_view:.0%}",
        f"{row.reachable:.0%}",
        f"{row.pipeline_ms:.2f}",
    )


def table_line(texts: Iterable[str]) -> str:
    """One line of a table."""
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


if __name__ == "__main__":
    sys.exit(main())
