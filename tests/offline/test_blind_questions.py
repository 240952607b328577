"""Questions written without sight of the rule-based model, put to the whole program and judged by cell value."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path

import pytest

import dexter.offline
from dexter.app.ask import ask
from dexter.errors import DexterError
from tests.offline.blind.make_expected import Question, Sample, main, read_questions
from tests.support.blind_judge import problems
from tests.support.setups import make_setup

_AT_ONCE = 8
_RIGHT_AT_LEAST = 0.95
_FEWEST_WORDS = 3

QUESTIONS = read_questions()
Answers = dict[str, str]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """The answer to every question, each asked as the first of a new user."""
    return asyncio.run(_ask_all([question["question"] for question in QUESTIONS], tmp_path_factory.mktemp("blind")))


async def _ask_all(questions: list[str], folder: Path) -> Answers:
    turnstile = asyncio.Semaphore(_AT_ONCE)

    async def one(number: int, question: str) -> str:
        async with turnstile:
            try:
                return (await ask(question, make_setup(folder / str(number)))).text
            except DexterError as error:
                return f"{type(error).__name__}: {error}"

    texts = await asyncio.gather(*(one(number, question) for number, question in enumerate(questions)))
    return dict(zip(questions, texts, strict=True))


def _failures(questions: list[Question], answers: Answers) -> dict[str, list[str]]:
    """Each wrong answer as a line, by kind of question."""
    filed = [(key[0], value) for key, value in Sample().filed.items()]
    found: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        wrong = problems(question, answers[question["question"]], filed)
        if wrong:
            found[question["kind"]].append(f"{question['question']} — {'; '.join(wrong)}")
    return found


def _report(failures: dict[str, list[str]], asked: int) -> str:
    wrong = sum(map(len, failures.values()))
    lines = [f"{kind}\n" + "".join(f"    {line}\n" for line in failures[kind]) for kind in sorted(failures)]
    return f"{asked - wrong} of {asked} right ({(asked - wrong) / asked:.1%})\n" + "".join(lines)


def test_at_least_95_percent_of_the_answers_are_right(answers: Answers):
    """Every expected figure is shown by its company and period, and what can't be answered is declined."""
    failures = _failures(QUESTIONS, answers)
    report = _report(failures, len(QUESTIONS))
    print(report)  # noqa: T201 (the score is worth reading when the test passes, too: -rP)
    assert sum(map(len, failures.values())) <= (1 - _RIGHT_AT_LEAST) * len(QUESTIONS), report


def test_no_question_stands_in_the_planner():
    """The rule-based model holds no text of a question: it answers what it was not written for."""
    package = Path(dexter.offline.__file__).parent
    sources = [path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    source = " ".join(" ".join(path.read_text(encoding="utf-8").lower().split()) for path in sources)
    phrases = [text for question in QUESTIONS if _is_phrase(text := question["question"])]
    assert len(phrases) > 200
    assert [phrase for phrase in phrases if " ".join(phrase.lower().split()) in source] == []


def _is_phrase(text: str) -> bool:
    return len(text.split()) >= _FEWEST_WORDS or not text.isascii()


def test_expected_values_are_those_of_the_sample():
    """The file of questions holds what the CSV files give, to the digit."""
    assert main(["--check"]) == 0


def test_there_are_enough_questions_of_each_sort():
    """At least 170, a fifth of them not answerable, ten in Chinese, and no two alike."""
    assert len({question["question"].casefold() for question in QUESTIONS}) == len(QUESTIONS) >= 170
    assert sum(not question["answerable"] for question in QUESTIONS) >= 35
    assert sum(question["lang"] == "zh" for question in QUESTIONS) >= 10
