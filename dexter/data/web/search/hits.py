"""Results as vendors send them, read without trust in their shape."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from dexter.data.web.document import visible
from dexter.data.web.search.query import Hit, Hits, SearchQuery
from dexter.text import cut, one_line

_TITLE_CHARS = 200
_SNIPPET_CHARS = 600
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_URL_CHARS = 2_000
_NO_ADDRESS = re.compile(r"[\s<>\"\\]")
_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_WRITTEN_DAYS = ("%B %d, %Y", "%b %d, %Y", "%d %B %Y", "%d %b %Y", "%Y/%m/%d", "%m/%d/%Y")


class ShapeError(ValueError):
    """An answer is not shaped as its vendor's are."""


def read_hits(
    answer: Any, path: Sequence[str], *, title: str, url: str, snippet: Sequence[str], published: Sequence[str]
) -> Iterator[Hit]:
    """The results at a path of keys in an answer; the other names are those of a result's fields, the first one filled.

    Raises:
        ShapeError: the answer has no list there.
    """
    for record in _records(answer, path):
        if isinstance(record, Mapping):
            hit = Hit(
                _plain(record.get(title), _TITLE_CHARS),
                _address(record.get(url)),
                next((day for name in published if (day := read_day(record.get(name)))), ""),
                next((text for name in snippet if (text := _plain(record.get(name), _SNIPPET_CHARS))), ""),
            )
            if hit.url:
                yield hit


def _records(answer: Any, path: Sequence[str]) -> Iterable[Any]:
    for name in path:
        if not isinstance(answer, Mapping):
            raise ShapeError(name)
        answer = answer.get(name)
        if answer is None:  # some vendors leave out what is empty
            return ()
    if not isinstance(answer, list):
        raise ShapeError(".".join(path))
    return answer


def within(found: Iterable[Hit], query: SearchQuery) -> Hits:
    """The hits that keep the query's limits, each address once."""
    once: dict[str, Hit] = {}
    for hit in found:
        once.setdefault(hit.url, hit)
    admitted = [hit for hit in once.values() if query.admits(hit)]
    return Hits(tuple(admitted[: query.limit]), len(once) - len(admitted))


def read_day(value: Any) -> str:
    """The day in a vendor's date, ISO; '' for none or one that can't be read (like "3 days ago")."""
    text = str(value or "").strip()
    if match := _ISO_DAY.match(text):
        return _real_day(match[0])
    for form in _WRITTEN_DAYS:
        try:
            return datetime.strptime(text, form).date().isoformat()  # noqa: DTZ007 - a day has no zone
        except ValueError:
            continue
    try:
        return parsedate_to_datetime(text).date().isoformat()
    except (ValueError, TypeError, IndexError):
        return ""


def _real_day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""


def _address(value: Any) -> str:
    """A web address; '' for what can't be split as one, or would not stay on one line of the result."""
    text = str(value or "").strip()
    if len(text) > _URL_CHARS or _NO_ADDRESS.search(text) or visible(text) != text:
        return ""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return text if parts.scheme in ("http", "https") and parts.hostname else ""


def _plain(value: Any, limit: int) -> str:
    """Text on one line without markup; of a list, its pieces."""
    text = " … ".join(map(str, value)) if isinstance(value, list) else str(value or "")
    return cut(one_line(visible(html.unescape(_TAG.sub("", text)))), limit)
