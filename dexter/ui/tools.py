"""A tool call as a line that fills in: arguments, then progress, then size, duration and source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dexter.events import ToolFinished, ToolStarted
from dexter.ui.cards import Line, Tone
from dexter.ui.literal import literal_line
from dexter.ui.words import arguments, counted, cut, seconds, short

_TONES: Mapping[str, Tone] = {"ok": "good", "partial": "warn", "error": "bad", "timeout": "bad", "interrupted": "warn"}
_MARKS: Mapping[Tone, str] = {"good": "✓", "warn": "!", "bad": "✗"}
_SOURCES_SHOWN = 2
_CALL_CELLS = 90


def started_text(event: ToolStarted, *, verbose: bool = False) -> str:
    """The call: name and arguments, cut where it is long."""
    text = f"{literal_line(event.tool)} {arguments(event.arguments, whole=verbose)}".rstrip()
    return text if verbose else cut(text, _CALL_CELLS)


def finished_line(event: ToolFinished, started: ToolStarted | None, *, verbose: bool = False) -> Line:
    """The call with its outcome. `started` is None where its beginning is told already or was not seen."""
    tone = _TONES.get(event.status, "warn")
    call = started_text(started, verbose=verbose) if started else literal_line(event.tool)
    return Line(f"{call} → #{event.result} {outcome(event, verbose=verbose)}", tone, _MARKS[tone])


def outcome(event: ToolFinished, *, verbose: bool = False) -> str:
    """Status where it is not ok, size, duration where it is known, sources."""
    parts = [] if event.status == "ok" else [literal_line(event.status)]
    parts += [f"{short(event.chars)} characters", *([seconds(event.duration_s)] if event.duration_s else [])]
    return " · ".join([*parts, *_sources(event.sources, len(event.sources) if verbose else _SOURCES_SHOWN)])


def _sources(sources: Sequence[Mapping[str, Any]], most: int) -> list[str]:
    names = list(dict.fromkeys(source_name(source) for source in sources))
    more = [f"and {counted(len(names) - most, 'other source')}"] if len(names) > most else []
    return names[:most] + more


def source_name(source: Mapping[str, Any]) -> str:
    """How a source is called in a line."""
    return literal_line(
        str(source.get("title") or source.get("dataset") or source.get("url") or source.get("kind", ""))
    )
