"""Which lines of a results file can be used: a file may have been damaged, or edited by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import Any, get_args

from dexter.evals.results_file import Results
from dexter.evals.tasks import Outcome, OutcomeStatus

_TEXTS = ("id", "question_type", "question", "why")


def usable(found: Results) -> Results:
    """The results without lines that lack what a result says, or say it in another form; these count as damaged.

    Their questions are taken up again from their scratchpads.
    """
    is_whole = _is_graded if found.kind == "evaluation" else _is_outcome
    lines = {key: line for key, line in found.lines.items() if is_whole(line)}
    return replace(found, lines=lines, damaged=found.damaged + len(found.lines) - len(lines))


def _is_outcome(line: Mapping[str, Any]) -> bool:
    try:
        outcome = Outcome.from_json(line)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError):
        return False
    counts = (*outcome.stages.values(), *outcome.figures.values())
    texts = (outcome.text, outcome.run, outcome.path, outcome.error, *outcome.accessions)
    return (
        outcome.status in get_args(OutcomeStatus)
        and all(isinstance(count, int) for count in counts)
        and all(isinstance(text, str) for text in texts)
    )


def _is_graded(line: Mapping[str, Any]) -> bool:
    try:
        score = None if line["score"] is None else Decimal(line["score"])
        cost = Decimal(line["judge_cost_usd"] or 0)
        checks = all({"what", "met"} <= check.keys() for check in line["checks"])
        texts = all(isinstance(line[name], str) for name in _TEXTS)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError):
        return False
    is_share = score is None or 0 <= score <= 1  # a NaN is not
    return is_share and cost.is_finite() and checks and texts and "cited" in line and _is_outcome(line)


def has_failed(line: Mapping[str, Any]) -> bool:
    """Whether a question may be asked again: its run failed, or no verdict on its answer could be had."""
    return line["status"] == "failed" or ("score" in line and line["score"] is None)
