"""What grading an answer comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from dexter.usage import Usage


@dataclass(frozen=True)
class Check:
    """One thing that was looked for, whether it is there, and why."""

    what: str
    met: bool
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """A JSON object without what is empty."""
        return {"what": self.what, "met": self.met, **({"why": self.why} if self.why else {})}


@dataclass(frozen=True)
class Grade:
    """A score from 0 to 1, None where no grade could be had (`why` says for what reason), and what a judge used."""

    score: Decimal | None
    checks: tuple[Check, ...] = ()
    why: str = ""
    usage: Usage = field(default_factory=Usage)
    cost_usd: Decimal | None = Decimal(0)

    @classmethod
    def all_of(cls, checks: Sequence[Check]) -> Grade:
        """Right where every check is met."""
        return cls(Decimal(all(check.met for check in checks)), tuple(checks))

    def to_json(self) -> Mapping[str, Any]:
        """How it stands in a results file."""
        return {
            "score": None if self.score is None else str(self.score),
            "checks": [check.to_json() for check in self.checks],
            "why": self.why,
            "judge_usage": self.usage.to_json(),
            "judge_cost_usd": "" if self.cost_usd is None else format(self.cost_usd, "f"),
        }
