"""On which line of a TOML file a key stands. The parser does not say, and an error must."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TABLE = re.compile(r"^\s*\[([^\[\]]+)\]")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=""")
_PART = re.compile(r"""[\w-]+|"[^"]*"|'[^']*'""")
_FENCES = ('"""', "'''")


def line_of(text: str, path: Sequence[str]) -> int | None:
    """The line (from 1) that sets `path`, or the nearest table or inline table around it; None if none does."""
    wanted = tuple(path)
    best: tuple[int, int] | None = None
    for number, found in _named_lines(text):
        if wanted[: len(found)] == found and (best is None or len(found) > best[0]):
            best = (len(found), number)
    return best[1] if best else None


def _named_lines(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    table: tuple[str, ...] = ()
    fence = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if fence:
            fence = "" if fence in line else fence
        elif match := _TABLE.match(line):
            table = _parts(match[1])
            yield number, table
        elif match := _KEY.match(line):
            yield number, (*table, *_parts(match[1]))
            fence = _opened(line[match.end() :])


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in _PART.findall(dotted))


def _opened(value: str) -> str:
    """The fence of a multi-line string that starts on this line and does not end on it."""
    start = value.strip()
    return next((fence for fence in _FENCES if start.startswith(fence) and start.count(fence) == 1), "")
