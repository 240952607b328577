"""Tokens and money of model calls, one definition for all providers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Usage:
    """Tokens of one or more calls. The whole input is `input_uncached + cache_read + cache_write`.

    `output` includes `thinking` tokens where the provider counts them apart.
    """

    input_uncached: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0
    thinking: int = 0

    @property
    def input(self) -> int:
        """All input tokens, cached or not."""
        return self.input_uncached + self.cache_read + self.cache_write

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_uncached + other.input_uncached,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
            self.output + other.output,
            self.thinking + other.thinking,
        )

    def to_json(self) -> dict[str, int]:
        """The five counts by name."""
        return {
            "input_uncached": self.input_uncached,
            "cache_read": self.cache_read,
            "cache_write": self.cache_write,
            "output": self.output,
            "thinking": self.thinking,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Usage:
        """Read back; missing counts are 0."""
        return cls(**{key: int(data.get(key, 0)) for key in cls().to_json()})


def counted(usage: Usage) -> Usage | None:
    """The usage, or None where there was no count: every request has input, so that none means that nobody counted."""
    return usage if usage.input else None
