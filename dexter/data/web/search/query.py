"""What is asked of a search vendor, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlsplit


@dataclass(frozen=True)
class SearchQuery:
    """Words with limits: days (None = open), domains to stay within, domains to leave out.

    `dated_only`: a result that does not say when it is from is no result.
    """

    words: str
    limit: int = 8
    start: date | None = None
    end: date | None = None
    domains: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    dated_only: bool = False

    @property
    def with_sites(self) -> str:
        """The words with the domains as operators, for vendors that have no parameter for them."""
        within = " OR ".join(f"site:{domain}" for domain in self.domains)
        without = " ".join(f"-site:{domain}" for domain in self.excluded)
        return " ".join(filter(None, (self.words, f"({within})" if len(self.domains) > 1 else within, without)))

    def admits(self, hit: Hit) -> bool:
        """Whether a hit keeps the limits; vendors do not always."""
        host = (urlsplit(hit.url).hostname or "").lower()
        if self.domains and not _is_below(host, self.domains):
            return False
        if _is_below(host, self.excluded):
            return False
        if not hit.published:
            return not self.dated_only
        start, end = self.start, self.end
        return (not start or hit.published >= start.isoformat()) and (not end or hit.published <= end.isoformat())


@dataclass(frozen=True)
class Hit:
    """One result. `published` is a day (ISO), '' where the vendor does not say."""

    title: str
    url: str
    published: str = ""
    snippet: str = ""


@dataclass(frozen=True)
class Hits:
    """A vendor's results within the limits, and how many it gave besides."""

    hits: Sequence[Hit]
    left_out: int = 0


def _is_below(host: str, domains: Sequence[str]) -> bool:
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)
