"""A batch put together: settings → who answers, where results go → a summary."""

from __future__ import annotations

from collections.abc import Mapping

from dexter.app.build import Parts, plan_run
from dexter.app.list_work import Work
from dexter.app.outside import Setup
from dexter.evals.batch import BatchSummary, answer_all
from dexter.evals.recording import OnProgress


async def run_batch(questions: Mapping[str, str], setup: Setup, work: Work, *, on_progress: OnProgress) -> BatchSummary:
    """Answer and record.

    Raises:
        UsageError: a setting or the results file is unusable.
        DexterError: something failed that would fail for every question.
        Interrupted: it was cancelled.
    """
    plan = plan_run(setup, Parts())
    heading = {"type": "batch", "model": plan.models.info.name, "policy": plan.policy.name}
    async with work.begin(setup, heading, on_progress) as execution:
        lines, progress = await answer_all(questions, execution)
    return BatchSummary.of(work.results, lines, progress)
