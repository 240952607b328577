"""What the record's readers have to know about the view: which results are cleared, and what the summary covers.

The file never changes; this state is a value beside it, computed anew from the recorded reports.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dexter.results import StoredResult

SEPARATOR = "----- results since this summary -----"


@dataclass(frozen=True)
class ResultState:
    """`boundary` is the id of the last result that `summary` covers, 0 without one."""

    cleared: frozenset[int] = frozenset()
    summary: str | None = None
    boundary: int = 0

    def clear(self, ids: Iterable[int]) -> ResultState:
        """These results have left the view; a placeholder stands there."""
        return replace(self, cleared=self.cleared | frozenset(ids))

    def summarize(self, summary: str, *, newest: int, kept: Iterable[int] = ()) -> ResultState:
        """A summary has replaced the results before the round that is kept.

        Args:
            summary: The summary's text.
            newest: The id of the newest result.
            kept: The ids of the results in the round that is kept verbatim.
        """
        return ResultState(summary=summary, boundary=min((first - 1 for first in kept), default=newest))

    def apply(self, report: Mapping[str, Any]) -> ResultState:
        """The state after a recorded stage report: of a microcompact (`cleared`) or of a compaction that succeeded."""
        state = self
        if report.get("success") and isinstance(report.get("summary"), str):
            state = ResultState(summary=report["summary"], boundary=int(report.get("boundary", 0)))
        cleared = report.get("cleared")
        return state.clear(cleared) if isinstance(cleared, list | tuple) else state


def results_for_summary(state: ResultState, results: Iterable[StoredResult]) -> str:
    """What a summarising model reads: the old summary and every result after it in full, cleared or not.

    Args:
        state: The state now.
        results: The results in order; those the summary covers are left out.
    """
    return _assemble(state, (_heading(result) + "\n" + result.text for result in results if result.id > state.boundary))


def listing(state: ResultState, results: Iterable[StoredResult]) -> str:
    """What a person reads: the same, but cleared results are only named."""
    return _assemble(
        state,
        (
            f"[Tool result #{result.id} cleared from context]"
            if result.id in state.cleared
            else _heading(result) + "\n" + result.text
            for result in results
            if result.id > state.boundary
        ),
    )


def _heading(result: StoredResult) -> str:
    return f"#{result.id} {result.tool} {json.dumps(dict(result.arguments), ensure_ascii=False)} [{result.status}]"


def _assemble(state: ResultState, parts: Iterable[str]) -> str:
    head = [] if state.summary is None else [state.summary, SEPARATOR]
    return "\n\n".join([*head, *parts])
