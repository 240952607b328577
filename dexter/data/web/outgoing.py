"""URLs that say something: a fetch sends its URL to whoever owns the host, so what stands in it leaves the machine."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from urllib.parse import parse_qsl, unquote, urlsplit

from dexter.data.web.location import Location, locate
from dexter.data.web.refusal import RefusedUrlError

_LONGEST_VALUE = 80  # characters of one decoded value of a query
_LONGEST_QUERY = 250
_LONGEST_SEGMENT = 140  # headlines are in paths, hyphens between their words
_LONGEST_LABEL = 32  # of a host's name
_LONGEST_HOST = 70  # all labels together
_MOST_LABELS = 7
_LONGEST_PATH = 250  # bytes of all segments together: what one may not say, many may not either
_MOST_MIXED = 40  # characters of pieces that mix letters with figures or cases, however short each is
_MOST_WORDS = 8  # in one value with spaces between them
_SHARED_WORDS = 6  # in a row, with something said
_MOST_ODD = 24  # characters of words that no one would write
_ODD_WORDS = re.compile(r"[A-Za-z0-9+=]+")
_USUAL = re.compile(
    r"[a-z]{1,20}|[A-Z]{1,12}|\d{1,20}|(?:[A-Z]{1,4}[a-z]{2,14}){1,6}"  # lower, CAPITALS, figures, CamelCase
    r"|[A-Za-z]{0,6}\d{1,8}[A-Za-z]{0,4}\d{0,4}"  # 10k, FY2025, nvda20250126, 2025Q3
)
_UNMIXED = re.compile(r"[a-z]+|[A-Z]+|\d+|(?:[A-Z]{1,4}[a-z]{2,14})+")
_NEEDLESS = re.compile(r"(?:%(?:3[0-9]|[46][1-9a-f]|[57][0-9a]))", re.IGNORECASE)  # letters and digits, encoded
_WORD = re.compile(r"[^\W_]+")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_LINK = re.compile(r"\]\((https?://[^)\s]+)\)")
_MOST_KNOWN = 50_000


class KnownUrls:
    """URLs that were found, in search results or on pages: whoever wrote them knows what they say already.

    `locate` gives a URL as it would be asked for, and refuses what may not be.
    """

    def __init__(self, locate: Callable[[str], Location] = locate) -> None:
        self._locate = locate
        self._urls: dict[str, None] = {}

    def __contains__(self, url: str) -> bool:
        return url in self._urls

    def add(self, urls: Iterable[str]) -> None:
        """Remember URLs; the oldest are forgotten."""
        for url in urls:
            with contextlib.suppress(RefusedUrlError):
                self._urls[self._locate(url).url] = None
        for url in list(self._urls)[: max(len(self._urls) - _MOST_KNOWN, 0)]:
            del self._urls[url]


def links_in(markdown: str) -> Iterator[str]:
    """The targets of the links of a page."""
    return (match[1].replace("%28", "(").replace("%29", ")") for match in _LINK.finditer(markdown))


def carries_content(url: str, said: Iterable[str] = ()) -> str:
    """What a URL may carry out of a conversation, as a clause; '' for one that only names a page.

    Args:
        url: as it would be asked for.
        said: what was said in the conversation.
    """
    parts = urlsplit(url)
    host, path = (parts.hostname or "").split("."), [unquote(piece) for piece in parts.path.split("/")]
    values = [piece for pair in parse_qsl(parts.query, keep_blank_values=True) for piece in pair]
    if _is_long_host(host):
        return "the name of its host is long enough to carry text"
    if len(parts.query) > _LONGEST_QUERY or any(len(value) > _LONGEST_VALUE for value in values):
        return "its query is long"
    if any(len(value.split()) > _MOST_WORDS for value in (*values, *path)):
        return "it holds whole sentences"
    if (
        any(len(piece) > _LONGEST_SEGMENT for piece in path)
        or len("/".join(path).encode(errors="replace")) > _LONGEST_PATH
    ):
        return "its path is long"
    if len(_NEEDLESS.findall(f"{parts.path}?{parts.query}")) > 2 or _is_encoded((*host, *path, *values)):  # noqa: PLR2004 - slips happen
        return "it holds encoded text"
    return "it repeats what was said in the conversation" if _repeats((*host, *path, *values), said) else ""


def _is_long_host(labels: Sequence[str]) -> bool:
    long_label = any(len(label) > _LONGEST_LABEL and not label.startswith("xn--") for label in labels)
    return long_label or len(labels) > _MOST_LABELS or sum(map(len, labels)) > _LONGEST_HOST


def _is_encoded(pieces: Iterable[str]) -> bool:
    """Whether so much of the pieces looks like base64, hex or the like rather than like words and numbers."""
    words = [match[0] for piece in pieces for match in _ODD_WORDS.finditer(piece)]
    odd = sum(len(word) for word in words if not _USUAL.fullmatch(word))
    mixed = sum(len(word) for word in words if not _UNMIXED.fullmatch(word))
    return odd >= _MOST_ODD or mixed >= _MOST_MIXED


def _repeats(pieces: Iterable[str], said: Iterable[str]) -> bool:
    """Whether so many words in a row are words in a row of something said."""
    carried = _words(" ".join(pieces))
    runs = {tuple(carried[i : i + _SHARED_WORDS]) for i in range(len(carried) - _SHARED_WORDS + 1)}
    return bool(runs) and any(
        tuple(words[i : i + _SHARED_WORDS]) in runs
        for words in map(_words, said)
        for i in range(len(words) - _SHARED_WORDS + 1)
    )


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in _WORD.finditer(_THOUSANDS.sub("", text))]
