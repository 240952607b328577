"""The calls of a run by tool and by word, so that a soft limit costs the same at call 1,000 as at call 10."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Protocol

from dexter.context.similarity import are_similar, query_words
from dexter.messages import ToolCall


class Made(Protocol):
    """A call and the turn it was made in."""

    @property
    def call(self) -> ToolCall:
        """The call."""
        ...


class CallIndex:
    """Grows with the calls; `queries` names each tool's free-text argument."""

    def __init__(self) -> None:
        self._calls: Sequence[Made] = ()
        self._clear()

    def of(self, calls: tuple[Made, ...], queries: Mapping[str, str]) -> CallIndex:
        """This index, brought up to date with `calls`."""
        known = len(self._calls)
        # Calls are only ever appended: where the newest one known still stands in its place, so do those before it.
        if known and (len(calls) < known or calls[known - 1] is not self._calls[-1]):
            self._clear()
            known = 0
        for place in range(known, len(calls)):
            self._add(place, calls[place].call, queries)
        self._calls = calls
        return self

    def count_before(self, place: int) -> int:
        """How many calls of the same tool came before the one at `place`."""
        return bisect_left(self._places[self._calls[place].call.name], place)

    def newest_similar(self, place: int, query: str, least: float) -> ToolCall | None:
        """The newest earlier call of the same tool that the one at `place` repeats, or None."""
        call = self._calls[place].call
        keys = [call.arguments_json, *query_words(call, query)]
        found = {earlier for key in keys for earlier in self._sharing[call.name, key] if earlier < place}
        alike = (self._calls[earlier].call for earlier in sorted(found, reverse=True))
        return next((other for other in alike if are_similar(call, other, query, least)), None)

    def _clear(self) -> None:
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        self._sharing: defaultdict[tuple[str, str], list[int]] = defaultdict(list)

    def _add(self, place: int, call: ToolCall, queries: Mapping[str, str]) -> None:
        self._places[call.name].append(place)
        for key in {call.arguments_json, *query_words(call, queries.get(call.name, ""))}:
            self._sharing[call.name, key].append(place)
