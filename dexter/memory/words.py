"""Text as words that can be compared: Chinese, Japanese and Korean by character, the rest by word."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

CJK = "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_CJK_RUN = re.compile(f"[{CJK}]+")
_CJK_CHARACTER = re.compile(f"([{CJK}])")
_WORD = re.compile(rf"[^\W_{CJK}]+")
# Words that stand in every text and tell none apart.
_COMMON = (
    "a about all also an and any are as at be been but by can could did do does for from had has have he her his how i"
    " if in into is it its me more most my no not of on only or our out over she should so some such than that the"
    " their them then there these they this those to up us was we were what when where which who whom whose why will"
    " with would you your user users"
)
STOP_WORDS = frozenset(_COMMON.split())


def normalised(text: str) -> str:
    """One form for equal texts: full width and half width, upper and lower case."""
    return unicodedata.normalize("NFKC", text).casefold()


def spaced(text: str) -> str:
    """The text with each CJK character a word of its own, as the index holds it."""
    return apart(normalised(text))


def apart(text: str) -> str:
    """The text with white space around each CJK character, upper and lower case as they were."""
    return _CJK_CHARACTER.sub(r" \1 ", text)


def words(text: str) -> list[str]:
    """The words of a text other than CJK, lower case, in order."""
    return _WORD.findall(normalised(text))


def pairs(text: str) -> Iterator[str]:
    """Neighbouring CJK characters two by two; one that stands alone as it is."""
    for run in _CJK_RUN.findall(normalised(text)):
        if len(run) == 1:
            yield run
        yield from (run[at : at + 2] for at in range(len(run) - 1))
