"""What a view holds for the planner: the questions still open, read as a conversation, and the results it may use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dexter.attached import as_typed
from dexter.messages import AssistantMessage, Messages, ToolMessage, UserMessage, question_index
from dexter.offline.intent import Intent
from dexter.offline.usual import completed
from dexter.results import StoredResult

Understand = Callable[[str], Intent]
ReadResult = Callable[[int], StoredResult]


@dataclass(frozen=True)
class Open:
    """The questions not answered yet, in order, and the ids of the results that belong to them."""

    intents: tuple[Intent, ...]
    results: tuple[int, ...]


def read_conversation(messages: Messages, understand: Understand) -> Open:
    """Read the user's lines in order, each as a follow-up to the one before; an answer closes what was open.

    Where the harness asks to go on right after an answer, as in a run that is taken up again, it was none.
    """
    opened: list[Intent] = []
    closed: list[Intent] = []
    before: Intent | None = None
    for message in messages:
        if isinstance(message, UserMessage) and message.origin != "harness":
            before, opened = _next(understand(as_typed(message.text)), before, opened)
            closed = []
        elif isinstance(message, UserMessage):
            opened, closed = [*closed, *opened], []
        elif isinstance(message, AssistantMessage) and message.text and not message.tool_calls:
            opened, closed = [], opened
        if message is messages[question_index(messages)]:
            opened = opened[-1:]
    return Open(tuple(completed(intent) for intent in opened), tuple(sorted(set(_visible(messages)))))


def _next(intent: Intent, before: Intent | None, opened: list[Intent]) -> tuple[Intent, list[Intent]]:
    """A line that only adds to the one before takes its place; one of its own stands beside it."""
    merged = intent.after(before)
    replaces = bool(opened) and merged != intent
    return merged, [*(opened[:-1] if replaces else opened), merged]


def _visible(messages: Messages) -> Iterator[int]:
    """Result ids of this run that the view names: whole, shortened, cleared, or in a line of the harness."""
    for message in messages[question_index(messages) + 1 :]:
        if isinstance(message, ToolMessage):
            yield message.result
        elif isinstance(message, UserMessage) and message.origin == "harness":
            for first, last in message.covers:
                yield from range(first, last + 1)


def stored(ids: Sequence[int], read: ReadResult) -> Iterator[StoredResult]:
    """Those results, as far as they can be read."""
    for number in ids:
        try:
            yield read(number)
        except KeyError:
            continue
