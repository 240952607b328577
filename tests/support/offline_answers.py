"""Answers of the rule-based model with the results they rest on, each from a run of its own."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dexter.app.ask import ask
from dexter.figures.bind import bind, reader_of
from dexter.figures.bound import Bound
from dexter.figures.claims import claim_of
from dexter.figures.compare import says
from dexter.results import StoredResult
from dexter.scratchpad.recall import ResultIndex, result_spans
from tests.support.prose_answers import Marked, Turn, period_names
from tests.support.seeded_errors import RightAnswer
from tests.support.setups import make_setup

QUESTIONS = (
    "compare NVDA vs AMD",
    "How did Apple's gross margin change from FY2023 to FY2025?",
    "What was Nvidia's quarterly revenue over the last six quarters?",
    "Which of Amazon, Meta and Alphabet spent most on capex in 2025?",
    "What is Microsoft's free cash flow?",
    "Did Intel make money in FY2024?",
    "What is Nvidia's revenue CAGR from FY2022 to FY2026?",
    "Apple balance sheet",
    "Compare the operating margins of Walmart and Amazon",
    "AMD R&D as a percentage of revenue",
    "Tesla net income growth",
    "How is Broadcom's operating cash flow trending?",
    "What is Alphabet's P/E?",
    "英伟达最近一个财年的净利润是多少？",
    "比较苹果和微软的营业收入",
    "Meta EPS in FY2024 and FY2025",
    "How did Nvidia's net margin develop over five years?",
    "JPMorgan net income in 2025 versus 2024",
)


@dataclass(frozen=True)
class OfflineAnswer:
    """A question, its answer, and the results of its run."""

    question: str
    text: str
    results: Sequence[StoredResult]


def offline_answer(question: str, folder: Path) -> OfflineAnswer:
    """Ask the rule-based model in a new setup below `folder`."""
    answer = asyncio.run(ask(question, make_setup(folder)))
    path = Path(answer.path)
    index = ResultIndex(path)
    for number, span in result_spans(path):
        index.add(number, span)
    return OfflineAnswer(question, answer.text, tuple(index.read_after(0)))


# Words of the rule-based model that turn a comparison round.
_OPPOSITES = (
    ("higher at", "lower at"),
    ("lower at", "higher at"),
    ("highest first", "lowest first"),
    ("lowest first", "highest first"),
    ("Highest:", "Lowest:"),
    ("高于", "低于"),
)


# Words of prose that do, right before a figure.
PROSE_OPPOSITES = (
    *(
        pair
        for one, other in (
            ("rose", "fell"),
            ("up", "down"),
            ("grew", "shrank"),
            ("above", "below"),
            ("climbed", "dropped"),
            ("increased", "decreased"),
            ("more than", "less than"),
        )
        for pair in ((one, other), (other, one))
    ),
    ("slipped", "climbed"),
    ("jumped", "plunged"),
    ("declined", "increased"),
)
BEFORE_A_FIGURE = r"\b(?=[^.;\n]{0,20}\d)"


def as_right(answer: OfflineAnswer, opposites: Sequence[tuple[str, str]] = _OPPOSITES, before: str = "") -> RightAnswer:
    """An answer with its figures marked: those of cells by the cell, others by what they claim.

    `opposites` are the words that turn a comparison round, `before` the pattern that follows them.
    """
    bounds = bind(answer.text, reader_of(answer.results))
    figures = tuple(Marked(b.number.start, b.number.end, _truth(b, answer.results)) for b in bounds)
    turns = tuple(
        Turn(match.start(), match.end(), wrong)
        for right, wrong in opposites
        for match in re.finditer(rf"(?<!\w){re.escape(right)}{before}", answer.text)
    )
    return RightAnswer(answer.text, figures, turns, answer.results)


def _truth(bound: Bound, results: Sequence[StoredResult]) -> str:
    is_trailing = any(period.name == "TTM" for period in bound.periods)
    for cell in (cell for result in results for cell in result.cells):
        is_of_it = cell.ticker in bound.companies[:1] and cell.concept in bound.concepts
        if is_of_it and (cell.fiscal_period == "TTM") == is_trailing and says(bound.number, cell.number):
            return f"{cell.ticker} {cell.concept} {next(period_names(cell))}"
    kinds = {"growth": "growth", "cagr": "growth", "times": "ratio", "change": "diff"}
    return f"value {kinds.get(claim_of(bound).sort, 'text')} {bound.number.value}"
