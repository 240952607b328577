"""Whether a note rests on what the user wrote. What only a page or a file says is no fact about the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dexter.memory.words import STOP_WORDS, apart, normalised, pairs, spaced, words

_LEAST_SHARE = 2 / 3
_STEM = 5
# How notes put things; they say nothing about anybody.
_FRAME_WORDS = (
    "always answer answers asks considers dislikes follows hates has holds likes never now often owns prefers prefer"
    " says uses want wants watches works"
)
_FRAME = frozenset(_FRAME_WORDS.split())
# Addresses, and words with digits or capitals: what can't be put in other words.
_EXACT = re.compile(r"[\w.+-]+@[\w.-]+|\w+(?:\.\w+)+|\w*\d[\w.,]*\w|\d|\b[A-Z]\w*")


def is_grounded(note: str, said: Iterable[str]) -> bool:
    """Whether the note is made of the user's words: every name and number, and two thirds of the other words."""
    heard = "\n".join(said)
    exactly = spaced(heard)  # a name may stand between Chinese characters, without white space
    if not all(_heard_exactly(name, exactly) for name in _exact(apart(note))):
        return False
    telling = set(_telling(note))
    return bool(telling) and len(telling & set(_telling(heard))) >= _LEAST_SHARE * len(telling)


def concerns(note: str, said: Iterable[str]) -> bool:
    """Whether the user spoke of what a note says: one telling word is enough."""
    heard = set(_telling("\n".join(said)))
    return any(word in heard for word in _telling(note))


def _exact(note: str) -> Iterator[str]:
    """Names, numbers and addresses; a capital at the beginning of a sentence makes no name."""
    for match in _EXACT.finditer(note):
        text = match.group()
        before = note[: match.start()].rstrip()
        begins = not before or before[-1] in ".!?:;-•"
        if not (begins and text[1:].islower() and text.isalpha()):
            yield text.strip(".,")


def _heard_exactly(name: str, heard: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(normalised(name))}(?!\w)", heard) is not None


def _telling(text: str) -> Iterator[str]:
    for word in words(text):
        if word not in STOP_WORDS and word not in _FRAME:
            yield word[:_STEM] if len(word) > _STEM else word.removesuffix("s")
    yield from pairs(text)
