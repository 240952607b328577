"""What a sequence of requests sends, costs and keeps.

A request's text is compared with the one before: what they share from the beginning was cached and is read at 0.1, the
rest is written at 1.25 of an input token's price; a summariser's request shares nothing and costs 1. Output is the same
for all and left out, and so are the tools' definitions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.context.sessions import Session, figures_of

# Measured on the sessions' results: cl100k_base and o200k_base both give 3.06.
CHARS_PER_TOKEN = 3.06
CACHE_READ, CACHE_WRITE = 0.1, 1.25


@dataclass(frozen=True)
class Played:
    """A session played through a policy.

    `requests` and `summaries` are the texts sent to the answering and to the summarising model, in order. `recallable`
    are texts which the policy's own means give back at the end: results named by id, files. `pipeline_s` is processor
    time of the policy in all turns.
    """

    policy: str
    requests: tuple[str, ...]
    summaries: tuple[str, ...] = ()
    recallable: tuple[str, ...] = ()
    pipeline_s: float = 0.0


@dataclass(frozen=True)
class Sent:
    """Sums over a session's requests, in characters; `summaries` are those sent to a summarising model, uncached."""

    requests: int
    chars: int
    uncached: int
    peak: int
    summaries: int = 0

    @property
    def tokens(self) -> float:
        """Tokens sent to the answering model."""
        return self.chars / CHARS_PER_TOKEN

    @property
    def peak_tokens(self) -> float:
        """Tokens of the largest request."""
        return self.peak / CHARS_PER_TOKEN

    @property
    def uncached_share(self) -> float:
        """Which share of what was sent lies outside the cached prefix."""
        return self.uncached / self.chars if self.chars else 0.0

    @property
    def cost(self) -> float:
        """Input-token equivalents."""
        cached = self.chars - self.uncached
        return (cached * CACHE_READ + self.uncached * CACHE_WRITE + self.summaries) / CHARS_PER_TOKEN


@dataclass(frozen=True)
class Row:
    """One policy on one session. `in_view` and `reachable` are shares of the session's figures at its last request."""

    policy: str
    sent: Sent
    calls: int
    summaries: int
    in_view: float
    reachable: float
    pipeline_ms: float


def measured(session: Session, played: Played) -> Row:
    """Everything the tables show of a policy."""
    view = figures_of(played.requests[-1])
    everything = view.union(*map(figures_of, played.recallable))
    return Row(
        played.policy,
        measure(played.requests, played.summaries),
        len(played.requests) + len(played.summaries),
        len(played.summaries),
        share_found(session.results, view),
        share_found(session.results, everything),
        played.pipeline_s / len(played.requests) * 1e3,
    )


def share_found(results: Iterable[str], found: frozenset[str]) -> float:
    """Which share of the results' figures is among those found; 1 where there is none to find."""
    wanted = [figures_of(result) for result in results]
    total = sum(map(len, wanted))
    return sum(len(figures & found) for figures in wanted) / total if total else 1.0


def measure(requests: Sequence[str], summaries: Sequence[str] = ()) -> Sent:
    """Add up requests given as the whole text sent each time."""
    uncached = 0
    before = ""
    for request in requests:
        uncached += len(request) - shared_start(before, request)
        before = request
    lengths = [len(request) for request in requests]
    return Sent(len(requests), sum(lengths), uncached, max(lengths, default=0), sum(map(len, summaries)))


def shared_start(one: str, other: str) -> int:
    """How many characters two texts share from the beginning, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
