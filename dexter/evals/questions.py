"""What a question set asks, and what a right answer says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

FigureKind = Literal["money", "per_share", "shares", "percent", "points", "times", "plain"]
Operator = Literal["correctness", "contradiction"]
Grader = Literal["figures", "order", "refusal", "text", "rubric"]


@dataclass(frozen=True)
class Figure:
    """A number that a right answer states.

    `value` is in plain units: 44.1 % is 0.441, 26,044 million is 26044000000. `step` is one unit of its last digit
    where it was given rounded, 0 where it is exact; `tolerance` the share of it by which an answer may miss it. What
    the number is of (`ticker`, `period` such as `FY2025` or `Q3 FY2025`, `period_end` as an ISO day) is empty where it
    is not said; so is what it is called (`concept`, as Dexter names it).
    """

    value: Decimal
    kind: FigureKind = "plain"
    currency: str = ""
    step: Decimal = Decimal(0)
    tolerance: Decimal = Decimal(0)
    ticker: str = ""
    period: str = ""
    period_end: str = ""
    concept: str = ""


@dataclass(frozen=True)
class Criterion:
    """One check of a rubric.

    `correctness` is met where the answer says it, `contradiction` where the answer contradicts nothing of it. An answer
    that misses a `dealbreaker` scores nothing.
    """

    operator: Operator
    text: str
    weight: Decimal = Decimal(1)
    dealbreaker: bool = False


@dataclass(frozen=True)
class Subject:
    """A company, a period and a figure (as Dexter names it) that a question is about; '' where it is not said."""

    ticker: str
    period: str = ""
    period_end: str = ""
    concept: str = ""


@dataclass(frozen=True)
class Question:
    """A question and what a right answer is, by what the set gives of it.

    `figures`: numbers that it states. `order`: names in the order in which it ranks them; `names` gives how else each
    is called. `unanswerable`: it says that there is no such figure of `subjects`, and gives none. `text`: what it says
    in words. `rubric`: what a judge looks for. `as_of`: the day on which it is asked (ISO), `accessions`: the filings
    that its figures stand in.
    """

    id: str
    question: str
    type: str = ""
    figures: tuple[Figure, ...] = ()
    order: tuple[str, ...] = ()
    names: Mapping[str, tuple[str, ...]] | None = None
    unanswerable: bool = False
    subjects: tuple[Subject, ...] = ()
    text: str = ""
    rubric: tuple[Criterion, ...] = ()
    as_of: str = ""
    accessions: tuple[str, ...] = ()

    @property
    def grader(self) -> Grader:
        """How an answer to it is graded; the rubric goes before all else."""
        if self.rubric:
            return "rubric"
        if self.unanswerable:
            return "refusal"
        if self.order:
            return "order"
        return "figures" if self.figures else "text"


@dataclass(frozen=True)
class QuestionSet:
    """Questions with the name of their set and the SHA-256 of its file."""

    name: str
    sha256: str
    questions: tuple[Question, ...]
