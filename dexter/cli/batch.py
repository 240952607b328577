"""`dexter batch`: answer a list of questions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dexter.cli.run_options import with_options
from dexter.cli.work_options import WorkOptions, work
from dexter.errors import ExitStatus

if TYPE_CHECKING:
    from dexter.evals.batch import BatchSummary


@dataclass(frozen=True)
class BatchOptions(WorkOptions):
    """What stands on the command line of `batch`."""

    template: Annotated[
        str, work("--template", "-t", metavar="TEXT", help="The question, with {fields}: “{ticker}'s margins”.")
    ] = ""


@with_options(BatchOptions)
def batch(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="One question or ticker a line; or CSV or JSONL.")],
    *,
    options: BatchOptions,
) -> None:
    """Answer a list of questions; the same command goes on where it was stopped.

    Every answer goes into the results file, every run into a scratchpad of its own beside it.
    """
    from dexter.app.batch import run_batch
    from dexter.app.outside import Setup
    from dexter.cli.configured import configured
    from dexter.cli.working import work_to_end
    from dexter.evals.batch import read_list
    from dexter.ui.literal import literal
    from dexter.ui.safe_json import safe_json

    questions = read_list(file, options.template)
    setup = Setup(configured(options.flags(), options.config_file))
    to_do = options.work(file.stem)
    summary = work_to_end(
        lambda on_progress: run_batch(questions, setup, to_do, on_progress=on_progress), quiet=options.quiet
    )
    typer.echo(safe_json(summary.to_json()) if options.json else literal("\n".join(summary.lines())))
    raise typer.Exit(int(_status(summary)))


def _status(summary: BatchSummary) -> ExitStatus:
    counts = Counter(summary.counts)
    if counts["failed"]:
        return ExitStatus.FAILED
    return ExitStatus.INCOMPLETE if summary.stopped or counts["incomplete"] else ExitStatus.ANSWERED
