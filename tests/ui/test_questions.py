"""What a typed answer to a question of the model's means."""

from __future__ import annotations

import pytest

from dexter.tools.ask_user_question import Choice, Reply, UserQuestion
from dexter.ui.questions import question_lines, reply_of

CHOICES = [Choice(label="2024"), Choice(label="GAAP", description="\x1b[31mred")]


@pytest.mark.parametrize(
    ("typed", "several", "reply"),
    [
        ("1", False, Reply(("2024",))),
        (" 2 ", False, Reply(("GAAP",))),
        ("gaap", False, Reply(("GAAP",))),
        ("2024", False, Reply(("2024",))),
        ("1, 2", True, Reply(("2024", "GAAP"))),
        ("2 2 1", True, Reply(("GAAP", "2024"))),
        ("1, 2", False, Reply(other="1, 2")),
        ("3", False, Reply(other="3")),
        ("0", True, Reply(other="0")),
        ("neither of them", False, Reply(other="neither of them")),
        ("", False, Reply()),
    ],
)
def test_numbers_labels_and_own_words(typed: str, several: bool, reply: Reply) -> None:
    """Numbers that fit are choices, labels too; everything else is the user's own answer."""
    assert reply_of(typed, UserQuestion(question="Which?", choices=CHOICES, several=several)) == reply


def test_what_the_model_wrote_is_shown_literally() -> None:
    """No control sequence gets through."""
    lines = [line.text for line in question_lines(UserQuestion(question="Which\x07?", choices=CHOICES))]
    assert not any(character in "".join(lines) for character in "\x1b\x07")
