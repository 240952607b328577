"""`<think>…</think>` in the text of local models, told apart while it streams."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dexter.models.protocol import TextPiece

_OPEN = re.compile(r"(?:^|\n)[ \t]*<(think|thinking)>")
_OPENINGS = ("<think>", "<thinking>")
_STRAY_CLOSE = re.compile(r"\A(.*?)</(?:think|thinking)>\s*", re.DOTALL)


class ThinkTagSplitter:
    """Takes text as it streams and gives it back as answer and thinking.

    A tag opens only at the beginning of a line, so that prose about tags stays prose. Tags may be cut anywhere between
    pieces; what may still become one is held back.
    """

    def __init__(self) -> None:
        self._held = ""
        self._tag = ""
        self._at_line_start = True
        self._after_tag = False

    def feed(self, text: str) -> Iterator[TextPiece]:
        """Take a piece; gives what is certain by now."""
        self._held += text
        while self._held:
            before = len(self._held)
            if self._after_tag:
                self._held = self._held.lstrip()
                self._after_tag = not self._held
                continue
            yield from self._inside() if self._tag else self._outside()
            if len(self._held) == before:
                return  # what is left may become a tag

    def finish(self) -> Iterator[TextPiece]:
        """The rest, once no more comes."""
        if self._held:
            yield TextPiece(self._held, thinking=bool(self._tag))
        self._held = ""

    def _outside(self) -> Iterator[TextPiece]:
        found = _OPEN.search(self._held) if self._at_line_start else _OPEN.search("x" + self._held)
        offset = 0 if self._at_line_start else 1
        if found:
            head = self._held[: max(found.start() - offset, 0)]
            self._held, self._tag, self._after_tag = self._held[found.end() - offset :], found.group(1), True
            if head.strip():
                yield TextPiece(head)
            return
        yield from self._release(len(self._held) - _held_back(self._held, at_line_start=self._at_line_start))

    def _inside(self) -> Iterator[TextPiece]:
        closing = f"</{self._tag}>"
        found = self._held.find(closing)
        if found >= 0:
            thought = self._held[:found]
            self._held, self._tag, self._after_tag = self._held[found + len(closing) :], "", True
            self._at_line_start = True
            if thought:
                yield TextPiece(thought, thinking=True)
            return
        keep = _overlap(self._held, closing)
        thought, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        if thought:
            yield TextPiece(thought, thinking=True)

    def _release(self, length: int) -> Iterator[TextPiece]:
        text, self._held = self._held[:length], self._held[length:]
        if text:
            self._at_line_start = not text.rsplit("\n", 1)[-1].strip() and ("\n" in text or self._at_line_start)
            yield TextPiece(text)


def without_stray_thinking(text: str) -> tuple[str, str]:
    """Thinking and answer of a text whose opening tag the server kept to itself: (thinking, answer)."""
    found = _STRAY_CLOSE.match(text)
    return (found.group(1).strip(), text[found.end() :]) if found else ("", text)


def _held_back(text: str, *, at_line_start: bool) -> int:
    """How many characters at the end may be the beginning of an opening tag."""
    start = text.rfind("\n")
    line = text[start + 1 :]
    if start < 0 and not at_line_start:
        return 0
    beginning = line.lstrip(" \t")
    possible = not beginning or any(opening.startswith(beginning) for opening in _OPENINGS)
    return len(text) - max(start, 0) if possible else 0


def _overlap(text: str, closing: str) -> int:
    return next((size for size in range(len(closing) - 1, 0, -1) if text.endswith(closing[:size])), 0)
