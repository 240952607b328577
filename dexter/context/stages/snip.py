"""Too many messages: a marker takes the place of the middle, the user's lines stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dexter.config.limits import Limits
from dexter.context.groups import groups_of
from dexter.context.markers import covers_in, is_marker, is_summary, is_users_own
from dexter.context.mentions import ranges_text
from dexter.context.reports import SnipReport
from dexter.context.stage import RunContext, StageResult
from dexter.context.tokens import estimate
from dexter.messages import AssistantMessage, IdRange, Message, Messages, ToolMessage, UserMessage, question_index

_COUNT = re.compile(r"\[snipped (\d+) messages\]")


@dataclass(frozen=True)
class Snip:
    """From this question on, keeps `head` messages, the newest, and between them one marker and the user's lines.

    All results of one turn count as one message, and a call is never parted from its results. At most `most` messages
    remain, marker included; the newest turn always does. None takes the numbers from the limits.
    """

    most: int | None = None
    head: int | None = None
    name: str = "snip"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Snip if there are too many messages and it makes the view smaller."""
        most, head = self._numbers(ctx.limits)
        start = max(question_index(messages), 1)
        groups = groups_of(messages[start:])
        if len(groups) <= most:
            return StageResult(messages)
        first, last = _ends(groups, head, most)
        middle = _flat(groups[first:last])
        gone = tuple(message for message in middle if not _stays(message))
        if not gone:
            return StageResult(messages)
        count = _count(gone)
        marker = _marker(ctx.new_id(), count, covers_in(gone))
        kept = (message for message in middle if _stays(message))
        view = (*messages[:start], *_flat(groups[:first]), marker, *kept, *_flat(groups[last:]))
        if estimate(view) >= estimate(messages):
            return StageResult(messages)
        lost = tuple(message.result for message in gone if isinstance(message, ToolMessage))
        return StageResult(view, SnipReport(count, lost))

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        most, head = self._numbers(limits)
        return f"over {most} messages: the first {head}, the newest and a marker between, {most} in all"

    def _numbers(self, limits: Limits) -> tuple[int, int]:
        most = limits.snip_messages if self.most is None else self.most
        return most, limits.snip_head if self.head is None else self.head


def _flat(groups: Iterable[Sequence[Message]]) -> Messages:
    return tuple(message for group in groups for message in group)


def _ends(groups: Sequence[Sequence[Message]], head: int, most: int) -> tuple[int, int]:
    """Where the head ends and the tail begins, so that `most` remain and no call is parted from its results."""
    while head < len(groups) and isinstance(groups[head][0], ToolMessage):
        head += 1
    newest = max((i for i, group in enumerate(groups) if isinstance(group[0], AssistantMessage)), default=len(groups))
    tail, remaining = head, len(groups) + 1
    while tail < newest and (remaining > most or isinstance(groups[tail][0], ToolMessage)):
        remaining -= 0 if _stays(groups[tail][0]) else 1
        tail += 1
    return head, max(tail, head)


def _stays(message: Message) -> bool:
    """What the user said and what stands for earlier work outlives a snip."""
    return is_users_own(message) or is_summary(message)


def _count(gone: Messages) -> int:
    """How many messages are gone, those that an older marker stands for included."""
    older = [m for m in gone if is_marker(m)]
    return len(groups_of(tuple(m for m in gone if not is_marker(m)))) + sum(map(_stood_for, older))


def _stood_for(marker: Message) -> int:
    match = _COUNT.match(marker.text) if isinstance(marker, UserMessage) else None
    return int(match[1]) if match else 1


def _marker(message_id: str, count: int, covers: tuple[IdRange, ...]) -> UserMessage:
    results = f" Results {ranges_text(covers)}: read_result(id) gives any of them back whole." if covers else ""
    return UserMessage(message_id, f"[snipped {count} messages]{results}", "harness", "snip", covers)
