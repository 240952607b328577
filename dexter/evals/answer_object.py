"""Reading an answer that is an object: every part is of its kind, and nothing is passed over in silence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from dexter.evals.numeric import is_period
from dexter.evals.questions import Figure, FigureKind, Subject

_UNITS: Mapping[str, FigureKind] = {"shares": "shares", "percent": "percent", "points": "points", "times": "times"}
_SUBJECT = ("ticker", "period", "period_end", "concept")
_FIGURE = ("value", "unit", "tolerance", *_SUBJECT)
_ANSWER = ("figures", "order", "names", "unanswerable", "subjects", "text")


def texts(given: object, name: str) -> tuple[str, ...]:
    """A list of texts.

    Raises:
        ValueError: it is none.
    """
    if not isinstance(given, list | tuple) or not all(isinstance(item, str) for item in given):
        raise ValueError(f"{name} is no list of texts")
    return tuple(given)


def _objects(given: object, name: str, known: Collection[str]) -> Iterator[Mapping[str, Any]]:
    """The objects of a list, none of which has a key that nobody reads: it may be a known one misspelt."""
    if not isinstance(given, list | tuple) or not all(isinstance(item, Mapping) for item in given):
        raise ValueError(f"{name} is no list of objects")
    for item in given:
        _check_keys(item, f"an object of {name}", known)
        yield item


def _check_keys(given: Mapping[str, Any], where: str, known: Collection[str]) -> None:
    unknown = next((key for key in given if key not in known), None)
    if unknown is not None:
        raise ValueError(f"{where} has {unknown!r}, which is none of {', '.join(known)}")


def read_answer(answer: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an answer that is an object, by their names in `Question`.

    Raises:
        ValueError, KeyError, ArithmeticError: it is not whole, or has what nobody reads.
    """
    _check_keys(answer, "the answer", _ANSWER)
    names, unanswerable = answer.get("names", {}), answer.get("unanswerable", False)
    if not isinstance(names, Mapping):
        raise ValueError("names is no object")  # noqa: TRY004 - one error for all that is wrong
    if not isinstance(unanswerable, bool):
        raise ValueError("unanswerable is neither true nor false")  # noqa: TRY004 - see above
    parts: dict[str, Any] = {
        "figures": tuple(map(_figure, _objects(answer.get("figures", ()), "figures", _FIGURE))),
        "order": texts(answer.get("order", ()), "order"),
        "names": {str(name): texts(also, f"names of {name}") for name, also in names.items()},
        "unanswerable": unanswerable,
        "subjects": tuple(map(_subject, _objects(answer.get("subjects", ()), "subjects", _SUBJECT))),
        "text": str(answer.get("text", "")),
    }
    if not any(parts[name] for name in ("figures", "order", "unanswerable", "text")):
        raise ValueError("the answer says nothing: figures, order, unanswerable or text")
    return parts


def _subject(given: Mapping[str, Any]) -> Subject:
    return Subject(**{"ticker": "", **_what_of(given)})


def _what_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """What a figure or subject is of; a period has to be one, or it would count for nothing."""
    found = {name: str(given[name]) for name in _SUBJECT if given.get(name)}
    if not is_period(found.get("period", "")):
        raise ValueError(f"the period {found['period']!r} is not written like FY2025, Q3 FY2025 or TTM")
    if found.get("period_end"):
        found["period_end"] = day_of(found["period_end"])
    return found


def _figure(given: Mapping[str, Any]) -> Figure:
    value, tolerance = Decimal(str(given["value"])), Decimal(str(given.get("tolerance", 0)))
    if not value.is_finite():
        raise ValueError("a figure's value is no number")
    if not 0 <= tolerance < 1:
        raise ValueError("a figure's tolerance is no share from 0 to 1")
    kind, currency = _unit(str(given.get("unit", "")))
    return Figure(value, kind, currency, tolerance=tolerance, **_what_of(given))


def _unit(unit: str) -> tuple[FigureKind, str]:
    """`USD`, `USD/shares`, `shares`, `percent`, `points`, `times`, or nothing."""
    if unit in _UNITS:
        return _UNITS[unit], ""
    currency, slash, per = unit.partition("/")
    if per not in ("", "shares") or not re.fullmatch(r"[A-Z]{3}|", currency) or (slash and not currency):
        raise ValueError(f"the unit {unit!r} is none of a currency, a currency/shares, {', '.join(_UNITS)}")
    return ("per_share" if per else "money" if currency else "plain"), currency


def day_of(given: object) -> str:
    """A day as an ISO text; '' for none.

    Raises:
        ValueError: it is no day.
    """
    if not given:
        return ""
    try:
        return date.fromisoformat(str(given)).isoformat()
    except ValueError:
        raise ValueError(f"the day {given!r} is not written like 2026-01-31") from None
