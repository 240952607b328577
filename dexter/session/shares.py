"""Where the tokens of a view are: `/context`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dexter.messages import AssistantMessage, Message, Messages, SystemMessage, ToolMessage, ToolSpec, UserMessage
from dexter.scratchpad.run_state import RunState

_SUMMARIES = frozenset({"summary", "compacted"})


@dataclass(frozen=True)
class Share:
    """A part of the view, in estimated tokens, and of how many messages (or tools) it is made."""

    name: str
    tokens: int
    count: int


def shares(messages: Messages, tools: Sequence[ToolSpec]) -> list[Share]:
    """System prompt, tools, conversation, the results of each tool, summaries and notes; the largest results first."""
    tokens: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for message in messages:
        name = _part(message)
        tokens[name] += message.tokens
        counts[name] += 1
    results = sorted((name for name in tokens if name.startswith("results")), key=lambda name: -tokens[name])
    fixed = Share("tool definitions", sum(tool.tokens for tool in tools), len(tools))
    named = [Share(name, tokens[name], counts[name]) for name in ("system prompt", "conversation", *results, *_HARNESS)]
    return [share for share in (named[0], fixed, *named[1:]) if share.count]


def tokens_of(state: RunState) -> int:
    """What the view of a run holds, in estimated tokens."""
    return sum(share.tokens for share in shares(state.messages, state.view.tools))


_HARNESS = ("summary", "notes of the harness")


def _part(message: Message) -> str:
    if isinstance(message, SystemMessage):
        return "system prompt"
    if isinstance(message, ToolMessage):
        return f"results of {message.tool}"
    if isinstance(message, AssistantMessage) or message.origin != "harness":
        return "conversation"
    return _HARNESS[0] if isinstance(message, UserMessage) and message.kind in _SUMMARIES else _HARNESS[1]
