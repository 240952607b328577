"""What stages look for in a view, found once: only what changed since the last look is looked through again."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from dexter.messages import AssistantMessage, Message, Messages, ToolCall, ToolMessage, calls_by_id
from dexter.view_growth import shared_start


class ViewIndex:
    """Places in a view, ascending, kept up to date as it grows and is edited.

    `results`: results that are not cleared. `loose`: assistant messages with text or thinking before calls. `signed`:
    assistant messages with signed thinking. `assistants`: all assistant messages.
    """

    def __init__(self) -> None:
        self._messages: Messages = ()
        self.results: list[int] = []
        self.loose: list[int] = []
        self.signed: list[int] = []
        self.assistants: list[int] = []

    @property
    def newest_assistant(self) -> int:
        """Place of the newest assistant message, or -1. Results after it are unseen."""
        return self.assistants[-1] if self.assistants else -1

    def of(self, messages: Messages) -> ViewIndex:
        """This index, brought up to date with `messages`."""
        known = shared_start(self._messages, messages)
        for places in (self.results, self.loose, self.signed, self.assistants):
            del places[bisect_left(places, known) :]
        for place in range(known, len(messages)):
            self._add(place, messages[place])
        self._messages = messages
        return self

    def calls_between(self, messages: Messages, results: Sequence[tuple[int, Message]]) -> dict[str, ToolCall]:
        """The calls of the rounds in which these results stand, by id. `results` are ascending by place."""
        if not results:
            return {}
        first, last = results[0][0], results[-1][0]
        start = max(bisect_left(self.assistants, first) - 1, 0)
        return calls_by_id([messages[place] for place in self.assistants[start:] if place < last])

    def _add(self, place: int, message: Message) -> None:
        if isinstance(message, ToolMessage):
            if message.form != "cleared":
                self.results.append(place)
        elif isinstance(message, AssistantMessage):
            self.assistants.append(place)
            if message.tool_calls and (message.text or message.thinking):
                self.loose.append(place)
            if any(block.kind == "signed" for block in message.thinking):
                self.signed.append(place)
