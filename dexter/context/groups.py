"""Messages as the four-level policy counts them."""

from __future__ import annotations

from dexter.messages import Message, Messages, ToolMessage


def groups_of(messages: Messages) -> list[list[Message]]:
    """Each message by itself, but all results of one turn together."""
    groups: list[list[Message]] = []
    for message in messages:
        if isinstance(message, ToolMessage) and groups and isinstance(groups[-1][0], ToolMessage):
            groups[-1].append(message)
        else:
            groups.append([message])
    return groups
