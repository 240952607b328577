"""Old texts and unsigned thinking before tool calls leave the view; the calls stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from dexter.config.limits import Limits
from dexter.context.reports import MicrocompactReport, StripThinkingReport
from dexter.context.stage import RunContext, StageResult
from dexter.messages import AssistantMessage, Message, Messages, ThinkingBlock, ToolMessage


@dataclass(frozen=True)
class StripThinking:
    """Acts only where the cached prefix is lost anyway, or where much would go.

    Signed and demanded thinking is never touched. Signed blocks are bound to the bytes before them: unless those have
    just changed, nothing before such a block is stripped. None takes the numbers from the limits.
    """

    keep: int | None = None
    over: int | None = None
    name: str = "strip_thinking"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Strip all but the newest messages that have something to strip."""
        keep, over = self._numbers(ctx.limits)
        stripped = _stripped(messages, keep, ctx)
        if not stripped:
            return StageResult(messages)
        edited = _edited_round(messages, ctx)
        bound = _last_signed(messages)
        after_edit = {i: m for i, m in stripped.items() if edited is not None and i >= edited}
        every = {i: m for i, m in stripped.items() if i > bound or i in after_edit}
        if _saved(messages, every) > over:
            return _result(messages, every, "size" if len(every) > len(after_edit) else "edit")
        return _result(messages, after_edit, "edit") if after_edit else StageResult(messages)

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        keep, over = self._numbers(limits)
        return f"text and thinking before calls goes but for the last {keep}: after a clearing, or over {over:,} tokens"

    def _numbers(self, limits: Limits) -> tuple[int, int]:
        keep = limits.keep_thinking if self.keep is None else self.keep
        return keep, limits.strip_thinking_over if self.over is None else self.over


def _stripped(messages: Messages, keep: int, ctx: RunContext) -> dict[int, AssistantMessage]:
    """What the messages would become, by place; the newest `keep` of them are left out."""
    candidates = ((place, messages[place]) for place in ctx.index.of(messages).loose)
    found = [(i, m) for i, m in candidates if isinstance(m, AssistantMessage) and _has_loose_parts(m)]
    return {i: replace(m, text="", thinking=_bound(m)) for i, m in found[: max(len(found) - keep, 0)]}


def _has_loose_parts(message: AssistantMessage) -> bool:
    """Whether there is text or unsigned thinking before calls."""
    return bool(message.text) or len(_bound(message)) < len(message.thinking)


def _bound(message: AssistantMessage) -> tuple[ThinkingBlock, ...]:
    """The blocks a provider wants back."""
    return tuple(block for block in message.thinking if block.kind != "plain")


def _edited_round(messages: Messages, ctx: RunContext) -> int | None:
    """Where the first round begins in which results were cleared in this very pass."""
    cleared = {r for report in ctx.this_pass if isinstance(report, MicrocompactReport) for r in report.cleared}
    start: int | None = None
    for index, message in enumerate(messages):
        if isinstance(message, AssistantMessage):
            start = index
        elif isinstance(message, ToolMessage) and message.result in cleared:
            return start
    return None


def _last_signed(messages: Messages) -> int:
    """Where the newest message with a signed block stands, or -1."""
    return max((i for i, message in enumerate(messages) if _is_signed(message)), default=-1)


def _is_signed(message: Message) -> bool:
    return isinstance(message, AssistantMessage) and any(block.kind == "signed" for block in message.thinking)


def _saved(messages: Messages, stripped: Mapping[int, AssistantMessage]) -> int:
    return sum(messages[i].tokens - message.tokens for i, message in stripped.items())


def _result(
    messages: Messages, stripped: Mapping[int, AssistantMessage], trigger: Literal["edit", "size"]
) -> StageResult:
    view = tuple(stripped.get(i, message) for i, message in enumerate(messages))
    ids = tuple(message.id for message in stripped.values())
    return StageResult(view, StripThinkingReport(ids, _saved(messages, stripped), trigger))
