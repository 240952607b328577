"""A figure that is not there, and why: unknown is never zero."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

Why = Literal["missing", "not_applicable", "not_meaningful", "currencies"]

_MARKS: dict[Why, str] = {"missing": "–", "not_applicable": "n/a", "not_meaningful": "n.m.", "currencies": "n/a"}


@dataclass(frozen=True)
class Unavailable:
    """Stands where a cell would. `reason` is a clause that says what is missing or why the number would mislead."""

    ticker: str
    concept: str
    why: Why
    reason: str
    fiscal_year: int | None = None
    fiscal_period: str = ""
    period_end: str = ""

    @property
    def mark(self) -> str:
        """What stands in a table instead of a number."""
        return _MARKS[self.why]

    def to_json(self) -> dict[str, object]:
        """A JSON object without empty fields."""
        return {key: value for key, value in asdict(self).items() if value not in (None, "")}
