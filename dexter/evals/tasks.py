"""One question to be answered, and how that went: what a worker is handed and what it hands back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal, TypeAlias

from dexter.usage import Usage

OutcomeStatus = Literal["answered", "incomplete", "failed"]


@dataclass(frozen=True)
class Task:
    """A question with its key in the list, and the folder that its one scratchpad lives in.

    `as_of`: the day on which it is asked (ISO; '' for the run's own). `budget_usd`: what its run may cost at most.
    """

    key: str
    question: str
    folder: Path
    as_of: str = ""
    budget_usd: Decimal | None = None


@dataclass(frozen=True)
class Outcome:
    """How a question's run ended.

    `stages` counts the context events by stage, `figures` the answer's figures by what became of them (found, derived,
    not_found, unchecked), `accessions` are those of the answer's sources. `duration_s` is that of the last attempt,
    `cost_usd` None where a price is unknown. `error` says why it failed or is incomplete; `out_of_budget`: for want of
    money, so that it can be gone on with.
    """

    status: OutcomeStatus
    text: str = ""
    usage: Usage = field(default_factory=Usage)
    cost_usd: Decimal | None = Decimal(0)
    duration_s: float = 0.0
    stages: Mapping[str, int] = field(default_factory=dict)
    figures: Mapping[str, int] = field(default_factory=dict)
    accessions: tuple[str, ...] = ()
    run: str = ""
    path: str = ""
    error: str = ""
    out_of_budget: bool = False

    def to_json(self) -> dict[str, Any]:
        """How it stands in a results file."""
        return {
            "status": self.status,
            "text": self.text,
            "usage": self.usage.to_json(),
            "cost_usd": "" if self.cost_usd is None else format(self.cost_usd, "f"),
            "duration_s": round(self.duration_s, 3),
            "stages": dict(self.stages),
            "figures": dict(self.figures),
            "accessions": list(self.accessions),
            "run": self.run,
            "path": self.path,
            "error": self.error,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Outcome:
        """Read back.

        Raises:
            KeyError, TypeError, ValueError, ArithmeticError: it is not of this shape.
        """
        cost = data["cost_usd"]
        return cls(
            status=data["status"],
            text=data["text"],
            usage=Usage.from_json(data["usage"]),
            cost_usd=Decimal(cost) if cost else None,
            duration_s=float(data["duration_s"]),
            stages=dict(data["stages"]),
            figures=dict(data["figures"]),
            accessions=tuple(data["accessions"]),
            run=data["run"],
            path=data["path"],
            error=data["error"],
        )


@dataclass(frozen=True)
class WorkerFailure:
    """What ended a worker's task and would end every other: an error's sentence, remedy and exit status."""

    message: str
    remedy: str
    exit_status: int


# Answers one task; handed in from above, because what runs a question stands above this package.
Answerer: TypeAlias = Callable[[Task], Awaitable[Outcome]]
