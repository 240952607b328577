"""What the results of an evaluation come to: by type of question, with how sure the scores are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import fmean, median
from typing import Any

from dexter.evals.intervals import bootstrap, wilson
from dexter.usage import Usage

ResultLine = Mapping[str, Any]


@dataclass(frozen=True)
class Scores:
    """The results of one type of question, or of all.

    `score` is the mean over what was graded (0 to 1), `low` and `high` its 95 % interval: Wilson's where every question
    was asked once and is right or wrong, else a bootstrap over the questions. `cost_usd` is None where a price is
    unknown; times are seconds. `cited` is the share of answers that name a filing in which the figure stands, None
    where the set names none.
    """

    type: str
    asked: int
    graded: int
    right: int
    score: float
    low: float
    high: float
    failed: int
    incomplete: int
    usage: Usage
    cost_usd: Decimal | None
    judge_cost_usd: Decimal | None
    median_s: float
    total_s: float
    stages: Mapping[str, int]
    figures: Mapping[str, int]
    cited: float | None

    @property
    def ungraded(self) -> int:
        """Answers of which no usable verdict could be had."""
        return self.asked - self.graded

    @property
    def least(self) -> float:
        """The score if everything ungraded were wrong."""
        return self.score * self.graded / self.asked if self.asked else 0.0

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        fields = dict(vars(self))
        return {
            **fields,
            "ungraded": self.ungraded,
            "usage": self.usage.to_json(),
            "cost_usd": _text(self.cost_usd),
            "judge_cost_usd": _text(self.judge_cost_usd),
            "stages": dict(self.stages),
            "figures": dict(self.figures),
        }


def _text(cost: Decimal | None) -> str | None:
    return None if cost is None else format(cost, "f")


def scores_of(name: str, lines: Sequence[ResultLine], seed: int = 0) -> Scores:
    """What some results come to."""
    graded = [(str(line["id"]), float(line["score"])) for line in lines if line["score"] is not None]
    by_question: dict[str, list[float]] = {}
    for question, score in graded:
        by_question.setdefault(question, []).append(score)
    right = sum(score >= 1 for _, score in graded)
    is_plain = len(by_question) == len(graded) and all(score in (0, 1) for _, score in graded)
    low, high = (
        wilson(right, len(graded)) if is_plain else bootstrap([fmean(found) for found in by_question.values()], seed)
    )
    status = Counter(line["status"] for line in lines)
    cited = [bool(line["cited"]) for line in lines if line["cited"] is not None]
    times = [float(line["duration_s"]) for line in lines]
    return Scores(
        type=name,
        asked=len(lines),
        graded=len(graded),
        right=right,
        score=fmean([score for _, score in graded]) if graded else 0.0,
        low=low,
        high=high,
        failed=status["failed"],
        incomplete=status["incomplete"],
        usage=sum((Usage.from_json(line["usage"]) for line in lines), Usage()),
        cost_usd=_sum_of_costs(line["cost_usd"] for line in lines),
        judge_cost_usd=_sum_of_costs(line["judge_cost_usd"] for line in lines),
        median_s=median(times) if times else 0.0,
        total_s=sum(times),
        stages=_counted(line["stages"] for line in lines),
        figures=_counted(line["figures"] for line in lines),
        cited=fmean(cited) if cited else None,
    )


def by_type(lines: Iterable[ResultLine], seed: int = 0) -> list[Scores]:
    """The scores of each type, in the order in which the types first come, then of all."""
    groups: dict[str, list[ResultLine]] = {}
    for line in lines:
        groups.setdefault(str(line["question_type"]) or "–", []).append(line)
    everything = [line for group in groups.values() for line in group]
    return [*(scores_of(name, group, seed) for name, group in groups.items()), scores_of("all", everything, seed)]


def _sum_of_costs(costs: Iterable[str]) -> Decimal | None:
    known = list(costs)
    return None if "" in known else sum(map(Decimal, known), Decimal(0))


def _counted(counts: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    whole: Counter[str] = Counter()
    for count in counts:
        whole.update(count)
    return dict(sorted(whole.items()))


_COLUMNS: Sequence[tuple[str, Callable[[Scores], str]]] = (
    ("type", lambda s: s.type),
    ("asked", lambda s: str(s.asked)),
    ("right", lambda s: str(s.right)),
    ("score", lambda s: f"{s.score:.1%}" if s.graded else "–"),
    ("95 % interval", lambda s: f"{s.low:.1%} – {s.high:.1%}" if s.graded else "–"),
    ("figures not found", lambda s: str(s.figures.get("not_found", 0))),
    ("tokens", lambda s: f"{s.usage.input + s.usage.output:,}"),
    ("cost", lambda s: "n/a" if s.cost_usd is None else f"${s.cost_usd:.4f}"),
    ("median s", lambda s: f"{s.median_s:.2f}"),
    ("context events", lambda s: str(sum(s.stages.values()))),
)


def table_of(scores: Sequence[Scores]) -> list[str]:
    """The scores as a Markdown table, its columns aligned."""
    rows = [[name for name, _ in _COLUMNS], *([show(score) for _, show in _COLUMNS] for score in scores)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = [
        "| "
        + " | ".join(_aligned(cell, width, at) for at, (cell, width) in enumerate(zip(row, widths, strict=True)))
        + " |"
        for row in rows
    ]
    rule = (
        "|"
        + "|".join("-" * (width + 2) if at == 0 else "-" * (width + 1) + ":" for at, width in enumerate(widths))
        + "|"
    )
    return [lines[0], rule, *lines[1:]]


def _aligned(cell: str, width: int, column: int) -> str:
    return cell.ljust(width) if column == 0 else cell.rjust(width)
