"""What the figures should be, and whether they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.context.measure import Row

PIPELINE_MS = 2.0
# Session number and how many times the original's cost `lean` may have there.
LEAN_AT_MOST = {1: 0.65, 3: 0.5}


@dataclass(frozen=True)
class Goal:
    """One goal in words, what was measured, and whether that is good enough."""

    text: str
    measured: str
    met: bool

    def __str__(self) -> str:
        return f"{'✓' if self.met else '✗'} {self.text}: {self.measured}"


def goals(sessions: Sequence[Mapping[str, Row]], pipeline_ms: Mapping[str, float]) -> Iterator[Goal]:
    """All goals; `sessions` holds each session's rows by policy, in order, `pipeline_ms` the stages' time by policy."""
    for number, rows in enumerate(sessions, 1):
        yield _at_most(number, rows, "dexter", 1.0)
        if number in LEAN_AT_MOST:
            yield _at_most(number, rows, "lean", LEAN_AT_MOST[number])
    for policy in ("dexter", "lean", "four-level"):
        least = min(rows[policy].reachable for rows in sessions)
        yield Goal(f"{policy}, every figure reachable in all sessions", f"{least:.1%}", least == 1.0)
    for policy, spent in pipeline_ms.items():
        yield Goal(
            f"{policy}, stages under {PIPELINE_MS:g} ms a turn at 1,000 messages",
            f"{spent:.2f} ms",
            spent < PIPELINE_MS,
        )


def _at_most(number: int, rows: Mapping[str, Row], policy: str, most: float) -> Goal:
    ratio = rows[policy].sent.cost / rows["original"].sent.cost
    return Goal(f"session {number}, {policy} at most {most:g} × the original's cost", f"{ratio:.3f} ×", ratio <= most)
