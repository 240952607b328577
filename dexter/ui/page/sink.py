"""A run's events gathered into what stands on its page: a sink like any other, live or replayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dexter.events import (
    Answered,
    ContextUsed,
    Emitted,
    ErrorRaised,
    Event,
    ModelCall,
    ModelResponded,
    RunFinished,
    RunStarted,
    StageRan,
    Subagent,
    TextDelta,
    ToolFinished,
    ToolProgress,
    ToolStarted,
)
from dexter.ui.page.content import PageCall, PageContent, PageItem, PageSubagent, PageText, PageTurn
from dexter.ui.telling import tell
from dexter.ui.tools import outcome
from dexter.ui.words import arguments


@dataclass
class _Turn:
    """A turn while it is gathered. `calls` and `subagents` tell where each stands among the items."""

    number: int
    at: str
    tokens: int | None = None
    responded: ModelResponded | None = None
    items: list[PageItem] = field(default_factory=list)
    calls: dict[str, int] = field(default_factory=dict)
    subagents: dict[str, int] = field(default_factory=dict)
    cuts: list[tuple[str, int, int]] = field(default_factory=list)

    def put_subagent(self, subagent: PageSubagent) -> None:
        """Where it stands already, or at the end."""
        place = self.subagents.setdefault(subagent.run, len(self.items))
        self.items[place : place + 1] = [subagent]

    def done(self, paths: Mapping[int, str]) -> PageTurn:
        items = (
            replace(item, path=paths.get(item.result, "")) if isinstance(item, PageCall) else item
            for item in self.items
        )
        usage, cost = (self.responded.usage, self.responded.cost_usd) if self.responded else (None, "")
        return PageTurn(self.number, self.at, self.tokens, usage, cost, tuple(items), tuple(self.cuts))


class PageSink:
    """Gathers; `content` is the page so far."""

    def __init__(self) -> None:
        self._content = PageContent()
        self._turns: dict[int, _Turn] = {}
        self._paths: dict[int, str] = {}

    @property
    def content(self) -> PageContent:
        """What was told until now."""
        return replace(self._content, turns=tuple(turn.done(self._paths) for turn in self._turns.values()))

    def __call__(self, emitted: Emitted) -> None:
        """Take one event."""
        event, content = emitted.event, self._content
        self._content = replace(content, run=emitted.run, started=content.started or emitted.ts, ended=emitted.ts)
        if isinstance(event, RunStarted) and self._content.beginning is None:
            self._content = replace(self._content, beginning=event)
        elif isinstance(event, Answered):
            self._content = replace(self._content, answer=event)
        elif isinstance(event, RunFinished):
            self._content = replace(self._content, finish=event)
        else:
            self._take(event, self._turn(emitted))
        if isinstance(event, ErrorRaised):
            self._content = replace(self._content, errors=(*content.errors, f"{event.message} {event.remedy}".strip()))

    def _turn(self, emitted: Emitted) -> _Turn:
        return self._turns.setdefault(emitted.turn, _Turn(emitted.turn, emitted.ts))

    def _take(self, event: Event, turn: _Turn) -> None:
        match event:
            case TextDelta() | ToolProgress():
                return
            case ModelCall():
                turn.tokens = turn.tokens or event.tokens_estimated
            case ContextUsed():
                return
            case ModelResponded():
                turn.responded, turn.tokens = event, event.usage.input or turn.tokens
                if event.text.strip() and event.tool_calls:  # without calls it is the answer, which stands apart
                    turn.items.append(PageText(event.text.strip()))
            case ToolStarted():
                turn.calls[event.call] = len(turn.items)
                turn.items.append(PageCall(event.tool, arguments(event.arguments, whole=True)))
            case ToolFinished():
                self._finished(event, turn)
            case Subagent():
                turn.put_subagent(PageSubagent(event.run, event.status))
            case _:
                self._told(event, turn)

    def _finished(self, event: ToolFinished, turn: _Turn) -> None:
        place = turn.calls.get(event.call)
        begun = turn.items[place] if place is not None else None
        call = begun if isinstance(begun, PageCall) else PageCall(event.tool, "")
        done = replace(
            call,
            result=event.result,
            status=event.status,
            outcome=outcome(replace(event, sources=())),
            sources=tuple(event.sources),
        )
        if place is None:
            turn.items.append(done)
        else:
            turn.items[place] = done

    def _told(self, event: Event, turn: _Turn) -> None:
        if isinstance(event, StageRan):
            self._paths |= _written(event.report)
            if event.tokens_after < event.tokens_before:
                turn.cuts.append((event.name, event.tokens_before, event.tokens_after))
        if told := tell(event):
            turn.items.append(told)


def _written(report: Mapping[str, Any]) -> dict[int, str]:
    """The files that results were written to, as a stage reports them."""
    items = report.get("persisted")
    found = [item for item in items if isinstance(item, Mapping)] if isinstance(items, list | tuple) else []
    return {int(item["result"]): str(item["path"]) for item in found if "result" in item and "path" in item}
