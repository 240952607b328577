"""Passages of a text that match a query, ranked by BM25."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

_K1 = 1.2  # BM25's usual constants
_B = 0.75
_PHRASE = 2.0  # how much a quoted phrase counts beside its words
_WORD = re.compile(r"[a-z0-9]+(?:[.,'’][a-z0-9]+)*", re.IGNORECASE)
_STOP = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "has", "have", "how", "in", "is", "it", "its"}
    | {"of", "on", "or", "our", "that", "the", "their", "this", "to", "was", "we", "were", "what", "which", "with"}
    | {"did", "do", "does", "many", "much", "any", "about", "company", "who", "when", "where", "why", "you", "your"}
)


ItemT = TypeVar("ItemT")


@dataclass(frozen=True, slots=True)
class Passage(Generic[ItemT]):
    """A passage with where it stands: characters `offset` on in the text of `item`."""

    item: ItemT
    offset: int
    text: str
    score: float = 0.0


def best_passages(candidates: Sequence[Passage[ItemT]], query: str, *, limit: int = 5) -> list[Passage[ItemT]]:
    """The passages that fit the query best, best first; only such that hold at least one of its words.

    Words in double quotes count as a phrase.
    """
    asked = list(dict.fromkeys(terms(query)))
    phrases = [" ".join(phrase.lower().split()) for phrase in re.findall(r'["“]([^"”]+)["”]', query)]
    counts = [Counter(terms(passage.text)) for passage in candidates]
    scores = _bm25(asked, counts)
    scored = [
        replace(passage, score=score + _phrase_score(passage.text, phrases))
        for passage, score in zip(candidates, scores, strict=True)
        if score > 0
    ]
    return sorted(scored, key=lambda passage: -passage.score)[:limit]


def terms(text: str) -> list[str]:
    """The words of a text as they are compared: lower case, without plural and without the commonest words."""
    found = (match[0].lower().replace("’", "'").removesuffix("'s") for match in _WORD.finditer(text))
    return [_singular(word) for word in found if word not in _STOP]


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):  # noqa: PLR2004 - not 'dies'
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word  # noqa: PLR2004


def _bm25(asked: Sequence[str], counts: Sequence[Counter[str]]) -> list[float]:
    lengths = [counter.total() for counter in counts]
    average = sum(lengths) / max(len(lengths), 1) or 1.0
    rarity = {term: _rarity(sum(term in counter for counter in counts), len(counts)) for term in asked}

    def score(counter: Counter[str], length: int) -> float:
        norm = _K1 * (1 - _B + _B * length / average)
        return sum(rarity[term] * counter[term] * (_K1 + 1) / (counter[term] + norm) for term in asked if counter[term])

    return [score(counter, length) for counter, length in zip(counts, lengths, strict=True)]


def _rarity(holding: int, total: int) -> float:
    return math.log(1 + (total - holding + 0.5) / (holding + 0.5))


def _phrase_score(text: str, phrases: Sequence[str]) -> float:
    plain = " ".join(text.lower().split())
    return sum(_PHRASE * len(phrase.split()) for phrase in phrases if phrase in plain)
