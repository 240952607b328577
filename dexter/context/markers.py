"""Harness messages that stand for what left the view, and the one that names the results of a hole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dexter.context.mentions import merge_ranges, ranges_text, result_line, without_ids
from dexter.messages import IdRange, Message, Messages, ToolCall, ToolMessage, UserMessage

_HEAD = "Earlier results left out to save room; read_result(id) gives any of them back whole:"
# Harness messages that stand for results which left the view, and give way to a newer one that names them too.
_MARKERS = ("index", "snip")
# Harness messages that stand for what was said and found: they stay.
_SUMMARIES = ("summary", "compacted")


@dataclass(frozen=True)
class Lost:
    """Results that left the view: id ranges, and the newest ones' lines."""

    covers: tuple[IdRange, ...] = ()
    entries: tuple[tuple[int, str], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.covers)


def is_marker(message: Message) -> bool:
    """Whether the message only names results that left the view."""
    return isinstance(message, UserMessage) and message.kind in _MARKERS


def is_summary(message: Message) -> bool:
    """Whether the message stands for an earlier part of the conversation."""
    return isinstance(message, UserMessage) and message.kind in _SUMMARIES


def is_users_own(message: Message) -> bool:
    """Whether the user said it."""
    return isinstance(message, UserMessage) and message.origin != "harness"


def covers_in(messages: Messages) -> tuple[IdRange, ...]:
    """The results these messages hold or stand for."""
    held = [(m.result, m.result) for m in messages if isinstance(m, ToolMessage)]
    return merge_ranges([*held, *(pair for m in messages if isinstance(m, UserMessage) for pair in m.covers)])


def lost_in(messages: Messages, calls: Mapping[str, ToolCall], chars: int) -> Lost:
    """The results these messages hold or stand for, with their lines; arguments are cut at `chars`."""
    entries: list[tuple[int, str]] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            entries.append((message.result, result_line(message, calls.get(message.call), chars)))
        elif isinstance(message, UserMessage):
            entries.extend(message.entries)
    return Lost(covers_in(messages), tuple(sorted(entries)))


def index_message(message_id: str, lost: Lost, lines: int) -> UserMessage:
    """The message that names lost results: the newest `lines` one by one, the rest as ranges."""
    listed = lost.entries[-lines:] if lines else ()
    rest = without_ids(lost.covers, (number for number, _ in listed))
    parts: Sequence[str] = [_HEAD, *([ranges_text(rest)] if rest else []), *(line for _, line in listed)]
    return UserMessage(message_id, "\n".join(parts), "harness", "index", lost.covers, listed)
