"""The set that comes with Dexter: what it holds, that it can be made again, and how the offline model does on it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from dexter.evals.generate.__main__ import FILE, lines
from dexter.evals.generate.rows import Rows
from dexter.evals.question_file import find_set, read_questions
from tests.support.program import Home, make_home

TYPES = {
    "look-up": 36,
    "growth": 22,
    "margins": 22,
    "trailing twelve months": 14,
    "splits": 10,
    "fiscal years": 16,
    "comparisons": 18,
    "rankings": 14,
    "as of": 16,
    "not answerable": 22,
}


def test_making_it_again_gives_the_same_file():
    """The same rows and the same seed give the same bytes; what is shipped is what the templates make."""
    assert "".join(lines()) == FILE.read_text(encoding="utf-8")


def test_it_has_enough_questions_of_every_type_and_names_its_filings():
    """At least 150, each with figures, an order or the statement that there is none; every figure with its filing."""
    found = read_questions(find_set("sample")).questions
    assert Counter(question.type for question in found) == TYPES
    assert all(question.grader in ("figures", "order", "refusal") for question in found)
    assert all(question.accessions for question in found if question.grader != "refusal")


def test_looked_up_figures_are_the_samples_own():
    """Each figure of a look-up is a row of the sample, with its accession number."""
    rows = {(row.ticker, row.label, row.value, row.accession) for row in Rows.read().by_key.values()}
    for question in read_questions(FILE).questions:
        if question.type in ("look-up", "fiscal years"):
            (figure,) = question.figures
            assert (figure.ticker, figure.period, figure.value, question.accessions[0]) in rows


def test_the_generator_loads_nothing_of_planner_or_figures():
    """What writes the answers shares no code with what gives or grades them."""
    code = "import sys, dexter.evals.generate.__main__; print([m for m in sys.modules if m.startswith('dexter.')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not [name for name in ("offline", "figures", "data", "tools", "agent") if f"dexter.{name}" in loaded]


def evaluate(home: Home, *options: str) -> dict[str, object]:
    done = home.dexter("eval", "sample", "--offline", "--json", "--quiet", *options)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_the_offline_model_answers_a_part_of_it_right(tmp_path: Path):
    """Twenty questions drawn by a seed: a quick look at what the long form measures."""
    score = evaluate(make_home(tmp_path), "--limit", "20", "--seed", "7", "--min", "0.9")["score"]
    assert isinstance(score, dict)
    assert score["asked"] == 20


@pytest.mark.long
def test_the_offline_model_on_the_whole_set(tmp_path: Path):
    """All questions, with a minimum; the score by type is in docs/evaluation.md."""
    score = evaluate(make_home(tmp_path), "--min", "0.97")["score"]
    assert isinstance(score, dict)
    assert (score["asked"], score["ungraded"], score["failed"]) == (sum(TYPES.values()), 0, 0)
    assert Decimal(str(score["figures"].get("not_found", 0))) == 0
