"""Ids that are unique in a conversation."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain, count

# Longer ids are refused by some providers.
_LONGEST_PROVIDER_ID = 64


@dataclass
class IdSource:
    """Hands out ids that are unique in a conversation: `m1`, `c1`, and result numbers. Seeded on resume."""

    message: int = 0
    call: int = 0
    result: int = 0
    _taken: set[str] = field(default_factory=set)

    def next_message(self) -> str:
        """Count up: `m1`, `m2` and so on."""
        self.message += 1
        return f"m{self.message}"

    def next_call(self) -> str:
        """Count up: `c1`, `c2` and so on."""
        self.call += 1
        return f"c{self.call}"

    def next_result(self) -> int:
        """Count up: 1, 2 and so on."""
        self.result += 1
        return self.result

    def unique_provider_id(self, provider_id: str, call: str) -> str:
        """The provider's id, or a deterministic other one where it is empty, too long or taken already."""
        usable = [provider_id] if 0 < len(provider_id) <= _LONGEST_PROVIDER_ID else []
        own = (f"call_{call}" if number == 1 else f"call_{call}-{number}" for number in count(1))
        chosen = next(candidate for candidate in chain(usable, own) if candidate not in self._taken)
        self._taken.add(chosen)
        return chosen
