"""Text that others wrote, marked as data: where it comes from, where it begins and where it ends.

The marks carry a digest of the text between them, so that no text can hold its own end mark, and marks inside a text
are spelled otherwise. Whoever runs a tool marks its result once; tools only say where the text comes from.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from dexter.text import cut, one_line

MARKS_CHARS: Final = 300
"""What the two marks take at most."""

_LOOKS_LIKE_MARK = re.compile(r"<(?=\s*/?\s*untrusted)", re.IGNORECASE)
_MARKED = re.compile(r'(<(untrusted-[0-9a-f]{16}) from="[^"\n]*">\n)(.*?)(\n</\2>)?', re.DOTALL)
_DIGEST_CHARS = 16
_ORIGINS_CHARS = 200


def marked(text: str, origins: Sequence[str]) -> str:
    """The text between marks that say where it comes from; the same text and origins give the same marks."""
    inside = _LOOKS_LIKE_MARK.sub("‹", text)
    digest = hashlib.sha256(inside.encode("utf-8", "surrogatepass")).hexdigest()
    name = f"untrusted-{digest[:_DIGEST_CHARS]}"
    return f'<{name} from="{_shown(origins)}">\n{inside}\n</{name}>'


def unmarked(text: str) -> tuple[str, str, str]:
    """The mark before a text, the text, and the mark after it; both marks '' for a text that has none."""
    match = _MARKED.fullmatch(text)
    if match is None:
        return "", text, ""
    return match[1], match[3], f"\n</{match[2]}>"


def _shown(origins: Sequence[str]) -> str:
    """On one line, without what could end the mark."""
    return cut(", ".join(re.sub(r'[<>"]', "'", one_line(origin)) for origin in origins), _ORIGINS_CHARS)
