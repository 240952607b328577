"""Titles of items: matched to the ones a form knows, and told from the text that follows in the same paragraph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from dexter.data.filings.forms import ItemSpec

_WORD = re.compile(r"[a-z0-9]+", re.IGNORECASE)
_SEPARATORS = " \t\n.:;–—-"
_SHORT = 250  # a paragraph up to this length may be a title as a whole
_TITLE_WORDS = 30
_LONGEST_TITLE = 400  # characters; no title is longer
_STATUS_START = re.compile(
    r"(?:none|not\s+(?:applicable|required)|n/a|\[?(?:intentionally\s+)?(?:omitted|reserved))\b", re.IGNORECASE
)
_SENTENCE_WORDS = frozenset(
    {"of", "to", "in", "and", "or", "is", "was", "are", "were", "for", "above", "below", "as", "under", "which", "that"}
    | {"has", "have", "contains", "includes", "herein", "hereof", "on", "by", "from", "through", "with", "may", "must"}
)
_ANOTHER_ITEM = re.compile(r"\bitems?\s+\d", re.IGNORECASE)


def words(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation."""
    return [match[0].lower() for match in _WORD.finditer(text)]


@cache
def title_words(title: str) -> list[str]:
    """The words of a title the forms know; there are some hundreds, asked for at every heading."""
    return words(title)


def matched_length(text: str, titles: Iterable[str]) -> int:
    """How many characters of `text` are one of `titles`, read from its start; the longest counts, 0 for none."""
    found = list(_WORD.finditer(text[:_LONGEST_TITLE]))
    spoken = [match[0].lower() for match in found]
    best = 0
    for title in titles:
        expected = title_words(title)
        if expected and spoken[: len(expected)] == expected:
            best = max(best, found[len(expected) - 1].end())
    return best


def is_cut_off(title: str, titles: Iterable[str]) -> bool:
    """Whether `title` is only the beginning of one of `titles`."""
    start = words(title[:_LONGEST_TITLE])
    return any(title_words(t)[: len(start)] == start and len(title_words(t)) > len(start) for t in titles)


def continues(title: str, text: str, titles: Iterable[str]) -> bool:
    """Whether `text` is how the cut-off `title` goes on in one of `titles`."""
    more = words(text[:_LONGEST_TITLE])
    both = [*words(title), *more]
    return bool(more) and any(title_words(known)[: len(both)] == both for known in titles)


def is_cross_reference(rest: str) -> bool:
    """Whether what follows an item number reads on as a sentence (`of Part II`, `, "Risk Factors"`)."""
    stripped = rest.strip()
    first = words(stripped[:20])[:1]
    return stripped.startswith((",", ")", "“", '"', "‘", "'")) or (bool(first) and first[0] in _SENTENCE_WORDS)


def likeness(title: str, spec: ItemSpec) -> float:
    """How much a title resembles the ones an item goes by: 2 for one of them, else the share of common words."""
    if matched_length(title, spec.titles):
        return 2.0
    spoken = set(words(title[:_SHORT]))
    return max(_common_share(spoken, set(title_words(known))) for known in spec.titles)


def _common_share(one: set[str], other: set[str]) -> float:
    return len(one & other) / max(len(one | other), 1)


def split_title(rest: str, specs: Sequence[ItemSpec]) -> tuple[str, str] | None:
    """A heading's title and the text after it in the same paragraph; None if `rest` is a sentence, not a title."""
    titles = [title for spec in specs for title in spec.titles]
    if is_cut_off(rest, titles):
        return rest.rstrip(), ""
    known = matched_length(rest, titles)
    if known:
        known = len(rest) - len(rest[known:].lstrip("’'] \t\n"))
        return _split_after(rest, known)
    if len(rest) > _SHORT or _is_status(rest):
        return _split_at_stop(rest)
    if _ANOTHER_ITEM.search(rest) or rest.rstrip().endswith((",", ";", " and")):
        return None
    return _split_at_stop(rest) or (rest, "")


def _split_after(rest: str, known: int) -> tuple[str, str] | None:
    tail = rest[known:].lstrip(_SEPARATORS)
    if not tail:
        return rest.rstrip(), ""
    if len(rest) <= _SHORT and (_ANOTHER_ITEM.search(tail) or tail.rstrip().endswith((",", ";", " and"))):
        return None  # a list of references, one heading after the other
    if _is_text(tail) or len(rest) > _SHORT:
        return (rest[:known].rstrip(_SEPARATORS), tail) if not tail[0].islower() else None
    return rest.rstrip(), ""


def _split_at_stop(rest: str) -> tuple[str, str] | None:
    """Title and text parted at the first full stop, colon or dash, if a title stands before it and text after."""
    if _is_status(rest):
        return "", rest
    for stop in re.finditer(r"[.:]\s+|\s*[–—]\s*|\s-\s", rest[:_SHORT]):
        title, tail = rest[: stop.start()], rest[stop.end() :]
        if len(words(title)) > _TITLE_WORDS:
            return None
        if words(title) and _is_text(tail) and _is_title_case(title):
            return title, tail
    return None


def _is_status(text: str) -> bool:
    return bool(_STATUS_START.match(text.strip()))


def _is_text(tail: str) -> bool:
    """A sentence, or what stands for one ('None')."""
    return _is_status(tail) or (tail.rstrip().endswith((".", ":", "!", "?")) and len(words(tail[:_SHORT])) > 3)  # noqa: PLR2004


def _is_title_case(title: str) -> bool:
    long_words: list[str] = [word for word in re.findall(r"[^\W\d]+", title) if len(word) > 3]  # noqa: PLR2004 - not 'and', 'of'
    return sum(1 for word in long_words if word[:1].isupper()) * 2 >= len(long_words)
