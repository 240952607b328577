"""An evaluation put together: settings → who answers, who judges, where results go → results by question."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

from dexter.app.build import Parts, plan_run
from dexter.app.list_work import Work
from dexter.app.models import connect, model_info
from dexter.app.outside import Setup
from dexter.errors import UsageError
from dexter.evals.choose_judge import choose_judge
from dexter.evals.evaluation import Grader, Selection, evaluate, heading_of
from dexter.evals.grade import Grade
from dexter.evals.grading import grade_by_rule
from dexter.evals.judge import Judge
from dexter.evals.judge_check import check_judge
from dexter.evals.questions import Question, QuestionSet
from dexter.evals.recording import OnProgress, ResultLines
from dexter.evals.work import Progress
from dexter.models.catalogue import FAMILIES, display_name, newest, split_name
from dexter.models.model_table import bundled_table
from dexter.models.pacing import Gate, PacedModel


@dataclass(frozen=True)
class JudgeChoice:
    """Which judge is wanted: by name ('' for any), whether it may be the judged model, whether it is tried first."""

    name: str = ""
    self_judge: bool = False
    check: bool = True


async def run_evaluation(
    asked: QuestionSet, setup: Setup, work: Work, *, selection: Selection, judge: JudgeChoice, on_progress: OnProgress
) -> tuple[ResultLines, Progress]:
    """Ask, grade and record; gives the results by key, and how far the work got.

    Raises:
        UsageError: a setting, the results file or the judge is unusable.
        DexterError: something failed that would fail for every question.
        Interrupted: it was cancelled.
    """
    plan = plan_run(setup, Parts())
    questions = selection.of(asked.questions)
    needs_judge = any(question.grader == "rubric" for question, _ in questions)
    judge_name = _judge_name(plan.models.info.name, judge, setup) if needs_judge else ""
    who = {"model": plan.models.info.name, "policy": plan.policy.name, "judge": judge_name}
    async with (
        open_grader(judge_name, setup, check=judge.check) as grade,
        work.begin(setup, heading_of(asked, selection, who), on_progress) as execution,
    ):
        return await evaluate(questions, grade, execution)


def on_bundled_data(setup: Setup) -> Setup:
    """The same with the bundled sample as the only source of figures and prices.

    Its own set asks what is right of the sample: other sources know newer years, and what the sample has not.
    """
    settings = setup.settings
    parts = {name: getattr(settings, name).model_copy(update={"providers": ("sample",)}) for name in ("data", "market")}
    return replace(setup, config=replace(setup.config, settings=settings.model_copy(update=parts)))


def _judge_name(judged: str, judge: JudgeChoice, setup: Setup) -> str:
    wanted = "" if not judge.name else judge.name if judge.name == "offline" else model_info(judge.name, setup).name
    if setup.settings.offline:
        raise UsageError(
            "This set has rubrics, which a language model has to judge; offline none can be asked.",
            remedy="Leave out --offline.",
        )
    return choose_judge(judged, wanted, _candidates(setup), self_judge=judge.self_judge)


def _candidates(setup: Setup) -> Iterator[str]:
    """The newest main model of each provider with a key, then their fast ones."""
    table, today = bundled_table(), setup.outside.now().date()
    with_key = [family for provider, family in FAMILIES.items() if setup.config.keys.get(provider)]
    patterns = [*(family.main for family in with_key), *(family.fast for family in with_key)]
    for pattern in patterns:
        name = newest(pattern, table, today) if pattern else None
        if name is not None:
            yield display_name(*split_name(name))


@asynccontextmanager
async def open_grader(judge_name: str, setup: Setup, *, check: bool) -> AsyncIterator[Grader]:
    """The function that grades: by rule, or by a judge for what has a rubric. A judge is tried on known cases first.

    Raises:
        MissingKeyError: the judge's provider has no key.
        DexterError: the judge gets known cases wrong.
    """
    if not judge_name:
        yield _by_rule
        return
    model = PacedModel(connect(model_info(judge_name, setup), setup), Gate(clock=setup.outside.monotonic))
    judge = Judge(model, setup.outside.random)
    try:
        if check:
            await check_judge(judge)

        async def grade(question: Question, answer: str) -> Grade:
            return await judge.grade(question, answer) if question.rubric else grade_by_rule(question, answer)

        yield grade
    finally:
        await model.aclose()


async def _by_rule(question: Question, answer: str) -> Grade:
    return grade_by_rule(question, answer)
