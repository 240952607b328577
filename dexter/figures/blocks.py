"""A text as its reader sees it: tables of Markdown, and lines of prose cut into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dexter.figures.exclusions import NUMBERING

_RULE = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_CELL = re.compile(r"(?:\\\||[^|])*")
_LINE = re.compile(r"[^\n]*\n?")
# A sentence ends before a capital; a full stop after an abbreviation ends nothing.
_SENTENCE_END = re.compile(
    r"(?<!\bInc\.)(?<!\bCorp\.)(?<!\bCo\.)(?<!\bLtd\.)(?<!\bvs\.)(?<!\bU\.S\.)(?<!\bapprox\.)(?<!\bi\.e\.)(?<!\be\.g\.)"
    r"(?<=[.!?])[\"”’)*\]]*\s+(?=[A-Z\"“‘(\[*#$\d])|(?<=[。！？；])\s*|(?<=;)\s+"
)


@dataclass(frozen=True)
class Span:
    """A part `text[start:end]` of its text, with what it says."""

    start: int
    end: int
    text: str

    def part(self, start: int, end: int) -> Span:
        """A part of it, by places in itself."""
        return Span(self.start + start, self.start + end, self.text[start:end])


@dataclass(frozen=True)
class Table:
    """Rows of cells. `head` is its first row; `rows` are those below the rule, and may be shorter or longer."""

    start: int
    end: int
    head: tuple[Span, ...]
    rows: tuple[tuple[Span, ...], ...]


Block = Table | Span


def blocks(text: str) -> Iterator[Block]:
    """Tables and lines that say something, in order."""
    lines = [Span(match.start(), match.end(), match.group()) for match in _LINE.finditer(text) if match.group()]
    at = 0
    while at < len(lines):
        end = _table_end(lines, at)
        if end:
            yield _table(lines[at:end])
            at = end
            continue
        if lines[at].text.strip():
            yield lines[at]
        at += 1


def sentences(line: Span) -> Iterator[Span]:
    """The sentences of a line, in order."""
    start = 0
    for match in _SENTENCE_END.finditer(line.text):
        if _is_open(line.text[start : match.start()]) or NUMBERING.fullmatch(line.text, start, match.start()):
            continue
        if line.text[start : match.start()].strip():
            yield line.part(start, match.start())
        start = match.end()
    if line.text[start:].strip():
        yield line.part(start, len(line.text))


def _is_open(text: str) -> bool:
    """Whether a bracket is still open at the end of a text."""
    return text.count("(") + text.count("（") > text.count(")") + text.count("）")


def _table_end(lines: Sequence[Span], at: int) -> int:
    """Where a table that begins here ends; 0 where none does. Its second line is a rule."""
    if "|" not in lines[at].text or at + 1 >= len(lines) or "-" not in lines[at + 1].text:
        return 0
    if not _RULE.fullmatch(lines[at + 1].text.rstrip("\n")):
        return 0
    end = at + 2
    while end < len(lines) and "|" in lines[end].text:
        end += 1
    return end


def _table(lines: Sequence[Span]) -> Table:
    head, *rows = (_cells(line) for index, line in enumerate(lines) if index != 1)
    return Table(lines[0].start, lines[-1].end, head, tuple(rows))


def _cells(line: Span) -> tuple[Span, ...]:
    text = line.text.rstrip()
    start = len(text) - len(text.lstrip())
    start += text[start : start + 1] == "|"
    end = len(text) - (text.endswith("|") and not text.endswith("\\|"))
    cells = []
    while start <= end:
        match = _CELL.match(text, start, end)
        stop = match.end() if match else end
        cells.append(line.part(start, stop))
        start = stop + 1
    return tuple(cells)
