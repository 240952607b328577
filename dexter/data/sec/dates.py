"""Days as numbers: facts carry thousands of ISO dates, of which few are different."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

_CENTURIES = range(1900, 2101)


@lru_cache(maxsize=16384)
def day_number(iso: str) -> int:
    """The day's ordinal (days since year 1); 0 for what is no date of this or the last century."""
    try:
        day = date.fromisoformat(iso)
    except (TypeError, ValueError):
        return 0
    return day.toordinal() if len(iso) == len("2026-01-31") and day.year in _CENTURIES else 0


def iso_day(number: int) -> str:
    """The ISO date of an ordinal."""
    return date.fromordinal(number).isoformat()


def days_between(start: str, end: str) -> int:
    """Days from `start` to `end`; negative where it runs backwards."""
    return day_number(end) - day_number(start)
