"""Company names as people say them: without legal forms, punctuation or case."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

Words = tuple[str, ...]

_WORD = re.compile(r"[a-z0-9]+")
# Legal forms and states at the end of a filed name, never said.
_FORMS = frozenset(
    {
        *("inc", "incorporated", "corp", "corporation", "co", "company", "companies", "ltd", "limited", "plc", "llc"),
        *("lp", "sa", "nv", "ag", "se", "ab", "asa", "spa", "as", "holding", "holdings", "group", "com", "the", "and"),
        *("new", "de", "md", "mn", "nj", "ny", "ma", "ca"),
    }
)


def spoken(text: str) -> str:
    """Lower-case words of a text, with single spaces: what two ways to write a name have in common."""
    return " ".join(words_of(text))


def words_of(text: str) -> Words:
    """The words of a name: `Lowe's` is one, `AT&T` and `Coca-Cola` are two."""
    return tuple(_WORD.findall(text.lower().replace("'", "").replace("’", "")))


def core_of(name: str) -> Words:
    """A filed name without what nobody says: `NVIDIA CORP` → nvidia, `WELLS FARGO & COMPANY/MN` → wells fargo."""
    words = words_of(name)
    start = 1 if len(words) > 1 and words[0] == "the" else 0
    end = len(words)
    while end > start + 1 and words[end - 1] in _FORMS:
        end -= 1
    return words[start:end]


class NameIndex:
    """Names by all of their words and by their first ones. Made when first asked, from `names` largest first."""

    def __init__(self, names: Callable[[], Iterable[tuple[int, str]]]) -> None:
        self._names = names

    def exact(self, words: Words) -> tuple[int, ...]:
        """The companies (CIK) whose whole name these words are, largest first."""
        return tuple(self._by_name.get(words, ()))

    def beginning_with(self, words: Words) -> tuple[int, ...]:
        """The companies whose name begins with these words, largest first."""
        candidates = self._by_first.get(words[0], ()) if words else ()
        return tuple(cik for cik, core in candidates if core[: len(words)] == words)

    @cached_property
    def _cores(self) -> list[tuple[int, Words]]:
        return [(cik, core_of(name)) for cik, name in self._names()]

    @cached_property
    def _by_name(self) -> dict[Words, list[int]]:
        by_name: dict[Words, list[int]] = {}
        for cik, core in self._cores:
            by_name.setdefault(core, []).append(cik)
        return by_name

    @cached_property
    def _by_first(self) -> dict[str, list[tuple[int, Words]]]:
        by_first: dict[str, list[tuple[int, Words]]] = {}
        for cik, core in self._cores:
            if core:
                by_first.setdefault(core[0], []).append((cik, core))
        return by_first
