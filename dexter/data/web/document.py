"""What a fetched page is once it can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

Kind = Literal["html", "pdf", "text"]

# Read by nobody and seen by a model: zero widths, soft hyphens, bidi controls, and the tags block that spells
# invisible ASCII. Control characters but tab and line end.
_UNSEEN = {
    code: None
    for codes in (
        (0xAD, 0x61C, 0x180E, 0xFEFF, 0xFFFE, 0xFFFF),
        range(0x200B, 0x2010),
        range(0x202A, 0x202F),
        range(0x2060, 0x2070),
        range(0xE0000, 0xE0080),
        range(0xFE00, 0xFE10),
        (code for code in range(0x20) if code not in (9, 10)),
        range(0x7F, 0xA0),
    )
    for code in codes
}
_SPACES: Mapping[int, str] = {0xA0: " ", 0x2007: " ", 0x202F: " ", 0x2028: "\n", 0x2029: "\n\n"}
_VISIBLE = {**_UNSEEN, **_SPACES}
_GAPS = re.compile(r"\n{3,}")


class UnreadableError(ValueError):
    """A page that can't be turned into text; the message is a clause."""


@dataclass(frozen=True)
class Document:
    """A page as text: Markdown of a web page, pages of a PDF, or data as it is.

    `published` is the day the page itself names (ISO), '' without one. `notes` say what is missing or odd.
    """

    text: str
    title: str = ""
    published: str = ""
    notes: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """For another process."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read back what `to_json` gave."""
        return cls(data["text"], data["title"], data["published"], tuple(data["notes"]))


def visible(text: str) -> str:
    """The text without characters that nobody sees, its lines ended by a line feed alone."""
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_VISIBLE)


def tidy(text: str) -> str:
    """Visible text without trailing spaces and with at most one empty line between paragraphs."""
    lines = "\n".join(line.rstrip(" \t") for line in visible(text).split("\n"))
    return _GAPS.sub("\n\n", lines).strip("\n")


def joined(parts: Iterable[str]) -> str:
    """Paragraphs, an empty line between them."""
    return "\n\n".join(part for part in parts if part)
