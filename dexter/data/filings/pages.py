"""Pages of long sections, cut where a paragraph ends."""

from __future__ import annotations

from dataclasses import dataclass

_NEAR = 0.7  # a page may end at a paragraph's end only after this share of its length


@dataclass(frozen=True, slots=True)
class Page:
    """Characters `start` to `end` of a text of `total`; `where` says so, and how to go on, unless it is all."""

    text: str
    start: int
    end: int
    total: int

    @property
    def where(self) -> str:
        """A line for the reader; '' where the page is the whole text."""
        if self.start == 0 and self.end == self.total:
            return ""
        onward = f"; continue at offset {self.end}" if self.end < self.total else "; this is the end"
        return f"[characters {self.start}–{self.end} of {self.total}{onward}]"


def cut_page(text: str, offset: int, limit: int) -> Page:
    """The page from `offset` of at most `limit` characters; it ends with a paragraph or a line where one is near."""
    start = min(max(offset, 0), len(text))
    end = min(start + max(limit, 0), len(text))
    if end < len(text):
        floor = start + int((end - start) * _NEAR)
        for mark in ("\n\n", "\n", " "):
            found = text.rfind(mark, floor, end)
            if found > start:
                end = found + len(mark)
                break
    return Page(text[start:end], start, end, len(text))
