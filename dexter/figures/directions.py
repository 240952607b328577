"""Words that say which way something goes, whether it is a loss, and what a change is on."""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from dexter.figures.vocabulary import words_in

Direction = Literal[-1, 0, 1]
Base = Literal["", "year", "quarter"]

# What may stand between a word and the number it is said of.
HEDGES = (
    r"\s*(?:(?:about|around|roughly|approximately|some|nearly|almost|only|just|merely|barely|still|well|a little"
    r"|slightly|over|under|more than|less than|at least|close to|as much as|a|an|its|record|mere|full|了|约)\s+"
    r"|[了约])*\s*$"
)
FROM = re.compile(r"\bfrom" + HEDGES + r"|[从自由](?:\d{4}财?年的)?\s*$", re.IGNORECASE)
# Words by which a clause leaves the time that its text is about.
LOOKS_BACK = re.compile(
    r"\b(?:once|having been|had been|had|used to|formerly|previously|seasonally|earlier|before|ago|peak\w*"
    r"|at (?:its|the) (?:trough|start))\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\band\b|\bwhile\b|\bbut\b|[,;，；]", re.IGNORECASE)


def last_direction(text: str) -> Direction:
    """Which way the last word of direction in a text goes; 0 where there is none."""
    up = max((match.start() for match in claim_pattern("direction", "up").finditer(text)), default=-1)
    down = max((match.start() for match in claim_pattern("direction", "down").finditer(text)), default=-1)
    if up == down:
        return 0
    return 1 if up > down else -1


def last_direction_word(text: str) -> str:
    """The last word of direction in a text; '' where there is none."""
    found = [m for name in ("up", "down") for m in claim_pattern("direction", name).finditer(text)]
    return max(found, key=lambda match: match.start()).group() if found else ""


def is_loss(text: str) -> bool:
    """Whether a text speaks of a loss, so that an amount in it is below zero."""
    return bool(claim_pattern("loss", "words").search(text))


def base_of(text: str) -> Base:
    """Whether a text says that a change is on the year or on the quarter before."""
    if claim_pattern("base", "quarter").search(text):
        return "quarter"
    return "year" if claim_pattern("base", "year").search(text) else ""


def clause_before(text: str) -> str:
    """The words before a number back to where the thought began."""
    return _CLAUSE.split(text)[-1]


def clause_behind(text: str) -> str:
    """The words behind a number up to where the thought ends."""
    return _CLAUSE.split(text)[0]


@cache
def claim_pattern(part: str, name: str) -> re.Pattern[str]:
    """A pattern of `words/claims.toml`, or one made of its words."""
    either = f"{_words('direction', 'up')}|{_words('direction', 'down')}"
    built = {
        "after": rf"\s*(?:的\s*)?(?:{_words('direction', 'after')})",
        "noun_before": rf"(?:{_words('direction', 'nouns')})\s+of{HEDGES}",
        "right_before": rf"(?:{either})(?<![至到]){HEDGES}",
    }
    return re.compile(built.get(name) or _words(part, name), re.IGNORECASE)


@cache
def _words(part: str, name: str) -> str:
    words = words_in("dexter.figures.words", "claims")[part][name]
    return "|".join(rf"\b(?:{word})\b" if word.isascii() else word for word in words)
