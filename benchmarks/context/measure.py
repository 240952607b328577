"""What a sequence of requests sends and costs.

A request's text is compared with the one before: what they share from the beginning was cached and is read at 0.1, the
rest is written at 1.25 of an input token's price. Tokens are characters over a ratio measured on this kind of text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CHARS_PER_TOKEN = 2.65
CACHE_READ, CACHE_WRITE = 0.1, 1.25


@dataclass(frozen=True)
class Sent:
    """Sums over a session's requests, in characters; `summaries` are those sent to a summarising model, uncached."""

    requests: int
    chars: int
    uncached: int
    peak: int
    summaries: int = 0

    @property
    def cost(self) -> float:
        """Thousands of input-token equivalents."""
        cached = self.chars - self.uncached
        return (cached * CACHE_READ + self.uncached * CACHE_WRITE + self.summaries) / CHARS_PER_TOKEN / 1e3


def shared_start(one: str, other: str) -> int:
    """How many characters two texts share from the beginning, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[:middle] == other[:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def measure(requests: Sequence[str]) -> Sent:
    """Add up requests given as the whole text sent each time."""
    uncached = 0
    before = ""
    for request in requests:
        uncached += len(request) - shared_start(before, request)
        before = request
    return Sent(len(requests), sum(map(len, requests)), uncached, max(map(len, requests), default=0))
