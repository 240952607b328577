"""One thing that was looked at."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

# `note`: nothing is wrong, but more could be had; only a `problem` makes the exit status 1.
Verdict = Literal["ok", "note", "problem"]


@dataclass(frozen=True)
class Finding:
    """What was looked at, what was found, and the command that mends it ('' where there is nothing to mend)."""

    area: str
    verdict: Verdict
    text: str
    mend: str = ""

    def to_json(self) -> dict[str, Any]:
        """The fields by name."""
        return asdict(self)


def ok(area: str, text: str) -> Finding:
    """All well."""
    return Finding(area, "ok", text)


def note(area: str, text: str, mend: str = "") -> Finding:
    """More could be had."""
    return Finding(area, "note", text, mend)


def problem(area: str, text: str, mend: str) -> Finding:
    """Something to mend."""
    return Finding(area, "problem", text, mend)
