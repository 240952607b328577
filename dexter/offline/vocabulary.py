"""Words to names: which phrases of a question stand for which figure, operation, topic or company.

The words are data (`words/*.toml`, English and Chinese); what figures and companies are called is known to
`dexter.figures`, which reads answers with the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from dexter.figures.lexicon import Lexicon, lexicon_of
from dexter.figures.vocabulary import figure_entries, words_in


def _words(name: str) -> dict[str, Any]:
    return words_in("dexter.offline.words", name)


@cache
def metrics() -> Lexicon:
    """Figures by name, and groups of figures by the group's name."""
    return lexicon_of({**figure_entries(), **_words("groups")["figures"]})


@cache
def metric_groups() -> Mapping[str, tuple[str, ...]]:
    """The figures that a group stands for."""
    return {name: tuple(entry["metrics"]) for name, entry in _words("groups")["figures"].items()}


@cache
def company_groups() -> Lexicon:
    """Names for several companies at once."""
    return lexicon_of(_words("groups")["companies"])


@cache
def group_tickers() -> Mapping[str, tuple[str, ...]]:
    """The companies that such a name stands for."""
    return {name: tuple(entry["tickers"]) for name, entry in _words("groups")["companies"].items()}


@cache
def operations() -> Lexicon:
    """What is to be done with the figures."""
    return lexicon_of(_words("operations"))


def names_valuation(text: str) -> bool:
    """Whether a valuation by cash flows is asked for."""
    return any(mention.name == "dcf" for mention in operations().take(text)[1])


@cache
def stances() -> Lexicon:
    """Words of questions that ask for more than figures."""
    return lexicon_of(_words("stances"))


@cache
def topics() -> Lexicon:
    """Words for what no statement line has."""
    return lexicon_of(_words("topics"))


@cache
def asides() -> Lexicon:
    """What a question says beside the point."""
    return lexicon_of({"aside": _words("plain")["asides"]})


@cache
def known_words() -> frozenset[str]:
    """Every English word of any phrase."""
    lexicons = (metrics(), company_groups(), operations(), stances(), topics(), asides())
    return frozenset(word for lexicon in lexicons for phrase in lexicon.names for word in phrase if word.isalpha())


@cache
def topic_needs() -> Mapping[str, str]:
    """What would bring each topic."""
    return {name: entry["needs"] for name, entry in _words("topics").items()}


@cache
def plain_words() -> tuple[frozenset[str], re.Pattern[str]]:
    """Words that carry no question: English ones as a set, Chinese ones as a pattern."""
    words = _words("plain")
    chinese = sorted(words["zh"], key=len, reverse=True)
    return frozenset(words["en"].split()), re.compile("|".join(map(re.escape, chinese)))
