"""Reading a question set: CSV with a heading, or JSON lines.

A column or key is known by its name without case, spaces and signs: `Question`, `Answer`, `Rubric`, `Question Type` (or
`type`), `as_of`, `id`. What else there is is passed over. The keys of JSON lines are in docs/evaluation.md.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from decimal import InvalidOperation
from pathlib import Path
from typing import Any, get_args

from dexter.errors import UsageError
from dexter.evals.answer_object import day_of, read_answer, texts
from dexter.evals.questions import Figure, FigureKind, Question, QuestionSet
from dexter.evals.rubric import parse_rubric
from dexter.figures.find import find_in_cell
from dexter.figures.numbers import Number

SETS = Path(__file__).parent / "sets"
_SHOWN = 80
_CSV_FIELD_LIMIT = 10_000_000


def find_set(name: str) -> Path:
    """The file that a name means: a path, or the name of a set that comes with Dexter.

    Raises:
        UsageError: there is none.
    """
    path = Path(name)
    shipped = SETS / f"{name}.jsonl"
    if path.is_file() or not re.fullmatch(r"[\w-]+", name) or not shipped.is_file():
        return path
    return shipped


def read_text(path: Path, remedy: str = "") -> str:
    """A file's text. `remedy`: what to do where it can't be read; '' for what holds of a question set.

    Raises:
        UsageError: it is not there, can't be read, or is no text.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not UTF-8 text.", remedy="Save it as UTF-8.") from None
    except OSError as error:
        raise UsageError(
            f"{path} can't be read: {error.strerror}.",
            remedy=remedy or f"Name a CSV or JSONL file, or a set that comes with Dexter: {', '.join(shipped_sets())}.",
        ) from error


def shipped_sets() -> list[str]:
    """The names of the sets that come with Dexter."""
    return sorted(path.stem for path in SETS.glob("*.jsonl"))


def read_questions(path: Path) -> QuestionSet:
    """Read a question set.

    Raises:
        UsageError: the file can't be read, or a question of it is not whole; it is named by its line.
    """
    text = read_text(path)
    records = list(read_records(path, text))
    if not records:
        raise UsageError(f"{path} holds no question.", remedy="A CSV file needs a heading with `question`.")
    _check_names(path, {name for _, record in records for name in record}, text.strip().partition("\n")[0])
    questions = tuple(_question(record, number, path) for number, record in records)
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise UsageError(f"{path} has two questions with the id {question.id!r}.", remedy="Give each its own.")
        if re.fullmatch(r".*#\d+", question.id):
            told = f"{path} has a question with the id {question.id!r}: `#` and a number are for samples."
            raise UsageError(told, remedy="Give it another.")
        seen.add(question.id)
    return QuestionSet(path.stem, hashlib.sha256(text.encode()).hexdigest(), questions)


def _check_names(path: Path, names: set[str], first_line: str) -> None:
    """Raises UsageError where no column or key is the question, or none says what is right."""
    begins = f"its first line is “{first_line.strip()[:_SHOWN]}”"
    if "question" not in names:
        remedy = "Name the column or key of the questions so; a CSV file has commas between its columns."
        raise UsageError(f"{path} has no `question`; {begins}.", remedy=remedy)
    if not names & {"answer", "rubric"}:
        raise UsageError(
            f"{path} has neither `answer` nor `rubric`; {begins}.",
            remedy="Name the right answer so, or use `dexter batch`, which scores nothing.",
        )


def read_records(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows of a CSV file or the objects of JSON lines, each with its line number; names in plain lower case.

    Raises:
        UsageError: a line is no JSON object, or the CSV is broken.
    """
    rows = _csv_rows(path, text) if path.suffix.lower() == ".csv" else _json_rows(path, text)
    for number, row in rows:
        yield number, {re.sub(r"[^a-z0-9]", "", str(name).lower()): value for name, value in row.items()}


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    csv.field_size_limit(_CSV_FIELD_LIMIT)
    table = text.lstrip("\r\n")
    before = text[: len(text) - len(table)].count("\n")
    reader = csv.DictReader(io.StringIO(table, newline=""), strict=True)
    try:
        for row in reader:
            yield before + reader.line_num, {name: value for name, value in row.items() if name is not None}
    except csv.Error as error:
        raise UsageError(f"{path}, line {reader.line_num}: broken CSV ({error}).", remedy="Mend the quotes.") from error


def _json_rows(path: Path, text: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise UsageError(f"{path}, line {number}: not a JSON object.", remedy="Write one object a line.")
        yield number, value


def _question(record: Mapping[str, Any], number: int, path: Path) -> Question:
    try:
        return _read_question(record, number)
    except (ValueError, TypeError, KeyError, InvalidOperation) as error:
        raise UsageError(f"{path}, line {number}: {_reason(error)}.", remedy="Mend the question.") from error


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error.args[0]} is missing"
    return "a number can't be read" if isinstance(error, InvalidOperation) else str(error)


def _read_question(record: Mapping[str, Any], number: int) -> Question:
    question = str(record.get("question") or "").strip()
    if not question:
        raise ValueError("there is no question")
    answer = record.get("answer")
    if isinstance(answer, bool | list):
        raise ValueError("the answer is no text, number or object")  # noqa: TRY004 - one error for all that is wrong
    rubric = record.get("rubric")
    common: dict[str, Any] = {
        "id": str(record.get("id") or f"line-{number}"),
        "question": question,
        "type": str(record.get("type") or record.get("questiontype") or ""),
        "rubric": parse_rubric(rubric) if rubric else (),
        "as_of": day_of(record.get("asof")),
        "accessions": _accessions(record.get("accessions")),
    }
    if isinstance(answer, Mapping):
        return Question(**common, **read_answer(answer))
    text = "" if answer is None else str(answer).strip()
    if not text and not rubric:
        raise ValueError("there is neither an answer nor a rubric")
    number_alone = figure_of_text(text)
    return Question(**common, text=text, figures=(number_alone,) if number_alone else ())


def _accessions(given: object) -> tuple[str, ...]:
    """A list, or one text with all of them."""
    if isinstance(given, str):
        return tuple(filter(None, re.split(r"[\s,;]+", given)))
    return texts(given or (), "accessions")


def figure_of_text(text: str) -> Figure | None:
    """The figure that a text is; None where it says more than one number, or words."""
    found = find_in_cell(text)
    if len(found) != 1 or text.strip().strip(".") != found[0].text.strip():
        return None
    return figure_of_number(found[0])


def figure_of_number(number: Number) -> Figure:
    """A number of a text as what an answer should state, as exactly as it is given."""
    if number.unit not in get_args(FigureKind):
        raise ValueError(f"a number in {number.unit} is no figure")
    return Figure(number.value, number.unit, number.currency, step=number.step)
