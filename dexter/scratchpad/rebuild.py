"""From the file alone: the messages of every model call.

Lines are folded in order. What a stage did is in its `view_edit` line and is applied as it stands; no stage is run
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dexter.message_json import message_from_json, text
from dexter.messages import Message, Messages, SystemMessage, ToolMessage, ToolSpec
from dexter.scratchpad.reader import BadLine, Line, read_lines
from dexter.scratchpad.record import tool_message_of
from dexter.scratchpad.view import apply_ops, view_hash

SYSTEM_ID = "m0"
"""The id of the rebuilt system prompt. Its `run` line gives none: it is never edited."""

UNUSABLE = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What a line raises that is good JSON but not what its type promises."""


@dataclass(frozen=True)
class SentView:
    """What one model call was sent. `number` counts the file's calls from 1; `offset` is where the call's line is."""

    number: int
    turn: int
    offset: int
    messages: Messages
    tools: tuple[ToolSpec, ...]
    recorded_hash: str

    @property
    def agrees(self) -> bool:
        """Whether the rebuilt view is exactly the one that was sent."""
        return view_hash(self.messages, self.tools) == self.recorded_hash


def sent_views(scratchpad: Path) -> Iterator[SentView | BadLine]:
    """The view of every model call in the file, and the lines that could not be read or used.

    Raises:
        ScratchpadError: The file cannot be read.
    """
    fold = ViewFold()
    for line in read_lines(scratchpad):
        view = line if isinstance(line, BadLine) else fold.feed(line)
        if view is not None:
            yield view


class ViewFold:
    """The view as the lines fed so far leave it."""

    def __init__(self) -> None:
        self.tools: tuple[ToolSpec, ...] = ()
        self._messages: list[Message] = []
        self._waiting: dict[int, ToolMessage] = {}
        self._calls = 0

    @property
    def messages(self) -> Messages:
        """The view now."""
        return tuple(self._messages)

    @property
    def waiting(self) -> tuple[ToolMessage, ...]:
        """Results on record that have not entered the view, in the order they were recorded."""
        return tuple(self._waiting.values())

    def feed(self, line: Line) -> SentView | BadLine | None:
        """Take one line: a `model_call` gives the view that was sent; one that is not usable comes back as bad."""
        try:
            if line.type == "model_call":
                return self._sent(line)
            self._take(line.type, line.record)
        except UNUSABLE:
            return BadLine(line.offset, line.length, "wrong fields")
        return None

    def _take(self, kind: str, record: Mapping[str, Any]) -> None:
        if kind == "run":
            self.tools = tuple(map(_tool, record["tools"]))
            self._enter(SystemMessage(SYSTEM_ID, text(record["system"])))
        elif kind == "message":
            self._enter(self._message(record))
        elif kind == "model_turn":
            self._enter(message_from_json(record["message"]))
        elif kind == "tool_result" and "message" in record:
            message = tool_message_of(record)
            self._waiting[message.result] = message
        elif kind == "view_edit":
            self._messages = list(apply_ops(self.messages, record["ops"]))

    def _message(self, record: Mapping[str, Any]) -> Message:
        """A `message` line holds the message, or names the result whose line holds it."""
        if record["role"] != "tool":
            return message_from_json(record)
        waiting = self._waiting.pop(record["result"], None)
        return message_from_json(record) if "content" in record or waiting is None else waiting

    def _enter(self, message: Message) -> None:
        if not isinstance(message, SystemMessage):
            self._messages.append(message)
        else:
            old = self._messages[:1]
            self._messages[: sum(isinstance(first, SystemMessage) for first in old)] = [message]

    def _sent(self, line: Line) -> SentView:
        self._calls += 1
        turn, recorded = int(line.record["turn"]), str(line.record["view_hash"])
        return SentView(self._calls, turn, line.offset, self.messages, self.tools, recorded)


def _tool(data: Mapping[str, Any]) -> ToolSpec:
    return ToolSpec(text(data["name"]), text(data["description"]), dict(data["parameters"]))
