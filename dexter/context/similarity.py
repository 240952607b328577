"""Whether two tool calls ask for the same thing in other words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from dexter.messages import ToolCall, canonical_json

_WORD = re.compile(r"[^\W_]+")
# Scripts written without spaces: their words are compared by pairs of neighbouring characters.
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]+")
_SHORT_WORD = 2
# Parts of argument names that say which company or which time is meant.
_COMPANY_PARTS = {"ticker", "tickers", "symbol", "symbols", "company", "companies", "cik", "accession"}
_TIME_PARTS = {"period", "periods", "year", "years", "quarter", "quarters", "month", "date", "dates"} | {
    "start", "end", "from", "to", "since", "until", "as"
}  # fmt: skip
_DISTINGUISHING = _COMPANY_PARTS | _TIME_PARTS
_REMEMBERED = 4096


def are_similar(call: ToolCall, earlier: ToolCall, query: str, least: float) -> bool:
    """Whether `call` repeats `earlier` (the same tool): equal arguments, or alike in the free-text argument `query`.

    Args:
        call: The newer call.
        earlier: The older one.
        query: The name of the argument that holds free text, '' for a tool without one.
        least: The Jaccard index of the word sets from which two texts count as alike.
    """
    if call.arguments_json == earlier.arguments_json:
        return True
    new, old = _fingerprint(call.arguments_json, query), _fingerprint(earlier.arguments_json, query)
    return new.subject == old.subject and jaccard(new.words, old.words) >= least


def query_words(call: ToolCall, query: str) -> frozenset[str]:
    """The words of a call's free text."""
    return _fingerprint(call.arguments_json, query).words


def words(text: str) -> frozenset[str]:
    """The words that carry meaning: longer than two letters, or with a digit, or all in capitals (`Q3`, `GM`)."""
    found: set[str] = set()
    for run in _CJK.findall(text):
        found.update({run[i : i + 2] for i in range(len(run) - 1)} or {run})
    for word in _WORD.findall(_CJK.sub(" ", text)):
        if len(word) > _SHORT_WORD or word.isupper() or any(c.isdigit() for c in word):
            found.add(word.lower())
    return frozenset(found)


def jaccard(a: frozenset[str], b: frozenset[str]) -> float:
    """Shared words over all words; 0 for two empty sets."""
    return len(a & b) / len(a | b) if a or b else 0.0


@dataclass(frozen=True)
class _Fingerprint:
    """What is compared of a call: the company and time it asks about, and the words of its free text."""

    subject: str
    words: frozenset[str]


@lru_cache(maxsize=_REMEMBERED)
def _fingerprint(arguments_json: str, query: str) -> _Fingerprint:
    arguments = json.loads(arguments_json)
    if not isinstance(arguments, dict):  # arguments that could not be read, as the raw text
        return _Fingerprint("", frozenset())
    subject = {k: v for k, v in arguments.items() if k != query and _DISTINGUISHING & set(k.lower().split("_"))}
    text = arguments.get(query, "")
    return _Fingerprint(canonical_json(subject), words(text) if isinstance(text, str) else frozenset())
