"""Reading long text in pages and by pattern. Offsets and limits are in characters (code points)."""

from __future__ import annotations

import time

from dexter.context.pages import page_line
from dexter.errors import ToolError

_CONTEXT_CHARS = 200
_MOST_MATCHES = 200
_PATTERN_SECONDS = 2.0
_LEAST_SECONDS = 0.001


def page(text: str, offset: int, limit: int) -> str:
    """Characters `offset` to `offset + limit` with a line that says where this is and how to go on.

    Raises:
        ToolError: the offset lies beyond the end.
    """
    if offset and offset >= len(text):
        raise ToolError(f"offset {offset:,} is beyond the end: there are {len(text):,} characters.")
    end = min(offset + limit, len(text))
    if offset == 0 and end == len(text):
        return text
    return page_line(offset, end, len(text)) + text[offset:end]


def matching_lines(text: str, pattern: str, limit: int, start: int = 0) -> str:
    """The lines in which `pattern` (a regular expression, case ignored) is found, each with its offset.

    A long line is cut around its first match. The whole is at most `limit` characters. Lines that end before offset
    `start` are left out, so that what did not fit is reached by asking on.

    Raises:
        ToolError: the pattern is no regular expression, or takes too long.
    """
    import regex

    try:
        compiled = regex.compile(pattern, regex.IGNORECASE)
    except regex.error as error:
        raise ToolError(f"the pattern is not a regular expression: {error}.", remedy="Escape special signs.") from error
    found: list[str] = []
    length = offset = 0
    deadline = time.monotonic() + _PATTERN_SECONDS  # for all lines together: meanwhile nothing else runs
    for line in text.split("\n"):
        if offset + len(line) < start:
            offset += len(line) + 1
            continue
        try:
            match = compiled.search(line, timeout=max(deadline - time.monotonic(), _LEAST_SECONDS))
        except TimeoutError as error:
            raise ToolError("the pattern takes too long.", remedy="Use a simpler pattern.") from error
        if match is not None:
            shown = _around(line, match.start(), match.end())
            entry = f"@{offset + match.start()}: {shown}"
            length += len(entry) + 1
            if length > limit or len(found) >= _MOST_MATCHES:
                found.append(f"[more matches; go on with offset {offset}, or narrow the pattern]")
                break
            found.append(entry)
        offset += len(line) + 1
    if not found:
        return f"No line matches {pattern!r} in {len(text):,} characters."
    return "\n".join(found)


def _around(line: str, start: int, end: int) -> str:
    """The line, or the part around a match where it is long."""
    if len(line) <= 2 * _CONTEXT_CHARS:
        return line
    left, right = max(0, start - _CONTEXT_CHARS), min(len(line), min(end, start + _CONTEXT_CHARS) + _CONTEXT_CHARS)
    return ("…" if left else "") + line[left:right] + ("…" if right < len(line) else "")
