from __future__ import annotations

import pytest

from dexter.evals.grading import grade_by_rule
from dexter.evals.questions import Question, Subject

MISSING = Question("m", "Tesla's revenue in fiscal 2015?", unanswerable=True, subjects=(Subject("TSLA", "FY2015"),))
SAID = Question("s", "?", unanswerable=True, subjects=(Subject("TSLA", "FY2015", concept="Revenues"),))
UNKNOWN = Question("u", "Oracle's revenue?", unanswerable=True, subjects=(Subject("ORCL"),))


@pytest.mark.parametrize(
    ("question", "answer", "right"),
    [
        (MISSING, "There is no figure for fiscal 2015; the data begins with FY2022.", True),
        (MISSING, "Not available. For comparison, Tesla's FY2022 revenue was $81.5 billion.", True),
        (MISSING, "Tesla's revenue in fiscal 2015 was $4.0 billion.", False),
        (MISSING, "I can't be sure, but it was $4.0 billion in FY2015.", False),
        (MISSING, "Tesla makes cars.", False),
        (MISSING, "No.", False),
        (MISSING, "Tesla's sales of 2015 were four billion dollars, not counting energy.", False),
        (MISSING, "The figure wasn't disclosed.", True),
        (MISSING, "I have nothing on it.", True),
        (MISSING, "That lies outside the data I have.", True),
        (SAID, "Tesla reported revenue of $4.0 billion, not $5 billion.", False),
        (UNKNOWN, "Oracle is not in the data.", True),
        (UNKNOWN, "Oracle's revenue was $53 billion; I have not checked.", False),
    ],
)
def test_what_cannot_be_answered_has_to_be_declined(question: Question, answer: str, right: bool):
    """Saying so counts, a figure of what was asked does not, one of another period does no harm."""
    assert grade_by_rule(question, answer).score == int(right)
