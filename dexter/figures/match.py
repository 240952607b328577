"""Whether what a text says of a number agrees with what is known of a figure."""

from __future__ import annotations

from datetime import date, timedelta

from dexter.figures.bound import Bound
from dexter.figures.labels import label_words
from dexter.figures.periods import Period
from dexter.figures.vocabulary import alike

# How far behind a number words still belong to it.
_NEAR = 40
_MONTH = len("2026-04")
_FIRST_DAYS = 8
# Periods that end when the fiscal year does.
_YEAR_ENDS = frozenset({"FY", "Q4", "TTM"})


def is_of_concept(bound: Bound, concept: str, label: str) -> bool:
    """Whether a number may be of that figure: by its name, or where it has none by the words of its label."""
    if concept and bound.concepts:
        return any(concept in alike(said) or said in alike(concept) for said in bound.concepts)
    wanted = label_words(label)
    return bool(wanted) and len(wanted & label_words(f"{bound.label} {bound.before} {bound.after}")) * 2 >= len(wanted)


def is_of_period(said: Period, known: Period, *, months: int | None = None) -> bool:
    """Whether a period that is said may be that one: nothing that both tell differs.

    `months`: the length of the known one, where it is known; 0 for a day, on which a year ends as its last quarter
    does.
    """
    if said.relation or known.relation:
        return True
    if said.end and known.end and not _ends_agree(said.end, known.end):
        return False
    if said.end and known.end and {said.name, known.name} <= {"FY", "TTM"}:
        return True
    if said.year is not None and known.year is not None and said.year != known.year:
        return False
    return _names_agree(said, known, is_a_day=months == 0)


def _ends_agree(said: str, known: str) -> bool:
    """Whether a day is one that is said; a quarter of a month may end in the first days of the next."""
    if not said.startswith("--") and len(said) != _MONTH:
        return known.startswith(said)
    days = (known, _earlier(known, _FIRST_DAYS))
    return any(day.startswith(said) or day[4:7] == said[1:] for day in days)


def _earlier(day: str, by: int) -> str:
    try:
        return (date.fromisoformat(day) - timedelta(days=by)).isoformat()
    except ValueError:
        return day


def _names_agree(said: Period, known: Period, *, is_a_day: bool) -> bool:
    if said.end and known.end and (is_a_day or not said.name or not known.name):
        return True
    if is_a_day and said.name in ("", "FY") and said.year is not None and known.name in _YEAR_ENDS:
        return True
    if not said.name or not known.name:
        # A year alone is the fiscal year, or a day in it.
        return said.year is None or bool(said.name) or known.name in ("", "FY")
    if is_a_day and {said.name, known.name} <= _YEAR_ENDS:
        return True
    if "Q" in (said.name, known.name):
        return said.name[:1] == known.name[:1] == "Q"
    return said.name == known.name


def agree_on_words(bound: Bound, other: Bound) -> bool:
    """Whether two texts call a figure alike: by its name with the same words before it, else by most of its words."""
    if any(concept in alike(name) for concept in bound.concepts for name in other.concepts):
        return bound.own <= label_words(other.said) and other.own <= label_words(bound.said)
    words = label_words(bound.label) or label_words(bound.after[:_NEAR])
    return bool(words) and len(words & label_words(other.said)) * 2 >= len(words)
