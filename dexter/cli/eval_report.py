"""An evaluation's report for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dexter.evals.comparison import Difference, comparison_lines
from dexter.evals.report import ResultLine, Scores, table_of
from dexter.evals.results_file import Results
from dexter.evals.work import Progress

_SHOWN = 20


def lines_of(
    found: Results,
    scores: Sequence[Scores],
    before: Results | None,
    differences: Sequence[Difference],
    progress: Progress | None,
) -> Iterator[str]:
    """Whose results they are, the scores by type, what was not right, the comparison; as Markdown."""
    heading = found.heading
    judge = f", judged by {heading['judge']}" if heading.get("judge") else ""
    yield f"{heading.get('set')}: {heading.get('model')}, policy {heading.get('policy')}{judge}"
    yield ""
    yield from table_of(scores)
    yield ""
    yield from _notes(scores[-1])
    if found.damaged:
        yield f"- Damaged lines of the results file, left out: {found.damaged}"
    if progress is not None and progress.stopped:
        left = progress.total - progress.done
        yield f"- The budget is used up: {left} not asked. The same command with a larger --budget-usd goes on."
    yield from _wrong([line for line in found.lines.values() if line["score"] != "1"])
    if before:
        yield ""
        yield from comparison_lines(differences)
        yield from _unlike(before, found, differences[-1].pairs)
    yield ""
    yield f"Results: {found.path}"


def _notes(everything: Scores) -> Iterator[str]:
    if everything.failed:
        yield f"- Failed runs, counted as wrong: {everything.failed}"
    if everything.incomplete:
        yield f"- Ended without a complete answer: {everything.incomplete}"
    if everything.ungraded:
        yield f"- Ungraded, left out of the score: {everything.ungraded}"
    if everything.cited is not None:
        yield f"- Answers whose sources name the figure's filing: {everything.cited:.1%}"
    if everything.judge_cost_usd:
        yield f"- The judge cost ${everything.judge_cost_usd:.4f}"
    if everything.stages:
        events = ", ".join(f"{name} {count}" for name, count in everything.stages.items())
        yield f"- Context events: {events}"


def _wrong(lines: Sequence[ResultLine]) -> Iterator[str]:
    """What was not right, each with the first thing that was missed."""
    for line in lines[:_SHOWN]:
        missed: ResultLine = next((check for check in line["checks"] if not check["met"]), {})
        why = line["error"] or line["why"] or "; ".join(filter(None, (missed.get("what"), missed.get("why"))))
        yield f"- ✗ {line['key']}: {line['question']} — {why}"
    if len(lines) > _SHOWN:
        yield f"- … and {len(lines) - _SHOWN} more; the results file has them all."


def _unlike(before: Results, found: Results, pairs: int) -> Iterator[str]:
    """What the two have not in common: questions, and who judged."""
    alone = [len({line["id"] for line in each.lines.values()}) - pairs for each in (before, found)]
    if any(alone):
        yield f"- Not compared: {alone[0]} of the first only, {alone[1]} of the second only"
    judges = [each.heading.get("judge") or "no judge" for each in (before, found)]
    if judges[0] != judges[1]:
        yield f"- Judged by {judges[0]}, then by {judges[1]}: part of the difference may be theirs"
