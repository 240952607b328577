"""A batch put together: settings → who answers, where results go → a summary."""

from __future__ import annotations

from collections.abc import Mapping

from dexter.app.answerer import open_answerer
from dexter.app.build import Parts, plan_run
from dexter.app.evaluate import Work, purse_of
from dexter.app.outside import Setup
from dexter.evals.batch import BatchSummary, answer_all
from dexter.evals.evaluation import OnProgress, runs_folder


async def run_batch(questions: Mapping[str, str], setup: Setup, work: Work, *, on_progress: OnProgress) -> BatchSummary:
    """Answer and record.

    Raises:
        UsageError: a setting or the results file is unusable.
        DexterError: something failed that would fail for every question.
        Interrupted: it was cancelled.
    """
    plan = plan_run(setup, Parts())
    heading = {"type": "batch", "model": plan.models.info.name, "policy": plan.policy.name}
    writer, _, known = work.open(setup, heading)
    with writer:
        async with open_answerer(setup, work.engine, work.ray_address) as answer:
            lines, progress = await answer_all(
                questions,
                answer,
                writer,
                known,
                runs=runs_folder(work.results.absolute()),
                concurrency=work.concurrency,
                purse=purse_of(setup, work.concurrency, known),
                on_progress=on_progress,
            )
    return BatchSummary.of(work.results, lines, progress)
