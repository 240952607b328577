from __future__ import annotations

from decimal import Decimal

import pytest

from dexter.evals.grading import grade_by_rule
from dexter.evals.questions import Question, Subject

ORDER = Question(
    "o", "Rank them.", order=("NVDA", "AMD"), names={"NVDA": ("NVIDIA",), "AMD": ("Advanced Micro Devices",)}
)
MISSING = Question("m", "Tesla's revenue in fiscal 2015?", unanswerable=True, subjects=(Subject("TSLA", "FY2015"),))
UNKNOWN = Question("u", "Oracle's revenue?", unanswerable=True, subjects=(Subject("ORCL"),))


def score(question: Question, answer: str) -> Decimal | None:
    return grade_by_rule(question, answer).score


@pytest.mark.parametrize(
    "answer",
    [
        "NVIDIA had the higher revenue, $130 billion against AMD's $25 billion.",
        "AMD's revenue was lower than NVIDIA's.",
        "NVIDIA",
        "1. NVIDIA\n2. AMD",
        "NVDA > AMD",
        "Of AMD and NVIDIA, the higher revenue was NVIDIA's.",
        "Revenue: higher at NVDA, $26.9 billion against $22.7 billion at AMD.\n\n- AMD, NVDA: from the figures above",
        "|figure|AMD|NVDA|\n|-|-|-|\n|x|1|2|\n\nRevenue, highest first: NVDA $2 billion, AMD $1 billion.",
    ],
)
def test_a_ranking_is_read_from_words_lists_and_signs(answer: str):
    """Highest first or lowest first, as a sentence, a list or a name alone; the columns of a table rank nothing."""
    assert score(ORDER, answer) == 1


@pytest.mark.parametrize(
    "answer",
    [
        "AMD had the higher revenue, ahead of NVIDIA.",
        "NVIDIA's revenue was lower than AMD's.",
        "AMD",
        "AMD and NVIDIA both sell chips.",
        "Of NVIDIA and AMD, the higher revenue was AMD's.",
        "",
    ],
)
def test_a_ranking_the_other_way_round_or_none_is_wrong(answer: str):
    """Naming the companies is no ranking."""
    assert score(ORDER, answer) == 0


@pytest.mark.parametrize(
    ("question", "answer", "right"),
    [
        (MISSING, "There is no figure for fiscal 2015; the data begins with FY2022.", True),
        (MISSING, "Not available. For comparison, Tesla's FY2022 revenue was $81.5 billion.", True),
        (MISSING, "Tesla's revenue in fiscal 2015 was $4.0 billion.", False),
        (MISSING, "I can't be sure, but it was $4.0 billion in FY2015.", False),
        (MISSING, "Tesla makes cars.", False),
        (UNKNOWN, "Oracle is not in the data.", True),
        (UNKNOWN, "Oracle's revenue was $53 billion; I have not checked.", False),
    ],
)
def test_what_cannot_be_answered_has_to_be_declined(question: Question, answer: str, right: bool):
    """Saying so counts, a figure of what was asked does not, one of another period does no harm."""
    assert score(question, answer) == int(right)


@pytest.mark.parametrize(
    ("text", "answer", "right"),
    [
        ("Beat", "Beat", True),
        ("Beat", "**Beat**, by 70 bps", True),
        ("Beat", "Answer: beat.", True),
        ("Beat", "They beat nobody", False),
        ("share repurchases", "It was spent on share repurchases.", True),
        ("share repurchases", "It was not share repurchases.", False),
    ],
)
def test_a_text_is_looked_for_as_a_statement(text: str, answer: str, right: bool):
    """A word must stand by itself; several words may stand in a sentence that does not deny them."""
    assert score(Question("t", "?", text=text), answer) == int(right)
