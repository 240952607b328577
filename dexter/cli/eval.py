"""`dexter eval`: run a question set and score it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dexter.cli.run_options import with_options
from dexter.cli.work_options import WorkOptions, work
from dexter.errors import ExitStatus, UsageError

if TYPE_CHECKING:
    from dexter.evals.comparison import Difference
    from dexter.evals.report import Scores
    from dexter.evals.results_file import Results
    from dexter.evals.work import Progress

_SCORE = "The score"


def _score(*names: str, metavar: str | None = None, **rules: Any) -> Any:
    return typer.Option(*names, metavar=metavar, rich_help_panel=_SCORE, **rules)


@dataclass(frozen=True)
class EvalOptions(WorkOptions):
    """What stands on the command line of `eval`."""

    limit: Annotated[int | None, work("--limit", metavar="N", min=1, help="Ask so many questions.")] = None
    seed: Annotated[int | None, work("--seed", metavar="N", help="Shuffle; --limit then takes some at random.")] = None
    samples: Annotated[int, work("--samples", metavar="N", min=1, help="Ask each question so often.")] = 1
    judge: Annotated[str, _score("--judge", metavar="NAME", help="The model that judges rubrics.")] = ""
    self_judge: Annotated[bool, _score("--self-judge", metavar="", help="Let the judged model be the judge.")] = False
    no_judge_check: Annotated[
        bool, _score("--no-judge-check", metavar="", help="Do not try the judge on known cases.")
    ] = False
    min: Annotated[str, _score("--min", metavar="SHARE", help="Exit status 5 below this score: 0.8 or 80%.")] = ""
    compare: Annotated[Path | None, _score("--compare", metavar="FILE", help="Results to compare with.")] = None


@with_options(EvalOptions)
def evaluate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A CSV or JSONL set, `sample`, or results to report.")],
    *,
    options: EvalOptions,
) -> None:
    """Run a question set and score it; the same command goes on where it was stopped.

    The score by type goes to standard output, progress to standard error, every answer into the results file.
    """
    from dexter.evals.question_file import find_set
    from dexter.evals.results_file import is_results_file

    least = _share(options.min)
    before = _results(options.compare) if options.compare else None
    path = find_set(file)
    progress: Progress | None = None
    if path.is_file() and is_results_file(path):
        found = _results(path)
    else:
        found, progress = _run(path, options)
    _show(found, before, least, progress, options)


def _share(text: str) -> float | None:
    """0.8 or 80%."""
    if not text:
        return None
    try:
        share = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UsageError(f"--min {text} is no share.", remedy="Write it like 0.8 or 80%.")
    return share


def _results(path: Path) -> Results:
    from dexter.evals.result_lines import usable
    from dexter.evals.results_file import read_results

    found = read_results(path)
    if found is None or found.kind != "evaluation":
        raise UsageError(f"{path} holds no results of an evaluation.", remedy="`dexter eval` writes such a file.")
    return usable(found)


def _run(path: Path, options: EvalOptions) -> tuple[Results, Progress]:
    from dexter.app.evaluate import JudgeChoice, on_bundled_data, run_evaluation
    from dexter.app.outside import Setup
    from dexter.cli.configured import configured
    from dexter.cli.working import work_to_end
    from dexter.evals.evaluation import Selection
    from dexter.evals.question_file import SETS, read_questions
    from dexter.evals.results_file import Results, read_results

    asked = read_questions(path)
    setup = Setup(configured(options.flags(), options.config_file))
    if path.parent == SETS:
        setup = on_bundled_data(setup)
    to_do = options.work(asked.name)
    lines, progress = work_to_end(
        lambda on_progress: run_evaluation(
            asked,
            setup,
            to_do,
            selection=Selection(options.seed, options.limit, options.samples),
            judge=JudgeChoice(options.judge, options.self_judge, not options.no_judge_check),
            on_progress=on_progress,
        ),
        quiet=options.quiet,
    )
    written = read_results(to_do.results)
    heading, damaged = (written.heading, written.damaged) if written else ({}, 0)
    return Results(to_do.results, heading, lines, damaged), progress


def _show(
    found: Results, before: Results | None, least: float | None, progress: Progress | None, options: EvalOptions
) -> None:
    """Print the report and leave with its exit status."""
    from dexter.evals.comparison import compare
    from dexter.evals.report import by_type
    from dexter.ui.safe_json import safe_json

    scores = by_type(found.lines.values(), options.seed or 0)
    differences = compare(before.lines, found.lines, options.seed or 0) if before else []
    if before and not differences[-1].pairs:
        raise UsageError(
            f"{before.path} and {found.path} have no graded question in common.",
            remedy="Compare two results of one set.",
        )
    is_below = least is not None and scores[-1].least < least
    if options.json:
        typer.echo(safe_json(_object(found, scores, differences, progress, is_below=is_below)))
    else:
        from dexter.cli.eval_report import lines_of
        from dexter.cli.working import print_report

        print_report("\n".join(lines_of(found, scores, before, differences, progress)))
    if is_below:
        raise typer.Exit(int(ExitStatus.BELOW_MINIMUM))
    if progress is not None and progress.stopped:
        raise typer.Exit(int(ExitStatus.INCOMPLETE))


def _object(
    found: Results,
    scores: list[Scores],
    differences: list[Difference],
    progress: Progress | None,
    *,
    is_below: bool,
) -> Mapping[str, Any]:
    heading = {name: value for name, value in found.heading.items() if name not in ("type", "timestamp", "schema")}
    return {
        "results": str(found.path),
        **heading,
        "score": scores[-1].to_json(),
        "by_type": [score.to_json() for score in scores[:-1]],
        "difference": differences[-1].to_json() if differences else None,
        "difference_by_type": [difference.to_json() for difference in differences[:-1]],
        "stopped": bool(progress and progress.stopped),
        "below_minimum": is_below,
    }
