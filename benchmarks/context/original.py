"""The original's context policy, re-enacted: what the first seed describes, without what our specification adds.

Clear over 8 results and keep 4, unseen ones included; strip texts every turn; a list of tool counts every turn; the
last request's count alone against the threshold; compaction to system and one message; truncation to 5 rounds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from dexter.context.policy import Policy
from dexter.context.reports import MicrocompactReport, SoftLimitReport, StripThinkingReport
from dexter.context.stage import RunContext, StageResult
from dexter.context.stages.persist_results import PersistResults
from dexter.context.stages.truncate import Truncate
from dexter.context.stages.turn_budget import TurnBudget
from dexter.messages import AssistantMessage, Messages, ToolMessage, UserMessage

CLEARED = "[Old tool result content cleared]"


@dataclass(frozen=True)
class OriginalMicrocompact:
    """More than 8 whole results, or more than 80,000 tokens of them: the newest 4 stay."""

    name: str = "microcompact"

    def __call__(self, messages: Messages, _ctx: RunContext) -> StageResult:
        """Clear."""
        places = [i for i, m in enumerate(messages) if isinstance(m, ToolMessage) and m.form != "cleared"]
        tokens = sum(-(-messages[i].size // 35 * 10) for i in places)
        if len(places) <= 8 and tokens <= 80_000:
            return StageResult(messages)
        old = set(places[:-4])
        if not old:
            return StageResult(messages)
        view = tuple(
            replace(m, content=CLEARED, form="cleared") if i in old and isinstance(m, ToolMessage) else m
            for i, m in enumerate(messages)
        )
        ids = tuple(m.result for i, m in enumerate(messages) if i in old and isinstance(m, ToolMessage))
        return StageResult(view, MicrocompactReport(ids, 0, "count" if len(places) > 8 else "token"))


@dataclass(frozen=True)
class OriginalStrip:
    """Every turn: texts before calls go but for the last 2."""

    name: str = "strip_thinking"

    def __call__(self, messages: Messages, _ctx: RunContext) -> StageResult:
        """Strip."""
        places = [i for i, m in enumerate(messages) if isinstance(m, AssistantMessage) and m.tool_calls and m.text]
        old = set(places[:-2])
        if not old:
            return StageResult(messages)
        view = tuple(
            replace(m, text="") if i in old and isinstance(m, AssistantMessage) else m for i, m in enumerate(messages)
        )
        return StageResult(view, StripThinkingReport(tuple(messages[i].id for i in sorted(old)), 0, "size"))


@dataclass(frozen=True)
class UsageList:
    """The list of counts, appended every turn."""

    name: str = "soft_limit"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Append the list."""
        if not ctx.calls:
            return StageResult(messages)
        counts = Counter(made.call.name for made in ctx.calls)
        lines = [f"- {tool}: {count}/3 calls" for tool, count in counts.items()]
        text = (
            "## Tool Usage This Query\n\n"
            + "\n".join(lines)
            + "\n\nNote: If a tool is near its limit, consider others."
        )
        notice = UserMessage(ctx.new_id(), text, "harness", "notice")
        return StageResult((*messages, notice), SoftLimitReport((), (), text))


ORIGINAL = Policy(
    "original",
    before_model=(OriginalMicrocompact(), OriginalStrip()),
    on_overflow=(Truncate(on_overflow=True),),
    after_tools=(PersistResults(), TurnBudget(), Truncate(), UsageList()),
)
