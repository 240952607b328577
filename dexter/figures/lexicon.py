"""Phrases to the names they stand for: the longest phrase wins, so that "gross margin" is never read as "margin".

A text is read as tokens: words, single Chinese characters, signs; spaces and hyphens only part them. A plural s is
allowed for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

# What is put where a phrase was read: no word and no space, so that neighbours stay apart and nothing is read twice.
TAKEN = "\x00"

_TOKEN = re.compile(r"[a-z0-9]+|[\u4e00-\u9fff]|[^\s\w\-]")

Phrase = tuple[str, ...]


@dataclass(frozen=True)
class Mention:
    """A phrase found in a text: the name it stands for, and where (`text[start:end]`)."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Lexicon:
    """Phrases of one kind and what each stands for. `take` reads all of them from a text in lower case."""

    names: Mapping[Phrase, str]

    def take(self, text: str) -> tuple[str, tuple[Mention, ...]]:
        """The text with every phrase blanked out, and the phrases in order."""
        mentions = tuple(self._mentions(text))
        return blanked(text, mentions), mentions

    def _mentions(self, text: str) -> Iterator[Mention]:
        tokens = list(_TOKEN.finditer(text))
        words = tuple(match.group() for match in tokens)
        position = 0
        while position < len(words):
            length, name = self._longest_at(words, position)
            if name:
                yield Mention(name, tokens[position].start(), tokens[position + length - 1].end())
            position += length

    def _longest_at(self, words: Phrase, position: int) -> tuple[int, str]:
        """How many tokens the longest phrase here takes and its name; (1, '') where none begins."""
        longest = min(self._longest.get(words[position], 0), len(words) - position)
        for length in range(longest, 0, -1):
            phrase = words[position : position + length]
            name = self.names.get(phrase) or self.names.get((*phrase[:-1], _singular(phrase[-1])))
            if name:
                return length, name
        return 1, ""

    @cached_property
    def _longest(self) -> Mapping[str, int]:
        """The length of the longest phrase that begins with a word, in the singular or the plural."""
        longest: dict[str, int] = {}
        for phrase in self.names:
            for first in (phrase[0], f"{phrase[0]}s", f"{phrase[0]}es"):
                longest[first] = max(longest.get(first, 0), len(phrase))
        return longest


def blanked(text: str, mentions: Iterable[Mention]) -> str:
    """The text with those places taken; its length stays."""
    characters = list(text)
    for mention in mentions:
        characters[mention.start : mention.end] = TAKEN * (mention.end - mention.start)
    return "".join(characters)


def tokens(text: str) -> Phrase:
    """The tokens of a text in lower case."""
    return tuple(_TOKEN.findall(text))


def _singular(word: str) -> str:
    return word.removesuffix("s")


def lexicon_of(entries: Mapping[str, Mapping[str, Any]]) -> Lexicon:
    """The lexicon of entries with their phrases in English (`en`) and Chinese (`zh`)."""
    return Lexicon(
        {tokens(phrase.lower()): name for name, entry in entries.items() for phrase in (*entry["en"], *entry["zh"])}
    )
