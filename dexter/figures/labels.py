"""The words of a label that tell it from others."""

from __future__ import annotations

import re

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


def label_words(text: str) -> frozenset[str]:
    """The words of a label that tell it from others."""
    return frozenset(_WORD.findall(text.lower())) - _NO_LABEL
