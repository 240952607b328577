from __future__ import annotations

from decimal import Decimal

import pytest

from dexter.evals.grading import grade_by_rule
from dexter.evals.questions import Question, Subject

ORDER = Question(
    "o", "Rank them.", order=("NVDA", "AMD"), names={"NVDA": ("NVIDIA",), "AMD": ("Advanced Micro Devices",)}
)
MISSING = Question("m", "Tesla's revenue in fiscal 2015?", unanswerable=True, subjects=(Subject("TSLA", "FY2015"),))
SAID = Question("s", "?", unanswerable=True, subjects=(Subject("TSLA", "FY2015", concept="Revenues"),))
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
        "NVIDIA, then AMD",
        "NVIDIA beat AMD.",
        "AMD was outsold by Nvidia.",
        "AMD did not have the higher revenue; NVIDIA did.",
        "NVIDIA, not AMD, had the higher revenue.",
        "It was not AMD that had the higher revenue.",
        "It was not AMD but NVIDIA that had the higher revenue.",
        "**NVIDIA** had more revenue. AMD did not report more of it.",
        "Answer: NVIDIA (NVDA)",
        "Did NVIDIA or AMD have the higher revenue? NVIDIA.",
        "Nvidia: $26.97 billion\nAMD: $22.68 billion\nNvidia is higher.",
        "AMD's was lower, while NVIDIA's was higher.",
        "|rank|company|\n|-|-|\n|1|NVIDIA|\n|2|AMD|",
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
        "NVIDIA did not have the higher revenue.",
        "It isn't NVIDIA that leads but AMD.",
        "AMD, not NVIDIA, had the higher revenue.",
        "NVIDIA or AMD had the higher revenue.",
        "Neither NVIDIA nor AMD was higher.",
        "Intel had higher revenue than NVIDIA and AMD.",
        "NVIDIA had more revenue than AMD, but AMD had higher revenue than NVIDIA.",
        "AMD beat NVIDIA.",
        "|rank|company|\n|-|-|\n|1|AMD|\n|2|NVIDIA|",
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
        ("share repurchases", "It wasn't share repurchases but dividends.", False),
        ("share repurchases", "Either share repurchases or dividends.", False),
        ("share repurchases", "Dividends or share repurchases.", False),
        ("share repurchases", "Share repurchases are no longer planned.", False),
        ("share repurchases", "No, it was share repurchases.", True),
        ("Yes", "Yes, it did.", True),
        ("Yes", "**Yes** – margins rose.", True),
        ("Yes", "No, yes is wrong.", False),
        ("Yes", "Yes and no.", False),
        ("2024", "In FY2024.", True),
        ("2024", "2023 or 2024", False),
        ("2024", "It was not 2024.", False),
        ("2024-01-28", "The year ended on January 28, 2024.", True),
        ("2024-01-28", "The year ended on 28 Jan 2024.", True),
        ("2024-01-28", "The year ended on January 29, 2024.", False),
    ],
)
def test_a_text_is_looked_for_as_a_statement(text: str, answer: str, right: bool):
    """A word must stand by itself; several words may stand in a sentence that does not deny them."""
    assert score(Question("t", "?", text=text), answer) == int(right)
