"""Whether what a text says of a number agrees with what is known of a figure."""

from __future__ import annotations

import re

from dexter.figures.bound import Bound
from dexter.figures.periods import Period
from dexter.figures.vocabulary import alike

_WORD = re.compile(r"[a-z]{2,}|[\u4e00-\u9fff]")
# Words that every label may have.
_NO_LABEL = frozenset(
    {
        "the",
        "of",
        "and",
        "in",
        "for",
        "to",
        "was",
        "were",
        "is",
        "are",
        "at",
        "from",
        "with",
        "by",
        "on",
        "its",
        "their",
    }
    | {"it", "that", "than", "up", "down", "usd", "million", "billion", "fy", "year", "quarter", "months", "ended"}
    | {"their", "period", "total"}
)


def is_of_concept(bound: Bound, concept: str, label: str) -> bool:
    """Whether a number may be of that figure: by its name, or where it has none by the words of its label."""
    if concept and bound.concepts:
        return any(concept in alike(said) or said in alike(concept) for said in bound.concepts)
    wanted = label_words(label)
    return bool(wanted) and len(wanted & label_words(f"{bound.label} {bound.before} {bound.after}")) * 2 >= len(wanted)


def is_of_period(said: Period, known: Period) -> bool:
    """Whether a period that is said may be that one: nothing that both tell differs."""
    if said.relation or known.relation:
        return True
    if said.end and known.end and not known.end.startswith(said.end):
        return False
    if said.year is not None and known.year is not None and said.year != known.year:
        return False
    if said.end and known.end and not known.name:
        return True
    return _names_agree(said, known)


def _names_agree(said: Period, known: Period) -> bool:
    if not said.name or not known.name:
        # A year alone is the fiscal year, or a day in it.
        return not (said.year is not None and not said.name and known.name not in ("", "FY"))
    if "Q" in (said.name, known.name):
        return said.name[:1] == known.name[:1] == "Q"
    return said.name == known.name


def label_words(text: str) -> frozenset[str]:
    """The words of a label that tell it from others."""
    return frozenset(_WORD.findall(text.lower())) - _NO_LABEL
