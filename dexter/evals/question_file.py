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
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, get_args

from dexter.errors import UsageError
from dexter.evals.questions import Figure, FigureKind, Question, QuestionSet, Subject
from dexter.evals.rubric import parse_rubric
from dexter.figures.find import find_in_cell
from dexter.figures.numbers import Number

SETS = Path(__file__).parent / "sets"
_UNITS: Mapping[str, FigureKind] = {"shares": "shares", "percent": "percent", "points": "points", "times": "times"}
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


def read_text(path: Path) -> str:
    """A file's text.

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
            remedy=f"Name a CSV or JSONL file, or a set that comes with Dexter: {', '.join(shipped_sets())}.",
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
    questions = tuple(_question(record, number, path) for number, record in read_records(path, text))
    if not questions:
        raise UsageError(f"{path} holds no question.", remedy="A CSV file needs a heading with `question`.")
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise UsageError(f"{path} has two questions with the id {question.id!r}.", remedy="Give each its own.")
        seen.add(question.id)
    return QuestionSet(path.stem, hashlib.sha256(text.encode()).hexdigest(), questions)


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
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, {name: value for name, value in row.items() if name is not None}
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
    rubric = record.get("rubric")
    common: dict[str, Any] = {
        "id": str(record.get("id") or f"line-{number}"),
        "question": question,
        "type": str(record.get("type") or record.get("questiontype") or ""),
        "rubric": parse_rubric(rubric) if rubric else (),
        "as_of": _day(record.get("asof")),
        "accessions": tuple(map(str, record.get("accessions") or ())),
    }
    if isinstance(answer, Mapping):
        return Question(**common, **_structured(answer))
    text = "" if answer is None else str(answer).strip()
    if not text and not rubric:
        raise ValueError("there is neither an answer nor a rubric")
    number_alone = figure_of_text(text)
    return Question(**common, text=text, figures=(number_alone,) if number_alone else ())


def _day(given: object) -> str:
    return date.fromisoformat(str(given)).isoformat() if given else ""


def _structured(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an answer that is an object."""
    parts: dict[str, Any] = {
        "figures": tuple(map(_figure, answer.get("figures", ()))),
        "order": tuple(map(str, answer.get("order", ()))),
        "names": {str(name): tuple(map(str, also)) for name, also in answer.get("names", {}).items()},
        "unanswerable": bool(answer.get("unanswerable", False)),
        "subjects": tuple(Subject(**subject) for subject in answer.get("subjects", ())),
        "text": str(answer.get("text", "")),
    }
    if not any(parts[name] for name in ("figures", "order", "unanswerable", "text")):
        raise ValueError("the answer says nothing: figures, order, unanswerable or text")
    return parts


def _figure(given: Mapping[str, Any]) -> Figure:
    value = Decimal(str(given["value"]))
    if not value.is_finite():
        raise ValueError("a figure's value is no number")
    kind, currency = _unit(str(given.get("unit", "")))
    return Figure(
        value,
        kind,
        currency,
        tolerance=Decimal(str(given.get("tolerance", 0))),
        ticker=str(given.get("ticker", "")),
        period=str(given.get("period", "")),
        period_end=str(given.get("period_end", "")),
        concept=str(given.get("concept", "")),
    )


def _unit(unit: str) -> tuple[FigureKind, str]:
    """`USD`, `USD/shares`, `shares`, `percent`, `points`, `times`, or nothing."""
    if unit in _UNITS:
        return _UNITS[unit], ""
    currency, slash, per = unit.partition("/")
    if per not in ("", "shares") or not re.fullmatch(r"[A-Z]{3}|", currency) or (slash and not currency):
        raise ValueError(f"the unit {unit!r} is none of a currency, a currency/shares, {', '.join(_UNITS)}")
    return ("per_share" if per else "money" if currency else "plain"), currency


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
