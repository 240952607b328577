"""How results are named in texts the model reads: `#7 get_financials {"ticker":"NVDA"}`, `#2–#18, #20`."""

from __future__ import annotations

import json
from collections.abc import Iterable

from dexter.messages import IdRange, ToolCall, ToolMessage
from dexter.text import cut, one_line


def arguments_text(call: ToolCall | None, limit: int) -> str:
    """A call's arguments on one line, cut at `limit` characters. What could not be read stands as it was sent."""
    if call is None:
        return ""
    if call.arguments is None:
        text = call.raw
    else:
        text = json.dumps(dict(call.arguments), ensure_ascii=False, separators=(",", ":"), default=str)
    text = one_line(text)
    return text if len(text) <= limit else cut(text, limit - 1) + "…"


def result_line(message: ToolMessage, call: ToolCall | None, limit: int) -> str:
    """A result by id, tool and arguments, on one line; of a recalled page also what it was a page of."""
    words = [f"#{message.result}", one_line(message.tool), arguments_text(call, limit)]
    if message.status != "ok":
        words.append(f"[{message.status}]")
    if message.recalls is not None:
        words.append(f"(a page of #{message.recalls})")
    return " ".join(word for word in words if word)


def to_ranges(ids: Iterable[int]) -> tuple[IdRange, ...]:
    """The ids as inclusive ranges, ascending, neighbours joined."""
    return merge_ranges((number, number) for number in ids)


def merge_ranges(ranges: Iterable[IdRange]) -> tuple[IdRange, ...]:
    """The ranges ascending, those that overlap or touch joined."""
    merged: list[IdRange] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return tuple(merged)


def without_ids(ranges: Iterable[IdRange], ids: Iterable[int]) -> tuple[IdRange, ...]:
    """The ranges less some ids."""
    rest = merge_ranges(ranges)
    for number in ids:
        rest = tuple(part for pair in rest for part in _split(pair, number))
    return rest


def _split(pair: IdRange, number: int) -> tuple[IdRange, ...]:
    first, last = pair
    if not first <= number <= last:
        return (pair,)
    return tuple((a, b) for a, b in ((first, number - 1), (number + 1, last)) if a <= b)


def ranges_text(ranges: Iterable[IdRange]) -> str:
    """`#2–#18, #20`."""
    return ", ".join(f"#{first}" if first == last else f"#{first}–#{last}" for first, last in ranges)
