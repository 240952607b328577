"""What stages look for in a view, found once: a view that grew is looked through from where it grew."""

from __future__ import annotations

from dexter.messages import AssistantMessage, Message, Messages, ToolMessage


class ViewIndex:
    """Places in a view, kept up to date as it grows; a view that was edited is looked through anew.

    `results`: results that are not cleared. `loose`: assistant messages with text or thinking before calls.
    `newest_assistant`: place of the newest assistant message, or -1.
    """

    def __init__(self) -> None:
        self._messages: Messages = ()
        self._clear()

    def of(self, messages: Messages) -> ViewIndex:
        """This index, brought up to date with `messages`."""
        known = len(self._messages)
        if messages[:known] != self._messages:  # compares by identity first, so it costs next to nothing
            self._clear()
            known = 0
        for place in range(known, len(messages)):
            self._add(place, messages[place])
        self._messages = messages
        return self

    def _clear(self) -> None:
        self.results: list[int] = []
        self.loose: list[int] = []
        self.newest_assistant = -1

    def _add(self, place: int, message: Message) -> None:
        if isinstance(message, ToolMessage):
            if message.form != "cleared":
                self.results.append(place)
        elif isinstance(message, AssistantMessage):
            self.newest_assistant = place
            if message.tool_calls and (message.text or message.thinking):
                self.loose.append(place)
