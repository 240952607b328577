"""A question of the model's as lines, and what a typed answer to it means. Pure: nothing is asked here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dexter.tools.ask_user_question import Reply, UserQuestion
from dexter.ui.cards import Line
from dexter.ui.literal import literal_line

_NUMBERS = re.compile(r"\d+(?:[\s,]+\d+)*")


def question_lines(question: UserQuestion) -> Iterator[Line]:
    """The question and its choices by number, all in full."""
    yield Line(literal_line(question.question), "warn", "?")
    for number, choice in enumerate(question.choices, 1):
        about = f": {literal_line(choice.description)}" if choice.description else ""
        yield Line(f"  {number} {literal_line(choice.label)}{about}", "info")


def how_to_answer(question: UserQuestion) -> Line:
    """What a typed line may say."""
    numbers = "numbers (1, 2)" if question.several else "a number"
    return Line(f"  {numbers}, or another answer in your own words; nothing: no answer", "quiet")


def reply_of(answer: str, question: UserQuestion) -> Reply:
    """What a typed line means: choices by number or by label, else the user's own words."""
    typed = answer.strip()
    labels = [choice.label for choice in question.choices]
    if typed.lower() in [label.lower() for label in labels]:
        return Reply((next(label for label in labels if label.lower() == typed.lower()),))
    numbers = [int(number) for number in re.findall(r"\d+", typed)] if _NUMBERS.fullmatch(typed) else []
    fit = all(1 <= number <= len(labels) for number in numbers) and (question.several or len(numbers) == 1)
    if numbers and fit:
        return Reply(tuple(labels[number - 1] for number in dict.fromkeys(numbers)))
    return Reply(other=typed)
