"""The view of a turn as the record knows it: its hash, and its edits as data.

A stage's work is recorded as the difference it made, on message ids and with the texts it put in place. Rebuilding
applies these edits; no stage is ever run again.

    {"op": "drop", "ids": ["m4", "m5"]}
    {"op": "replace", "id": "m6", "message": {…}}
    {"op": "insert", "after": "m6", "messages": [{…}, …]}      after null: at the beginning, behind the system prompt
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from dexter.message_json import message_from_json
from dexter.messages import Message, Messages, SystemMessage, ToolSpec
from dexter.view_growth import shared_start

Op: TypeAlias = Mapping[str, Any]


def view_hash(messages: Messages, tools: Sequence[ToolSpec]) -> str:
    """Hex sha256 over the digests of system prompt, tools and the other messages, in this order."""
    system = [message.digest for message in messages[:1]]
    digests = [*system, *(tool.digest for tool in tools), *(message.digest for message in messages[1:])]
    return hashlib.sha256("".join(digests).encode("ascii")).hexdigest()


class ViewHasher:
    """`view_hash` of a view that grows: the hash is taken up again at the last mark before what changed."""

    _EVERY = 32  # messages between two marks

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = "".join(tool.digest for tool in tools)
        self._messages: Messages = ()
        self._marks: list[tuple[int, hashlib._Hash]] = []

    def hash(self, messages: Messages) -> str:
        """The same as `view_hash(messages, tools)`."""
        shared = shared_start(self._messages, messages)
        while self._marks and self._marks[-1][0] > shared:
            self._marks.pop()
        self._messages = messages
        done, running = self._marks[-1] if self._marks else (0, hashlib.sha256())
        running = running.copy()
        for place in range(done, len(messages)):
            running.update(messages[place].digest.encode("ascii"))
            if place == 0:
                running.update(self._tools.encode("ascii"))
            if (place + 1) % self._EVERY == 0:
                self._marks.append((place + 1, running.copy()))
        return running.hexdigest()


def diff_view(before: Messages, after: Messages) -> tuple[Op, ...]:
    """The edits that turn one view into the other, as JSON objects; none for equal views.

    Messages are told apart by id. One that changed places is dropped and inserted again.
    """
    start = max(shared_start(before, after) - 1, 0)  # the last common message anchors what is inserted behind it
    before, after = before[start:], after[start:]
    places = {message.id: place for place, message in enumerate(before)}
    staying = _longest_rising([places[message.id] for message in after if message.id in places])
    dropped = [message.id for place, message in enumerate(before) if place not in staying]
    drops: list[Op] = [{"op": "drop", "ids": dropped}] if dropped else []
    old = {before[place].id: before[place] for place in staying}
    replaced = [message for message in after if message.id in old and not _same(old[message.id], message)]
    replaces: list[Op] = [{"op": "replace", "id": message.id, "message": message.to_json()} for message in replaced]
    return (*drops, *replaces, *_inserts(after, old))


def apply_ops(view: Messages, ops: Sequence[Op]) -> Messages:
    """The view after recorded edits.

    Edits of messages that are not there, as in a damaged file, change nothing; what they insert goes to the end.

    Raises:
        KeyError, TypeError, ValueError: The edits are not as `diff_view` writes them.
    """
    dropped = {message for op in ops if op["op"] == "drop" for message in op["ids"]}
    replaced = {op["id"]: message_from_json(op["message"]) for op in ops if op["op"] == "replace"}
    inserted = {op["after"]: list(map(message_from_json, op["messages"])) for op in ops if op["op"] == "insert"}
    system = view[:1] if view and isinstance(view[0], SystemMessage) else ()
    result = [replaced.get(message.id, message) for message in system] + inserted.pop(None, [])
    for message in view[len(system) :]:
        if message.id not in dropped:
            result.append(replaced.get(message.id, message))
        result.extend(inserted.pop(message.id, ()))
    return (*result, *(message for messages in inserted.values() for message in messages))


def _same(old: Message, new: Message) -> bool:
    return old is new or old == new


def _inserts(after: Messages, old: Mapping[str, Message]) -> Iterator[Op]:
    """Neighbouring new messages go in together, behind the message of the old view that they follow."""
    anchor: str | None = None
    pending: list[Message] = []
    for message in after:
        if message.id not in old:
            pending.append(message)
            continue
        if pending:
            yield _insert(anchor, pending)
        anchor, pending = (None if isinstance(message, SystemMessage) else message.id), []
    if pending:
        yield _insert(anchor, pending)


def _insert(anchor: str | None, messages: Sequence[Message]) -> Op:
    return {"op": "insert", "after": anchor, "messages": [message.to_json() for message in messages]}


def _longest_rising(places: list[int]) -> frozenset[int]:
    """The longest run of places that keep their order (patience sorting)."""
    if all(a < b for a, b in pairwise(places)):
        return frozenset(places)
    ends: list[int] = []  # the smallest place that ends a rising run of each length
    before: dict[int, int | None] = {}
    for place in places:
        length = bisect_left(ends, place)
        before[place] = ends[length - 1] if length else None
        ends[length : length + 1] = [place]
    rising: list[int] = []
    place_or_none: int | None = ends[-1]
    while place_or_none is not None:
        rising.append(place_or_none)
        place_or_none = before[place_or_none]
    return frozenset(rising)
