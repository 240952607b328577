"""Pages of something kept elsewhere: the line that says where a page is, and cutting a page short.

`read_result` and `read_file` make pages; the pipeline cuts those that are too long instead of writing them to a file.
"""

from __future__ import annotations

import re

from dexter.context.untrusted import MARKS_CHARS, unmarked
from dexter.text import cut, cut_at_line

# What the line above a page takes at most, and the marks of text that others wrote.
PAGE_LINE_CHARS = 100 + MARKS_CHARS

_PAGE_LINE = re.compile(
    r"\[characters (\d{1,15})–\d{1,15} of (\d{1,15}); (?:continue at offset \d{1,15}|this is the end)\]\n"
)


def page_line(start: int, end: int, total: int) -> str:
    """The line above a page: characters `start` to `end` of `total`, and how to go on."""
    onward = f"continue at offset {end}" if end < total else "this is the end"
    return f"[characters {start}–{end} of {total}; {onward}]\n"


def cut_page(text: str, limit: int) -> str:
    """The page cut at a line so that it has at most `limit` characters and says where to continue.

    A page without such a line is the whole of a short text or a list of matches; it begins at offset 0.
    """
    line, rest = page_parts(text)
    before, body, after = unmarked(rest)
    match = _PAGE_LINE.match(line)
    start, total = (int(match[1]), int(match[2])) if match else (0, len(body))
    room = max(limit - PAGE_LINE_CHARS, 0)
    if len(body) <= room:
        return text
    kept = cut_at_line(body, room) or cut(body, room)
    return page_line(start, start + len(kept), total) + before + kept + after


def page_parts(text: str) -> tuple[str, str]:
    """The line above a page, '' without one, and the page."""
    match = _PAGE_LINE.match(text)
    return (match[0], text[match.end() :]) if match else ("", text)
