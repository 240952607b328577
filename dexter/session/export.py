"""A conversation as a document: questions, answers, sources, figures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dexter.attached import as_typed
from dexter.data.export import csv_text
from dexter.messages import Messages, UserMessage
from dexter.replay.events import run_events
from dexter.replay.page import conversation_page
from dexter.replay.read import read_timeline
from dexter.results import Cell
from dexter.scratchpad.reader import Line, read_lines
from dexter.scratchpad.run_state import RunState
from dexter.scratchpad.runs import ancestors
from dexter.ui.literal import literal_line
from dexter.ui.report import ReportSink


@dataclass(frozen=True)
class Exchange:
    """One run: what was asked in it, its answer ('' where it has none) with its checked figures, sources, all cells."""

    path: Path
    started: str
    model: str
    asked: Sequence[str]
    answer: str
    figures: Sequence[Mapping[str, Any]]
    sources: Sequence[Mapping[str, Any]]
    cells: Sequence[Cell]


Record = Sequence[Exchange]
"""A conversation, oldest run first."""


def read_conversation(newest: Path) -> Record:
    """The conversation that the run in `newest` is the newest of.

    Raises:
        ScratchpadError: a file cannot be read.
    """
    return [_exchange(path) for path in (*reversed(ancestors(newest)), newest)]


def as_markdown(record: Record) -> str:
    """One report a run: question, what was added to it, answer, figures, sources."""
    return "\n\n---\n\n".join(_report(exchange) for exchange in record) + "\n"


def as_page(record: Record) -> str:
    """One self-contained HTML page: every question with its answer, figures, sources and timeline."""
    return conversation_page([read_timeline(exchange.path) for exchange in record])


def as_json(record: Record) -> str:
    """One object a run. Figures stay decimal strings."""
    return json.dumps([_object(exchange) for exchange in record], ensure_ascii=False, indent=2) + "\n"


def as_csv(record: Record) -> str:
    """All figures in long form, each once."""
    return csv_text(dict.fromkeys(cell for exchange in record for cell in exchange.cells))


def _exchange(path: Path) -> Exchange:
    state, cells = RunState(path), list[Cell]()
    for line in read_lines(path):
        state.feed(line)
        if isinstance(line, Line) and line.type == "tool_result":
            cells.extend(Cell.readable(line.record.get("cells")))
    answer = state.answer or {}
    settings = state.header.get("settings") or {}
    return Exchange(
        path=path,
        started=state.started,
        model=str(settings.get("model", "")),
        asked=[as_typed(line) for line in (state.question, *_queued(state.messages))],
        answer=str(answer.get("text", "")),
        figures=answer.get("figures", ()),
        sources=answer.get("sources", state.sources),
        cells=cells,
    )


def _queued(messages: Messages) -> Iterator[str]:
    """What the user added while the newest question was answered."""
    said = [m for m in messages if isinstance(m, UserMessage) and m.origin != "harness"]
    newest = max((n for n, message in enumerate(said) if message.origin == "question"), default=-1)
    return (message.text for message in said[newest + 1 :])


def _report(exchange: Exchange) -> str:
    sink = ReportSink(".md")
    for emitted in run_events(read_timeline(exchange.path)):
        sink(emitted)
    first, *more = exchange.asked
    text = sink.text().strip() or f"# {literal_line(first)}\n\n*There is no answer: the run was cut off.*"
    added = [f"*And: {literal_line(line)}*" for line in more]
    return "\n\n".join([text, *added, f"*{exchange.model} · {exchange.started[:10]} · run {exchange.path.stem}*"])


def _object(exchange: Exchange) -> dict[str, Any]:
    return {
        "run": exchange.path.stem,
        "started": exchange.started,
        "model": exchange.model,
        "asked": list(exchange.asked),
        "answer": exchange.answer,
        "figures": [dict(figure) for figure in exchange.figures],
        "sources": [dict(source) for source in exchange.sources],
        "cells": [cell.to_json() for cell in exchange.cells],
    }
