from __future__ import annotations

import pytest

from dexter.evals.grading import grade_by_rule
from dexter.evals.questions import Question


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
    assert grade_by_rule(Question("t", "?", text=text), answer).score == int(right)
