"""Rubrics as they are found: JSON, or Python literals, which JSON readers refuse."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

from dexter.evals.questions import Criterion, Operator

_LONGEST = 200_000  # a literal's parser has no bound of its own


def parse_rubric(given: object) -> tuple[Criterion, ...]:
    """The criteria of a rubric: a list of objects or sentences, as values or as text.

    Raises:
        ValueError: it is neither JSON nor a Python literal, or holds what is no criterion.
    """
    value = _value(given) if isinstance(given, str) else given
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list | tuple):
        raise ValueError("a rubric is a list of criteria")  # noqa: TRY004 - one error for all that is wrong with a rubric
    if not value:
        raise ValueError("a rubric without criteria")
    return tuple(map(_criterion, value))


def _value(text: str) -> Any:
    if len(text) > _LONGEST:
        raise ValueError(f"the rubric has {len(text):,} characters; {_LONGEST:,} at most are read")
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError) as error:
        raise ValueError("the rubric is neither JSON nor a Python literal") from error


def _criterion(given: object) -> Criterion:
    if isinstance(given, str):
        given = {"criteria": given}
    if not isinstance(given, Mapping):
        raise ValueError("a criterion is an object or a sentence")  # noqa: TRY004 - see parse_rubric
    text = given.get("criteria", given.get("criterion", given.get("text", "")))
    operator, dealbreaker = given.get("operator", "correctness"), given.get("dealbreaker", False)
    if isinstance(operator, str):
        operator = operator.strip().lower()
    if not isinstance(text, str) or not text.strip():
        raise ValueError("a criterion has no text under `criteria`")
    if operator not in get_args(Operator):
        raise ValueError(f"the operator {operator!r} is none of {', '.join(get_args(Operator))}")
    return Criterion(operator, text.strip(), _weight(given.get("weight", 1)), _flag(dealbreaker))


def _flag(given: object) -> bool:
    """A truth value, written as one or as a word."""
    flag = {"true": True, "false": False}.get(str(given).lower())
    if flag is None:
        raise ValueError(f"the dealbreaker {given!r} is neither true nor false")
    return flag


def _weight(given: object) -> Decimal:
    try:
        weight = Decimal(str(given))
    except InvalidOperation:
        weight = Decimal(0)
    if not weight.is_finite() or weight <= 0:
        raise ValueError(f"the weight {given!r} is no number above zero")
    return weight
