"""What a short item says instead of its content: by reference, not required, reserved, none."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

ItemStatus = Literal[
    "text", "by_reference", "elsewhere", "none", "not_applicable", "not_required", "reserved", "empty", "missing"
]

_SHORT = 500  # characters below which an item is said to be short
_LONGEST_NOTICE = 6000  # a notice is no longer than this
_BY_REFERENCE = re.compile(
    r"incorporat\w*\s+(?:\w+\s+){0,3}by\s+(?:\w+\s+)?reference|by\s+reference\s+(?:to|from|herein|into)|hereby\s+incorporated",
    re.IGNORECASE,
)
_MOST = 0.5  # a notice is mostly that notice
_NOT_INCORPORATED = re.compile(r"\bnot\b.{0,120}incorporat|\bnor\b.{0,120}incorporat", re.IGNORECASE | re.DOTALL)
_SENTENCE_END = re.compile(r"(?<!\d\.)(?<!\d[A-Z]\.)(?:(?<=[.!?])|(?<=[.!?][”\"]))\s+(?=[A-Z“\"(])")
_RESERVED = re.compile(r"\W*(?:\(?removed\s+and\s+)?reserved\W*", re.IGNORECASE)
_NONE = re.compile(
    r"\A\W*(?:none\W*(?:\Z|[.;,])|nothing\s+to\s+report)|\bno\s+matters?\s+(?:were|was)\s+submitted", re.IGNORECASE
)
_NOT_APPLICABLE = re.compile(r"\bnot\s+applicable\b|\bn/a\b|\binapplicable\b", re.IGNORECASE)
_NOT_REQUIRED = re.compile(
    r"\bnot\s+(?:be\s+)?required\b|\bomitted\s+(?:pursuant|in\s+accordance)|smaller\s+reporting\s+compan", re.IGNORECASE
)
_ELSEWHERE = re.compile(
    r"(?:set\s+forth|included|contained|appears?|appearing|presented|found|see\b|refer|described|discussed|provided|submitted)"
    r".{0,200}?\b(?:item|part|pages?|notes?|section|index|under\s+the\s+(?:caption|heading)|f-\d)",
    re.IGNORECASE | re.DOTALL,
)
_NOTICES: tuple[tuple[ItemStatus, re.Pattern[str], int], ...] = (
    ("none", _NONE, 150),
    ("not_applicable", _NOT_APPLICABLE, 250),
    ("not_required", _NOT_REQUIRED, _SHORT),
)
_NOTES: dict[ItemStatus, str] = {
    "by_reference": "Incorporated by reference: the text only says where it is to be found.",
    "elsewhere": "The text only points to another place in this filing.",
    "none": "The filing says there is none.",
    "not_applicable": "The filing says it is not applicable.",
    "not_required": "The filing says it is not required.",
    "reserved": "The item is reserved: it holds nothing.",
    "empty": "There is a heading and no text.",
}


def item_status(text: str, title: str = "") -> tuple[ItemStatus, str]:
    """What an item's text amounts to, and a sentence for it ('' for an ordinary section)."""
    status = _status(text.strip(), title)
    if status == "text":
        partly = len(text) < _LONGEST_NOTICE and not _is_exhibits(title) and _share(text, _refers) > 0
        short = f"Short: {len(text)} characters." if len(text) < _SHORT else ""
        return status, " ".join(filter(None, ("In part incorporated by reference." if partly else "", short)))
    return status, _NOTES[status]


def _status(text: str, title: str) -> ItemStatus:
    if not text:
        return "reserved" if _RESERVED.search(title) else "empty"
    if _RESERVED.fullmatch(text):
        return "reserved"
    if _is_exhibits(title):
        return "text"  # every exhibit of a list may be incorporated by reference; the list is the item all the same
    if len(text) < _LONGEST_NOTICE and _share(text, _refers) > _MOST:
        return "by_reference"
    for status, pattern, longest in _NOTICES:
        if len(text) <= longest and pattern.search(text):
            return status
    return "elsewhere" if len(text) < 2 * _SHORT and _share(text, _ELSEWHERE.search) > _MOST else "text"


def _is_exhibits(title: str) -> bool:
    return "exhibit" in title.lower()


def _share(text: str, holds: Callable[[str], object]) -> float:
    """Which part of the text, by length, is sentences of that kind."""
    sentences = _SENTENCE_END.split(text)
    return sum(len(sentence) for sentence in sentences if holds(sentence)) / max(sum(map(len, sentences)), 1)


def _refers(sentence: str) -> bool:
    return bool(_BY_REFERENCE.search(sentence)) and not _NOT_INCORPORATED.search(sentence)
