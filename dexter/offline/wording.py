"""Rewrites a question into words the lexicons know: slips of the keyboard mended, shared heads repeated."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from functools import cache

from dexter.offline import vocabulary

_WORD = re.compile(r"[A-Za-z]+")
_SHORTEST = 4
# A word of four letters has too many neighbours for anything but two letters changing places.
_SHORTEST_FOR_ANY_SLIP = 5
# Words that patterns know, not lexicons.
_OTHER_WORDS = (
    "quarterly annual yearly trailing twelve months calendar january february march april june july august september"
    " october november december latest previous recent divided relative percentage percent share since between"
)
_SHORT_FORMS = {"rev": "revenue", "revs": "revenue", "yr": "year", "yrs": "years", "qtr": "quarter", "qtrs": "quarters"}
_SIDE = r"(?:gross|operating|net|free cash flow|fcf|operating cash flow)"
_HEAD = r"(?:profit\s+margins?|margins?|profits?|income)"
_SHARED_HEAD = re.compile(rf"\b({_SIDE}(?:\s*,\s*{_SIDE})*(?:\s*,)?\s*(?:and|&|or|/|,)\s*{_SIDE})\s+({_HEAD})\b")
# The year of a split is no period that is asked for.
_SPLIT_ADJUSTED = re.compile(
    r"\b(?:adjusted|restated|corrected)\s+for\s+"
    r"(?:(?:the|its|all|any|later|stock|share|\d+[\s-]for[\s-]\d+)\s+)*splits?\b"
    r"(?:\s+(?:of|in)\s+(?:[a-z]+\s+)?(?:19|20)\d\d\b)?(?:\s+since(?:\s+then)?\b)?"
)


def mended(text: str, original: str) -> str:
    """The text in lower case with short forms written out and unknown words one slip away from a known one mended.

    `original` is the same text with its capitals: a word that begins with one may be a name and stays.
    """
    pieces, end = [], 0
    for match in _WORD.finditer(text):
        pieces += [text[end : match.start()], _mended(match.group(), is_name=original[match.start()].isupper())]
        end = match.end()
    return "".join((*pieces, text[end:]))


def heads_repeated(text: str) -> str:
    """Writes "gross and operating margin" as "gross margin and operating margin"."""
    return _SHARED_HEAD.sub(lambda match: re.sub(_SIDE, rf"\g<0> {match[2]}", match[1]), text)


def splits_unsaid(text: str) -> str:
    """The text (in lower case) with what is said of splits blanked: figures stand in today's shares anyway."""
    return _SPLIT_ADJUSTED.sub(lambda match: " " * len(match.group()), text)


def _mended(word: str, *, is_name: bool) -> str:
    if word in _SHORT_FORMS:
        return _SHORT_FORMS[word]
    if is_name or len(word) < _SHORTEST or is_known(word):
        return word
    return next((near for near in one_slip_away(word) if near in _known()), word)


def is_known(word: str) -> bool:
    """Whether the word, or what it is the plural of, means something in questions."""
    return word in _known() or word.removesuffix("s") in _known()


@cache
def _known() -> frozenset[str]:
    """Every word of the vocabulary."""
    plain, _ = vocabulary.plain_words()
    return vocabulary.known_words() | plain | frozenset(_OTHER_WORDS.split())


def one_slip_away(word: str) -> Iterator[str]:
    """Two letters swapped, then one missing, one too many, one wrong."""
    splits = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    yield from (left + right[1] + right[0] + right[2:] for left, right in splits if len(right) > 1)
    if len(word) < _SHORTEST_FOR_ANY_SLIP:
        return
    yield from (left + letter + right for left, right in splits for letter in string.ascii_lowercase)
    yield from (left + right[1:] for left, right in splits if right)
    yield from (left + letter + right[1:] for left, right in splits if right for letter in string.ascii_lowercase)
