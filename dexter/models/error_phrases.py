"""How phrases are looked for: lists of them between bars or on lines of their own, and two that stand close together.

A phrase begins at a word's start and covers its endings ("exceed": exceeds, exceeded); a space in it also stands for a
hyphen or nothing. Chinese stands directly beside Latin letters, so that words end where Latin letters do.
What is searched is a sentence as `error_text.speak` gives it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

Test = Callable[[str], bool]


def said(phrases: str) -> Test:
    """Whether one of the phrases is there."""
    return lambda sentence: bool(_compiled(phrases).search(sentence))


def near(first: str, second: str, gap: int = 40) -> Test:
    """Whether a phrase of each list is there, at most `gap` characters apart, in either order."""

    def test(sentence: str) -> bool:
        ones = _spans(first, sentence)
        others = _spans(second, sentence) if ones else []
        return any(0 <= max(start - b, a - end) <= gap for a, b in ones for start, end in others)

    return test


def _spans(phrases: str, sentence: str) -> list[tuple[int, int]]:
    return [found.span() for found in _compiled(phrases).finditer(sentence)]


@cache  # compiled when first needed, not at import: the lists are long
def _compiled(phrases: str) -> re.Pattern[str]:
    each = [phrase.strip() for phrase in re.split(r" \| |\n", phrases) if phrase.strip()]
    starts = [f"(?<![a-z0-9])(?:{p})" if p[0].isascii() and p[0] not in ">/" else f"(?:{p})" for p in each]
    return re.compile("|".join(starts).replace(r"\b", "(?![a-z0-9])").replace(" ", "[ -]?"))
