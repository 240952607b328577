"""Old texts and unsigned thinking before tool calls leave the view; the calls stay."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal, TypeAlias

from dexter.config.limits import Limits
from dexter.context.reports import MicrocompactReport, StripThinkingReport
from dexter.context.stage import RunContext, StageResult
from dexter.messages import AssistantMessage, Messages, ToolMessage
from dexter.text import estimate_tokens

# A message and its place in the view.
Found: TypeAlias = tuple[int, AssistantMessage]


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
        candidates = ((place, messages[place]) for place in ctx.index.of(messages).loose)
        loose = [(i, m) for i, m in candidates if isinstance(m, AssistantMessage) and _is_loose(m)]
        old = loose[: len(loose) - keep] if len(loose) > keep else []
        if not old:
            return StageResult(messages)
        edited = _edited_round(messages, ctx)
        signed = ctx.index.of(messages).signed
        bound = signed[-1] if signed else -1
        after_edit = [(i, m) for i, m in old if edited is not None and i >= edited]
        every = [(i, m) for i, m in old if i > bound or (edited is not None and i >= edited)]
        if _tokens(every) > over:
            return _strip(messages, every, "size" if len(every) > len(after_edit) else "edit")
        return _strip(messages, after_edit, "edit") if after_edit else StageResult(messages)

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        keep, over = self._numbers(limits)
        return f"after a clearing, or over {over:,} tokens: text and thinking before calls go, the last {keep} stay"

    def _numbers(self, limits: Limits) -> tuple[int, int]:
        keep = limits.keep_thinking if self.keep is None else self.keep
        return keep, limits.strip_thinking_over if self.over is None else self.over


def _is_loose(message: AssistantMessage) -> bool:
    """Whether there is text or thinking that no provider wants back."""
    return bool(message.text) or any(block.kind == "plain" for block in message.thinking)


def _tokens(found: Iterable[Found]) -> int:
    """Tokens of what would be stripped."""
    return sum(
        estimate_tokens(message.text) + sum(estimate_tokens(b.text) for b in message.thinking if b.kind == "plain")
        for _, message in found
    )


def _edited_round(messages: Messages, ctx: RunContext) -> int | None:
    """Where the first round begins in which results were cleared in this very pass."""
    cleared = {r for report in ctx.this_pass if isinstance(report, MicrocompactReport) for r in report.cleared}
    if not cleared:
        return None
    backwards = range(len(messages) - 1, -1, -1)  # what was just cleared stands near the end
    places = (i for i in backwards if isinstance(m := messages[i], ToolMessage) and m.result in cleared)
    first = min(islice(places, len(cleared)), default=None)
    assistants = ctx.index.of(messages).assistants
    return None if first is None else assistants[bisect_left(assistants, first) - 1]


def _strip(messages: Messages, found: Sequence[Found], trigger: Literal["edit", "size"]) -> StageResult:
    view = list(messages)
    for place, message in found:
        bound = tuple(block for block in message.thinking if block.kind != "plain")
        view[place] = replace(message, text="", thinking=bound)
    ids = tuple(message.id for _, message in found)
    return StageResult(tuple(view), StripThinkingReport(ids, _tokens(found), trigger))
