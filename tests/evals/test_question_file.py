from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from dexter.errors import UsageError
from dexter.evals.question_file import read_questions
from dexter.evals.rubric import parse_rubric
from tests.support.shared import shared

RUBRIC = [
    {"operator": "correctness", "criteria": "Revenue of $1 billion", "weight": 2},
    {"operator": "contradiction", "criteria": "It's up"},
]


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("text", [json.dumps(RUBRIC), repr(RUBRIC), f"\n{RUBRIC!r}\n"])
def test_a_rubric_is_json_or_a_python_literal(text: str):
    """Both notations give the same criteria."""
    first, second = parse_rubric(text)
    assert (first.operator, first.text, first.weight) == ("correctness", "Revenue of $1 billion", Decimal(2))
    assert (second.operator, second.text, second.dealbreaker) == ("contradiction", "It's up", False)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "[{'criteria': open('x')}]",
        "[{'operator': 'guess', 'criteria': 'x'}]",
        "7",
        "[{}]",
    ],
)
def test_what_is_no_rubric_is_refused_and_never_run(text: str):
    """Literals only: nothing in a rubric is executed."""
    with pytest.raises(ValueError, match=r"rubric|operator|criteri"):
        parse_rubric(text)


def test_the_public_set_is_read_whole():
    """The 50 public questions have their nine types and 250 checks."""
    found = read_questions(shared("data/evals/vals_finance_agent_public.csv")).questions
    assert len(found) == 50
    assert len({question.type for question in found}) == 9
    operators = Counter(criterion.operator for question in found for criterion in question.rubric)
    assert operators == {"correctness": 200, "contradiction": 50}


def test_the_same_set_with_python_literals_gives_the_same(tmp_path: Path):
    """A copy whose rubrics are Python literals reads like the one whose rubrics are JSON."""
    import csv

    source = shared("data/evals/vals_finance_agent_public.csv")
    with source.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    copy = tmp_path / "copy.csv"
    with copy.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows({**row, "Rubric": repr(json.loads(row["Rubric"]))} for row in rows)
    assert read_questions(copy).questions == read_questions(source).questions


def test_an_answer_that_is_one_number_is_a_figure(tmp_path: Path):
    """`44.1%` is graded as a number with its unit; a sentence is not."""
    path = write(tmp_path / "q.csv", "question,answer\nmargin?,44.1%\nrevenue?,$1.5 billion\nwhat?,It grew 5%\n")
    margin, revenue, what = read_questions(path).questions
    assert (margin.grader, margin.figures[0].value, margin.figures[0].kind) == ("figures", Decimal("0.441"), "percent")
    assert (revenue.figures[0].value, revenue.figures[0].currency) == (Decimal(1_500_000_000), "USD")
    assert (what.grader, what.figures) == ("text", ())


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("q.csv", "question,answer\n,1\n", "line 2: there is no question"),
        ("q.csv", "question,answer\nwhat?,\n", "neither an answer nor a rubric"),
        ("q.csv", 'question,answer\n"what?,1\n', "broken CSV"),
        ("q.csv", "", "holds no question"),
        ("q.jsonl", '{"question": "a", "answer": 1}\n[1]\n', "line 2: not a JSON object"),
        ("q.jsonl", '{"question": "a", "answer": 1}\n{"question": "b", "answer"', "line 2: not a JSON object"),
        ("q.jsonl", '{"question": "a", "answer": {"figures": [{"value": "x"}]}}', "a number can't be read"),
        ("q.jsonl", '{"question": "a", "answer": {"figures": [{"value": 1, "unit": "stones"}]}}', "the unit 'stones'"),
        ("q.jsonl", '{"question": "a", "answer": {"figures": [{"unit": "USD"}]}}', "value is missing"),
        ("q.jsonl", '{"question": "a", "answer": {}}', "the answer says nothing"),
        ("q.jsonl", '{"question": "a", "answer": 1, "as_of": "soon"}', "line 1: the day 'soon'"),
        ("q.csv", "question;answer\nwhat?;1\n", "no `question`; its first line is “question;answer”"),
        ("q.csv", "a,b\n1,2\n", "no `question`; its first line is “a,b”"),
        ("q.jsonl", '{"question": "a", "expected": 1}', "neither `answer` nor `rubric`"),
        ("q.csv", "question,rubric\nwhat?,[]\n", "a rubric without criteria"),
        (
            "q.csv",
            "question,rubric\nwhat?,\"[{'criteria': 'a', 'dealbreaker': 'maybe'}]\"\n",
            "the dealbreaker 'maybe'",
        ),
        ("q.csv", "question,answer,id\nwhat?,1,a#2\n", "`#` and a number are for samples"),
        ("q.jsonl", '{"question": "a", "answer": ["b"]}', "no text, number or object"),
        ("q.jsonl", '{"question": "a", "answer": {"order": "NVDA"}}', "order is no list of texts"),
        ("q.jsonl", '{"question": "a", "answer": {"order": ["A"], "names": {"A": "B"}}}', "names of A is no list"),
        ("q.jsonl", '{"question": "a", "answer": {"unanswerable": "no"}}', "neither true nor false"),
        ("q.jsonl", '{"question": "a", "answer": {"figure": [{"value": 1}]}}', "the answer has 'figure'"),
        ("q.jsonl", '{"question": "a", "answer": {"figures": {"value": 1}}}', "figures is no list of objects"),
        ("q.jsonl", '{"question": "a", "answer": {"figures": [{"value": 1, "period": "2025"}]}}', "the period '2025'"),
        ("q.jsonl", '{"question": "a", "answer": {"figures": [{"value": 1, "period_end": "May"}]}}', "the day 'May'"),
        ("q.jsonl", '{"question": "a", "answer": {"figures": [{"value": 1, "tolerance": -1}]}}', "tolerance"),
        (
            "q.jsonl",
            '{"question": "a", "answer": {"unanswerable": true, "subjects": [{"tick": "A"}]}}',
            "an object of subjects has 'tick'",
        ),
        (
            "q.jsonl",
            '{"id": 1, "question": "a", "answer": 1}\n{"id": 1, "question": "b", "answer": 1}',
            "two questions",
        ),
    ],
)
def test_a_broken_set_is_named_by_file_and_line(tmp_path: Path, name: str, text: str, said: str):
    """Whatever is wrong with a set is said with its place, and how to mend it."""
    with pytest.raises(UsageError) as error:
        read_questions(write(tmp_path / name, text))
    assert said in error.value.message
    assert error.value.remedy


def test_a_csv_file_may_name_filings_and_begin_with_empty_lines(tmp_path: Path):
    """Several accession numbers stand in one cell; lines are counted as an editor counts them."""
    cell = '"0001045810-26-000021, 0001045810-25-000023"'
    (found,) = read_questions(write(tmp_path / "q.csv", f"\n\nquestion,answer,accessions\nwhat?,1,{cell}\n")).questions
    assert found.accessions == ("0001045810-26-000021", "0001045810-25-000023")
    assert found.id == "line-4"


def test_a_dealbreaker_may_be_written_as_a_word():
    """`False` as a text is no dealbreaker."""
    assert [
        parse_rubric([{"criteria": "a", "operator": "Correctness", "dealbreaker": flag}])[0].dealbreaker
        for flag in (True, "True", "false", False)
    ] == [True, True, False, False]


def test_a_file_that_is_not_there_or_is_no_text_is_said(tmp_path: Path):
    """The sets that come with Dexter are named."""
    with pytest.raises(UsageError, match="can't be read"):
        read_questions(tmp_path / "none.csv")
    (tmp_path / "b.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_questions(tmp_path / "b.csv")
