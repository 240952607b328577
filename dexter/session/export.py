"""A conversation as a document: questions, answers, sources, figures."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dexter.data.export import csv_text
from dexter.messages import Messages, UserMessage
from dexter.results import Cell
from dexter.scratchpad.reader import Line, read_lines
from dexter.scratchpad.run_state import RunState
from dexter.scratchpad.runs import ancestors


@dataclass(frozen=True)
class Exchange:
    """One run: what was asked in it, its answer ('' where it has none), sources and figures."""

    run: str
    started: str
    model: str
    asked: Sequence[str]
    answer: str
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
    """Questions as headings, answers as they are, sources as lists."""
    return "\n\n".join("\n\n".join(_sections(exchange)) for exchange in record) + "\n"


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
            cells.extend(map(Cell.from_json, line.record.get("cells", ())))
    answer = state.answer or {}
    settings = state.header.get("settings") or {}
    return Exchange(
        run=path.stem,
        started=state.started,
        model=str(settings.get("model", "")),
        asked=[state.question, *_queued(state.messages)],
        answer=str(answer.get("text", "")),
        sources=answer.get("sources", state.sources),
        cells=cells,
    )


def _queued(messages: Messages) -> Iterator[str]:
    """What the user added while the newest question was answered."""
    said = [m for m in messages if isinstance(m, UserMessage) and m.origin != "harness"]
    newest = max((n for n, message in enumerate(said) if message.origin == "question"), default=-1)
    return (message.text for message in said[newest + 1 :])


def _sections(exchange: Exchange) -> Iterator[str]:
    first, *more = exchange.asked
    yield f"# {' '.join(first.split())}"
    yield from (f"*And: {' '.join(line.split())}*" for line in more)
    yield exchange.answer or "*(no answer: the run was cut off)*"
    if exchange.sources:
        yield "Sources:\n\n" + "\n".join(f"- {_source(source)}" for source in exchange.sources)
    yield f"*{exchange.model} · {exchange.started[:10]} · run {exchange.run}*"


def _source(source: Mapping[str, Any]) -> str:
    parts = (source.get("title") or source.get("dataset"), source.get("accession"), source.get("url"))
    return " · ".join(str(part) for part in parts if part) or str(source.get("kind", "source"))


def _object(exchange: Exchange) -> dict[str, Any]:
    return {
        "run": exchange.run,
        "started": exchange.started,
        "model": exchange.model,
        "asked": list(exchange.asked),
        "answer": exchange.answer,
        "sources": [dict(source) for source in exchange.sources],
        "figures": [cell.to_json() for cell in exchange.cells],
    }
