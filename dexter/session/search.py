"""Searching what was asked and answered, over all records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dexter.errors import ScratchpadError
from dexter.scratchpad.reader import Line, read_lines
from dexter.scratchpad.runs import RunSummary

_AROUND = 60


@dataclass(frozen=True)
class Hit:
    """A run whose question or answer holds the text, and the words around its first place."""

    run: str
    question: str
    excerpt: str


def search_runs(found: Iterable[RunSummary], text: str) -> list[Hit]:
    """The runs whose questions, queued lines or answers hold the text in any case, in the order given."""
    return [Hit(run.run, run.question, excerpt) for run in found if (excerpt := _first_place(run, text))]


def _first_place(run: RunSummary, text: str) -> str:
    wanted = text.casefold()
    try:
        for line in read_lines(run.path):
            said = _said(line) if isinstance(line, Line) else ""
            if (at := said.casefold().find(wanted)) >= 0:
                return _excerpt(said, at, len(text))
    except ScratchpadError:
        return ""
    return ""


def _said(line: Line) -> str:
    record = line.record
    if line.type == "answer":
        return str(record.get("text", ""))
    if line.type == "message" and record.get("origin") in ("question", "queued"):
        return str(record.get("text", ""))
    return str(record.get("content", "")) if line.type == "init" else ""


def _excerpt(text: str, at: int, length: int) -> str:
    start, stop = max(at - _AROUND, 0), at + length + _AROUND
    before, after = "…" if start else "", "…" if stop < len(text) else ""
    return f"{before}{' '.join(text[start:stop].split())}{after}"
