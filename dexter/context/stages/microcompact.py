"""Old results of clearable tools give way to a line that says what they were and how to get them back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from dexter.config.limits import Limits
from dexter.context.mentions import arguments_text, result_line
from dexter.context.previews import Wording, is_smaller
from dexter.context.reports import MicrocompactReport
from dexter.context.stage import RunContext, StageResult
from dexter.messages import Messages, ToolCall, ToolMessage
from dexter.text import cut

CLEARED = "[Old tool result content cleared]"
CLEARED_FOUR_LEVEL = "[Earlier tool result compacted. Re-run if needed.]"


@dataclass(frozen=True)
class Microcompact:
    """Clears in batches, down to well below the trigger, so that the cached prefix breaks seldom.

    `over` results that are still whole start it (count trigger), and so does their size where `by_size`; the newest
    `keep` stay, and those the model has not seen always do. Results of at most `spare` characters are left alone; a
    batch that gains less than `least_gain` tokens is not worth a new prefix. What an earlier clearing left alone counts
    no more: else a few tiny results would start one every turn. None takes the number from the limits.
    """

    over: int | None = None
    keep: int | None = None
    by_size: bool = True
    spare: int = 0
    least_gain: int | None = None
    wording: Wording = "dexter"
    name: str = "microcompact"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Clear old results if there are too many or they are too large."""
        whole = _clearable(messages, ctx)
        left = _newest_cleared(ctx)
        count = sum(message.result > left for _, message in whole)
        trigger, keep = self._plan([message.tokens for _, message in whole], count, ctx)
        if trigger is None:
            return StageResult(messages)
        newest = ctx.index.of(messages).newest_assistant
        old = [(i, message) for i, message in whole[: len(whole) - keep] if i < newest]
        placeholders = self._placeholders(old, ctx.index.calls_between(messages, old), ctx.limits)
        saved = sum(messages[i].tokens - placeholder.tokens for i, placeholder in placeholders.items())
        if not placeholders or saved < self._least_gain(ctx.limits):
            return StageResult(messages)
        view = list(messages)
        for place, placeholder in placeholders.items():
            view[place] = placeholder
        cleared = tuple(placeholder.result for placeholder in placeholders.values())
        return StageResult(tuple(view), MicrocompactReport(cleared, saved, trigger))

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        over, keep = self._numbers(limits)
        size = f" or {limits.clear_over_tokens:,} tokens of them" if self.by_size else ""
        kept = f"the newest {keep}" if keep else "those not yet seen"
        gain = self._least_gain(limits)
        condition = f" (least gain {gain:,})" if gain else ""
        return f"over {over} whole results{size}: all but {kept} become a line{condition}"

    def _numbers(self, limits: Limits) -> tuple[int, int]:
        over = limits.clear_over if self.over is None else self.over
        return over, limits.keep_results if self.keep is None else self.keep

    def _least_gain(self, limits: Limits) -> int:
        return limits.least_gain if self.least_gain is None else self.least_gain

    def _plan(self, sizes: Sequence[int], count: int, ctx: RunContext) -> tuple[Literal["count", "token"] | None, int]:
        """What starts a clearing, if anything, and how many of the newest results may stay."""
        over, keep = self._numbers(ctx.limits)
        most = min(ctx.limits.clear_over_tokens, int(ctx.window * ctx.limits.clear_over_share))
        by_count = count > over
        by_size = self.by_size and sum(sizes) > most
        if by_size:
            keep = min(keep, _fitting(sizes, most // 2))
        if by_count:
            return "count", keep
        return ("token", keep) if by_size else (None, keep)

    def _placeholders(
        self, old: Sequence[tuple[int, ToolMessage]], calls: Mapping[str, ToolCall], limits: Limits
    ) -> dict[int, ToolMessage]:
        """The lines to put in place, where they are shorter."""
        placeholders: dict[int, ToolMessage] = {}
        for place, message in old:
            text = self._placeholder(message, calls.get(message.call), limits)
            cleared = replace(message, content=text, form="cleared", chars=message.chars or len(message.text))
            is_long = message.size > self.spare or message.media_count() > 0
            if is_long and is_smaller(cleared, message):
                placeholders[place] = cleared
        return placeholders

    def _placeholder(self, message: ToolMessage, call: ToolCall | None, limits: Limits) -> str:
        """Constant for a given result: caches hang on it."""
        if self.wording == "four-level":
            return cut(f"{CLEARED_FOUR_LEVEL} #{message.result} {arguments_text(call, limits.argument_chars)}", 120)
        chars = message.chars or len(message.text)
        source = message.recalls if message.recalls is not None else message.result
        line = result_line(message, call, limits.argument_chars)
        return f"{CLEARED} {line} {chars:,} characters; read_result(id={source}) gives it back"


def _clearable(messages: Messages, ctx: RunContext) -> list[tuple[int, ToolMessage]]:
    """Results of clearable tools that are not cleared yet, with their places."""
    results = ((place, messages[place]) for place in ctx.index.of(messages).results)
    return [(i, m) for i, m in results if isinstance(m, ToolMessage) and ctx.traits(m.tool).clearable]


def _newest_cleared(ctx: RunContext) -> int:
    """The newest result that the last clearing replaced: those before it that are whole were not worth it. 0: none."""
    last = next((r for r in reversed(ctx.reports) if isinstance(r, MicrocompactReport)), None)
    return max(last.cleared, default=0) if last else 0


def _fitting(sizes: Sequence[int], room: int) -> int:
    """How many of the last sizes fit the room together; the last always counts as fitting."""
    count = total = 0
    for size in reversed(sizes):
        total += size
        if count and total > room:
            break
        count += 1
    return count
