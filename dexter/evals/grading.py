"""An answer's grade, by whatever the question gives of a right one."""

from __future__ import annotations

from dexter.evals.grade import Check, Grade
from dexter.evals.numeric import check_figure, figures_in
from dexter.evals.questions import Question
from dexter.evals.ranking import check_order
from dexter.evals.refusal import check_refusal
from dexter.evals.wording import check_text


def grade_by_rule(question: Question, answer: str) -> Grade:
    """Grade without a judge. A question whose rubric wants one gets no score here."""
    if not answer.strip():
        return Grade.all_of([_nothing_said()])
    match question.grader:
        case "rubric":
            return Grade(None, why="a rubric needs a judge")
        case "text":
            return Grade.all_of([check_text(question, answer)])
    found = figures_in(answer)
    if question.grader == "refusal":
        return Grade.all_of([check_refusal(question, answer, found)])
    checks = [check_figure(figure, found) for figure in question.figures]
    if question.order:
        checks.insert(0, check_order(question, answer))
    return Grade.all_of(checks)


def _nothing_said() -> Check:
    return Check("an answer", met=False, why="there is none")
