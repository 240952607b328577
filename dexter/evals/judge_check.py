"""A judge is tried on cases whose verdict is known before its word is taken for anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

from dexter.errors import DexterError
from dexter.evals.judge import Judge
from dexter.evals.questions import Criterion, Question

_MOST_WRONG_SHARE = 0.2


@dataclass(frozen=True)
class JudgedCase:
    """An answer, one criterion, and whether it is met."""

    question: str
    answer: str
    criterion: Criterion
    met: bool


def known_cases() -> tuple[JudgedCase, ...]:
    """The cases that come with Dexter."""
    text = files("dexter.evals.prompts").joinpath("known_cases.jsonl").read_text(encoding="utf-8")
    return tuple(_case(line) for line in text.splitlines())


def _case(line: str) -> JudgedCase:
    given = json.loads(line)
    return JudgedCase(
        given["question"], given["answer"], Criterion(given["operator"], given["criterion"]), given["met"]
    )


async def wrong_verdicts(judge: Judge, cases: Sequence[JudgedCase]) -> list[tuple[JudgedCase, str]]:
    """The cases that a judge gets wrong; with the reason, those on which it gives no usable verdict.

    Raises:
        ModelError: the judge can be asked nothing.
    """
    grades = await asyncio.gather(
        *(judge.grade(Question("case", case.question, rubric=(case.criterion,)), case.answer) for case in cases)
    )
    return [(case, grade.why) for case, grade in zip(cases, grades, strict=True) if grade.score != int(case.met)]


async def check_judge(judge: Judge, cases: Sequence[JudgedCase] | None = None) -> None:
    """Raises DexterError where a judge is wrong, or has no verdict, on more than a fifth of the known cases."""
    tried = known_cases() if cases is None else cases
    wrong = await wrong_verdicts(judge, tried)
    if len(wrong) <= len(tried) * _MOST_WRONG_SHARE:
        return
    name, reasons = judge.model.info.name, [why for _, why in wrong if why]
    if len(reasons) == len(wrong):
        told = f"{name} could not be used on {len(wrong)} of {len(tried)} known cases: {reasons[0].rstrip('.')}."
        raise DexterError(told, remedy="Name another with --judge.")
    raise DexterError(
        f"{name} got {len(wrong)} of {len(tried)} known cases wrong, the first: “{wrong[0][0].criterion.text}”. Its"
        " verdicts would be worth nothing.",
        remedy="Name another with --judge, or add --no-judge-check.",
    )
