"""Two evaluations of the same questions, question by question: what differs, and whether chance would do as much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, TypeAlias

from dexter.evals.intervals import bootstrap, sign_test
from dexter.evals.report import ResultLine

# A question by its id and its words: another set may have the same ids.
Asked: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Difference:
    """A second evaluation against a first one, over the questions that both graded.

    `mean` is the mean difference of the scores (second less first), `low` and `high` its 95 % interval by a paired
    bootstrap; `better`, `worse` and `same` count questions, `p` is the exact sign test's. `changed` names those that
    differ, with both scores.
    """

    type: str
    pairs: int
    first: float
    second: float
    mean: float
    low: float
    high: float
    better: int
    worse: int
    p: float
    changed: tuple[tuple[str, float, float], ...] = ()

    @property
    def same(self) -> int:
        """Questions that scored the same."""
        return self.pairs - self.better - self.worse

    def to_json(self) -> dict[str, Any]:
        """A JSON object."""
        changed = [{"id": name, "first": one, "second": two} for name, one, two in self.changed]
        return {**vars(self), "same": self.same, "changed": changed}


def compare(first: Mapping[str, ResultLine], second: Mapping[str, ResultLine], seed: int = 0) -> list[Difference]:
    """Differences by type of question, then over all."""
    before, after = _scores(first), _scores(second)
    types = {_asked(line): str(line["question_type"]) or "–" for line in second.values()}
    shared = [asked for asked in after if asked in before]
    groups: dict[str, list[Asked]] = {}
    for asked in shared:
        groups.setdefault(types[asked], []).append(asked)
    return [
        *(_difference(kind, group, before, after, seed) for kind, group in groups.items()),
        _difference("all", shared, before, after, seed),
    ]


def _asked(line: ResultLine) -> Asked:
    return str(line["id"]), str(line["question"])


def _scores(lines: Mapping[str, ResultLine]) -> dict[Asked, float]:
    """The score of each question, over its samples."""
    found: dict[Asked, list[float]] = {}
    for line in lines.values():
        if line["score"] is not None:
            found.setdefault(_asked(line), []).append(float(line["score"]))
    return {asked: fmean(scores) for asked, scores in found.items()}


def _difference(
    kind: str, questions: Sequence[Asked], before: Mapping[Asked, float], after: Mapping[Asked, float], seed: int
) -> Difference:
    differences = [after[asked] - before[asked] for asked in questions]
    better, worse = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    low, high = bootstrap(differences, seed) if differences else (0.0, 0.0)
    return Difference(
        kind,
        len(questions),
        fmean([before[asked] for asked in questions]) if questions else 0.0,
        fmean([after[asked] for asked in questions]) if questions else 0.0,
        fmean(differences) if differences else 0.0,
        low,
        high,
        better,
        worse,
        sign_test(better, worse),
        tuple((asked[0], before[asked], after[asked]) for asked in questions if before[asked] != after[asked]),
    )


def comparison_lines(differences: Sequence[Difference]) -> list[str]:
    """The comparison for a person: a row a type, then what changed."""
    rows = [
        "| type | pairs | first | second | difference | 95 % interval | better | worse | p |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {d.type} | {d.pairs} | {d.first:.1%} | {d.second:.1%} | {d.mean:+.1%} | {d.low:+.1%} – {d.high:+.1%}"
        f" | {d.better} | {d.worse} | {d.p:.3f} |"
        for d in differences
    ]
    changed = differences[-1].changed if differences else ()
    return [*rows, *([""] if changed else []), *(f"- {name}: {one:.0%} → {two:.0%}" for name, one, two in changed)]
