"""Signed thinking: kept with its place in the turn, sent back verbatim, left out where it no longer holds.

A signature covers every byte before its block. Each block carries the hash of the view it was made under (`prefix`); a
view whose beginning hashes otherwise has been edited, and the provider would refuse the block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dexter.messages import AssistantMessage, Messages, ThinkingBlock, ToolSpec
from dexter.scratchpad.view import view_hash

SIGNED_TYPES = ("thinking", "redacted_thinking")


@dataclass(frozen=True)
class Segment:
    """A run of one block of a turn: `kind` thinking, text or call; `chars` of the turn's text it holds."""

    kind: str
    chars: int = 0


def keep_block(block: Mapping[str, Any], model: str, layout: Sequence[Segment] = ()) -> ThinkingBlock:
    """A provider's thinking block as it is recorded; the first one of a turn carries the turn's `layout`."""
    verbatim: dict[str, Any] = {"block": dict(block), "model": model}
    if layout:
        verbatim["layout"] = [[segment.kind, segment.chars] for segment in layout]
    return ThinkingBlock(str(block.get("thinking", "")), "signed", verbatim)


def own_block(block: ThinkingBlock, model: str) -> Mapping[str, Any] | None:
    """The provider's block to send back, or None: another model's signature is refused."""
    verbatim = block.verbatim or {}
    return verbatim.get("block") if block.kind == "signed" and verbatim.get("model") == model else None


def stale_ids(messages: Messages, tools: Sequence[ToolSpec]) -> frozenset[str]:
    """The assistant messages whose signed thinking was made under another beginning than the view has now."""
    return frozenset(
        message.id
        for place, message in enumerate(messages)
        if isinstance(message, AssistantMessage)
        and (prefixes := {block.prefix for block in message.thinking if block.kind == "signed" and block.prefix})
        and prefixes != {view_hash(messages[:place], tools)}
    )


def segments(message: AssistantMessage) -> Iterator[Segment]:
    """The turn's blocks in the order in which they came; the usual order where that is not known or no longer fits."""
    layout = _layout(message)
    if layout and _fits(layout, message):
        return iter(layout)
    thinking = [Segment("thinking")] * sum(block.kind == "signed" for block in message.thinking)
    text = [Segment("text", len(message.text))] if message.text else []
    return iter([*thinking, *text, *[Segment("call")] * len(message.tool_calls)])


def _layout(message: AssistantMessage) -> list[Segment]:
    first = next((block for block in message.thinking if block.verbatim and "layout" in block.verbatim), None)
    pairs = first.verbatim.get("layout", ()) if first and first.verbatim else ()
    return [Segment(str(kind), int(chars)) for kind, chars in pairs]


def _fits(layout: Sequence[Segment], message: AssistantMessage) -> bool:
    signed = sum(block.kind == "signed" for block in message.thinking)
    return (
        sum(segment.chars for segment in layout) == len(message.text)
        and sum(segment.kind == "call" for segment in layout) == len(message.tool_calls)
        and sum(segment.kind == "thinking" for segment in layout) == signed
    )
