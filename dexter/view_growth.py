"""How far two views are the same, and views that are known to be longer versions of others."""

from __future__ import annotations

from collections import deque

from dexter.messages import Message, Messages

_GROWN: deque[tuple[Messages, Messages]] = deque(maxlen=32)


def grown(view: Messages, *new: Message) -> Messages:
    """The view with messages appended, remembered for a while as a longer version of `view`.

    Everyone who keeps something about a view asks soon after how far it is still the same; the memory spares them
    comparing thousands of messages. It changes what that costs, never the answer.
    """
    longer = view + new
    _GROWN.append((view, longer))
    return longer


def _grew_from(view: Messages, ancestor: Messages) -> bool:
    if view is ancestor:
        return True
    for shorter, longer in reversed(_GROWN):
        if longer is view:
            view = shorter
            if view is ancestor:
                return True
    return False


def shared_start(one: Messages, other: Messages) -> int:
    """How many messages two views share from the beginning. Each message is compared at most once, in C."""
    if _grew_from(other, one):
        return len(one)
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
