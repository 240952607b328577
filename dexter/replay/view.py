"""The exact messages of one model call, rebuilt from the file and proved by their hash."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dexter.errors import UsageError
from dexter.messages import (
    AssistantMessage,
    MediaBlock,
    Message,
    Messages,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    UserMessage,
    canonical_json,
)
from dexter.replay.paper import Paper
from dexter.scratchpad.reader import BadLine, Line, read_lines
from dexter.scratchpad.rebuild import SentView, ViewFold
from dexter.scratchpad.view import view_hash
from dexter.ui.cards import Line as Told
from dexter.ui.literal import literal_line
from dexter.ui.words import counted

_BASE64_BYTES = 3 / 4


@dataclass(frozen=True)
class RebuiltView:
    """What a call was sent, as the file says it.

    `calls` is how many calls the turn made (more after an overflow or a resume; this is the last), `damaged` how many
    lines before it could not be used.
    """

    turn: int
    calls: int
    messages: Messages
    tools: tuple[ToolSpec, ...]
    recorded_hash: str
    rebuilt_hash: str
    tokens_estimated: int
    damaged: int

    @property
    def is_proved(self) -> bool:
        """Whether this is, byte for byte, what was sent."""
        return self.recorded_hash == self.rebuilt_hash

    def to_json(self) -> dict[str, Any]:
        """A JSON object with every message and tool as recorded."""
        return {
            "turn": self.turn,
            "view_hash": self.recorded_hash,
            "rebuilt_hash": self.rebuilt_hash,
            "proved": self.is_proved,
            "tokens_estimated": self.tokens_estimated,
            "tools": [tool.to_json() for tool in self.tools],
            "messages": [{"id": message.id, **message.content_json()} for message in self.messages],
        }


def rebuild_view(path: Path, turn: int) -> RebuiltView:
    """The view of a turn's last call, in one pass over the file, which ends with the turn.

    Raises:
        UsageError: the file holds no call of this turn.
        ScratchpadError: the file cannot be read.
    """
    fold, damaged, calls = ViewFold(), 0, 0
    found: tuple[SentView, int, int] | None = None
    newest = 0
    for line in read_lines(path):
        if isinstance(line, Line) and line.type == "model_call":
            newest = line.record["turn"] if isinstance(line.record.get("turn"), int) else newest
            if newest > turn:
                break
            if newest < turn:
                continue
        sent = line if isinstance(line, BadLine) else fold.feed(line)
        if isinstance(sent, BadLine):
            damaged += 1
        elif sent is not None and isinstance(line, Line):
            estimated = line.record.get("tokens_estimated")
            found, calls = (sent, estimated if isinstance(estimated, int) else 0, damaged), calls + 1
    if found is None:
        raise _no_call(path, turn, newest)
    view, tokens, damaged = found
    rebuilt = view_hash(view.messages, view.tools)
    return RebuiltView(turn, calls, view.messages, view.tools, view.recorded_hash, rebuilt, tokens, damaged)


def _no_call(path: Path, turn: int, newest: int) -> UsageError:
    name = path.name.removesuffix(".jsonl")
    if not newest:
        return UsageError(
            f"{name} holds no model call, so there is no view to rebuild.",
            remedy="Without --view you see what is on record; the original's files record results only.",
        )
    return UsageError(f"{name} has no model call in turn {turn}.", remedy=f"Its calls are of turns 1 to {newest}.")


def print_view(view: RebuiltView, paper: Paper) -> None:
    """Proof first, then every message as it was sent."""
    paper.told(Told(f"turn {view.turn}: what the model was sent"))
    sizes = (
        counted(len(view.messages), "message"),
        counted(len(view.tools), "tool"),
        f"about {view.tokens_estimated:,} tokens",
        *((f"the last of {view.calls} calls in this turn",) if view.calls > 1 else ()),
    )
    paper.told(Told(" · ".join(sizes), "quiet"))
    paper.told(proof(view))
    if view.tools:
        paper.told(Told(f"tools: {', '.join(literal_line(tool.name) for tool in view.tools)}", "quiet"))
    for message in view.messages:
        paper.heading(_title(message))
        paper.text(_body(message), indent=2)


def proof(view: RebuiltView) -> Told:
    """Whether the rebuilt view is what was sent."""
    if view.is_proved:
        return Told(f"view_hash {view.recorded_hash}: proved, this is exactly what was sent", "good", "✓")
    lost = f" {counted(view.damaged, 'line')} before it could not be used." if view.damaged else ""
    return Told(
        f"view_hash {literal_line(view.recorded_hash)}, but what the file gives has {view.rebuilt_hash}: this is not"
        f" exactly what was sent.{lost}",
        "bad",
        "✗",
    )


def _title(message: Message) -> str:
    parts = [message.id, message.role]
    if isinstance(message, UserMessage):
        parts += [message.origin, message.kind]
    elif isinstance(message, ToolMessage):
        parts += [f"#{message.result} {message.tool}", message.call, message.status]
        parts += [] if message.form == "whole" else [f"{message.form} of {message.chars:,} characters"]
    elif isinstance(message, SystemMessage):
        parts.append("prompt")
    return literal_line(" · ".join(filter(None, parts)))


def _body(message: Message) -> str:
    if isinstance(message, AssistantMessage):
        thinking = [f"({block.kind} thinking) {block.text}" for block in message.thinking]
        calls = [f"→ {call.id} {call.name} {call.raw or canonical_json(call.arguments)}" for call in message.tool_calls]
        return "\n".join(filter(None, [*thinking, message.text, *calls]))
    if isinstance(message, ToolMessage) and not isinstance(message.content, str):
        return "\n".join(
            f"({block.media_type}, {len(block.data) * _BASE64_BYTES:,.0f} bytes)"
            if isinstance(block, MediaBlock)
            else block.text
            for block in message.content
        )
    return "\n".join(message.text_parts())
