"""Reading `.env` files: `NAME=value` lines, with line numbers. No expansion, no commands."""

from __future__ import annotations

import re
from dataclasses import dataclass

_LINE = re.compile(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$")
_QUOTED = re.compile(r"""^(["'])(.*?)\1(?:\s+#.*)?$""")


@dataclass(frozen=True)
class Assignment:
    """One line of a `.env` file."""

    line: int
    name: str
    value: str


def assignments(text: str) -> tuple[Assignment, ...]:
    """The assignments of a file's text, in order; other lines are passed over."""
    lines = enumerate(text.splitlines(), start=1)
    matches = ((number, _LINE.match(line)) for number, line in lines)
    return tuple(Assignment(number, match[1], _unquoted(match[2])) for number, match in matches if match)


def _unquoted(value: str) -> str:
    if quoted := _QUOTED.match(value):
        return quoted[2]
    return re.split(r"\s+#", value, maxsplit=1)[0]
