"""The whole run as one JSON object at its end (`--json`)."""

from __future__ import annotations

from typing import Any

from dexter.errors import DexterError
from dexter.events import (
    Answered,
    Emitted,
    ErrorRaised,
    ModelResponded,
    RunFinished,
    RunStarted,
    ToolFinished,
    ToolStarted,
)


class JsonObjectSink:
    """Collects; `result` is the object: everything a script wants to know of one run, in a stable shape."""

    def __init__(self) -> None:
        self.result: dict[str, Any] = {
            "answer": None,
            "complete": False,
            "figures": [],
            "sources": [],
            "tool_calls": [],
            "turns": 0,
            "usage": None,
            "cost_usd": None,
            "model": None,
            "run": None,
            "conversation": None,
            "path": None,
            "status": "failed",
            "exit_status": 1,
            "error": None,
        }
        self._started: dict[str, ToolStarted] = {}

    def __call__(self, emitted: Emitted) -> None:
        """Take what belongs into the object."""
        event = emitted.event
        if isinstance(event, RunStarted):
            self._set(run=emitted.run, conversation=event.conversation, model=event.model, path=event.path)
        elif isinstance(event, ModelResponded):
            self._set(turns=self.result["turns"] + 1)
        elif isinstance(event, ToolStarted):
            self._started[event.call] = event
        elif isinstance(event, ToolFinished):
            self.result["tool_calls"].append(self._call(event))
        elif isinstance(event, Answered):
            figures, sources = list(event.figures), list(event.sources)
            self._set(answer=event.text, complete=event.complete, figures=figures, sources=sources)
        elif isinstance(event, ErrorRaised):
            self._set(error=event.to_json())
        elif isinstance(event, RunFinished):
            self._set(**{**event.to_json(), "cost_usd": event.cost_usd or None})

    def fail(self, error: DexterError) -> None:
        """Take an error that ended the run, or kept it from beginning."""
        kind = getattr(error, "kind", type(error).__name__)
        self._set(
            error={"kind": kind, "message": error.message, "remedy": error.remedy}, exit_status=int(error.exit_status)
        )

    def _set(self, **values: Any) -> None:
        self.result.update(values)

    def _call(self, event: ToolFinished) -> dict[str, Any]:
        started = self._started.pop(event.call, None)
        named = {"tool": event.tool, "arguments": dict(started.arguments) if started else {}}
        return {"call": event.call, **named, "result": event.result, "status": event.status, "chars": event.chars}
