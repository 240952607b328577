"""Never blocks, only tells: a short list of counts, in a turn in which there is something new to say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from dexter.config.limits import Limits
from dexter.context.call_index import CallIndex
from dexter.context.reports import SoftLimitReport
from dexter.context.stage import RunContext, StageResult
from dexter.messages import Messages, ToolCall, UserMessage
from dexter.text import one_line
from dexter.view_growth import grown

Kind = Literal["limit", "similar", "close"]

_HEAD = "Tool use so far in this run (advice; nothing is blocked):"


@dataclass(frozen=True)
class _Warning:
    """One thing to say about one call: how many came before it, and the call it is like."""

    tool: str
    kind: Kind
    before: int
    call: str
    like: str = ""


@dataclass(frozen=True)
class SoftLimit:
    """Appends one harness notice after the results. What was said is in the reports and is not said again.

    `calls` is how many calls of a tool are plenty, by default that of the limits.
    """

    calls: int | None = None
    name: str = "soft_limit"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Say what is new about this turn's calls, if anything is."""
        plenty = ctx.limits.calls_per_tool if self.calls is None else self.calls
        warnings = [w for w in _warnings(ctx, plenty) if not _was_said(w, ctx)]
        if not warnings:
            return StageResult(messages)
        text = _notice(warnings, plenty)
        notice = UserMessage(ctx.new_id(), text, "harness", "notice")
        report = SoftLimitReport(
            warnings=tuple((w.tool, w.kind, w.before) for w in warnings),
            similar=tuple((w.call, w.like) for w in warnings if w.kind == "similar"),
            text=text,
        )
        return StageResult(grown(messages, notice), report)

    def rule(self, limits: Limits) -> str:
        """What it does, with its numbers."""
        plenty = limits.calls_per_tool if self.calls is None else self.calls
        return f"{plenty} calls of one tool, or a call {limits.similarity:.0%} like an earlier one: a notice"


def _warnings(ctx: RunContext, plenty: int) -> Iterator[_Warning]:
    """What there is to say about each call of this turn, in call order."""
    calls = ctx.calls
    first = len(calls)
    while first and calls[first - 1].turn == ctx.turn:
        first -= 1
    index = ctx.call_index.of(calls, {tool: traits.query for tool, traits in ctx.tools.items()})
    for place in range(first, len(calls)):
        call = calls[place].call
        if ctx.traits(call.name).limited:
            warning = _warning(call, place, index, ctx, plenty)
            if warning:
                yield warning


def _warning(call: ToolCall, place: int, index: CallIndex, ctx: RunContext, plenty: int) -> _Warning | None:
    count = index.count_before(place)
    if _is_milestone(count, plenty):
        return _Warning(call.name, "limit", count, call.id)
    like = index.newest_similar(place, ctx.traits(call.name).query, ctx.limits.similarity)
    if like is not None:
        return _Warning(call.name, "similar", count, call.id, like.id)
    return _Warning(call.name, "close", count, call.id) if count == plenty - 1 else None


def _is_milestone(count: int, plenty: int) -> bool:
    """The limit, or twice, four times, eight times … it."""
    times, rest = divmod(count, plenty)
    return times > 0 and rest == 0 and times & (times - 1) == 0


def _was_said(warning: _Warning, ctx: RunContext) -> bool:
    said = [report for report in ctx.reports if isinstance(report, SoftLimitReport)]
    if warning.kind == "similar":
        return any((warning.call, warning.like) in report.similar for report in said)
    return any((warning.tool, warning.kind, warning.before) in report.warnings for report in said)


def _notice(warnings: Sequence[_Warning], plenty: int) -> str:
    return "\n".join([_HEAD, *(f"- {one_line(w.tool)}: {_sentence(w, plenty)}" for w in warnings)])


def _sentence(warning: _Warning, plenty: int) -> str:
    if warning.kind == "limit":
        return (
            f"called {warning.before} times before the newest call. Try another tool or other words, or finish with"
            " what there is."
        )
    if warning.kind == "close":
        return f"close to the limit ({warning.before + 1} calls of {plenty})."
    left = max(plenty - warning.before - 1, 0)
    attempts = f"{left} attempt{'s' if left != 1 else ''} left" if left else "no attempts left"
    return f"the newest call is very similar to an earlier one; {attempts}."
