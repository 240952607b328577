"""The original's context policy, re-enacted: what the first seed describes, without what our specification adds.

Clear over 8 results and keep 4, unseen ones included; strip texts every turn; a list of tool counts every turn; the
last request's count alone against the threshold; compaction to system prompt and one message; truncation to 5 rounds,
without a word on what is gone. Cap and budget of results are ours: they differ from the original's in the wording and
in a budget of 200,000 characters a turn that no session here reaches.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from dexter.config.limits import Limits
from dexter.context.compaction.draft import Draft
from dexter.context.compaction.parse import NoSummaryError
from dexter.context.compaction.prompt import summary_request, task_of
from dexter.context.compaction.summarise import Summary
from dexter.context.mentions import to_ranges
from dexter.context.policy import Policy
from dexter.context.reports import (
    MicrocompactReport,
    SoftLimitReport,
    StripThinkingReport,
    TruncateReport,
    result_state,
)
from dexter.context.stage import RunContext, StageResult
from dexter.context.stages.compact import Compact
from dexter.context.stages.persist_results import PersistResults
from dexter.context.stages.turn_budget import TurnBudget
from dexter.context.text_call import ask_for_text, candidates
from dexter.context.tokens import estimate
from dexter.messages import (
    AssistantMessage,
    Messages,
    ToolMessage,
    UserMessage,
    newest_assistant_index,
    question_index,
    rounds,
)

CLEARED = "[Old tool result content cleared]"
_USAGE_HEAD = "## How often each tool was used"
_USAGE_ADVICE = (
    "A tool that is at its limit has likely told what it can: try another one, other words, or finish now with what"
    " there is."
)
_ANALYSIS = re.compile(r"<analysis>.*?</analysis>", re.DOTALL)
_TAGS = re.compile(r"</?summary>")


def last_request(messages: Messages) -> int:
    """Tokens of the last request, 0 before there was one: what came after it is not seen."""
    newest = newest_assistant_index(messages)
    return estimate(messages[:newest]) if newest >= 0 else 0


@dataclass(frozen=True)
class OriginalMicrocompact:
    """More than 8 whole results, or more than 80,000 tokens of them: the newest 4 stay."""

    over: int = 8
    keep: int = 4
    over_tokens: int = 80_000
    name: str = "microcompact"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Clear."""
        whole = {
            i: m
            for i, m in enumerate(messages)
            if isinstance(m, ToolMessage) and m.form != "cleared" and ctx.traits(m.tool).clearable
        }
        tokens = sum(-(-m.size * 10 // 35) for m in whole.values())  # the original counts 3.5 characters a token
        old = {i: whole[i] for i in list(whole)[: -self.keep]}
        if not old or (len(whole) <= self.over and tokens <= self.over_tokens):
            return StageResult(messages)
        view = tuple(
            replace(old[i], content=CLEARED, form="cleared") if i in old else m for i, m in enumerate(messages)
        )
        trigger = "count" if len(whole) > self.over else "token"
        saved = estimate(messages) - estimate(view)
        return StageResult(view, MicrocompactReport(tuple(m.result for m in old.values()), saved, trigger))

    def rule(self, _limits: Limits) -> str:
        """What it does, with its numbers."""
        return f"over {self.over} results or {self.over_tokens:,} tokens of them: the newest {self.keep} stay"


@dataclass(frozen=True)
class OriginalStrip:
    """Every turn: texts before calls go but for the last 2."""

    keep: int = 2
    name: str = "strip_thinking"

    def __call__(self, messages: Messages, _ctx: RunContext) -> StageResult:
        """Strip."""
        texts = {i: m for i, m in enumerate(messages) if isinstance(m, AssistantMessage) and m.tool_calls and m.text}
        old = {i: texts[i] for i in list(texts)[: -self.keep]}
        if not old:
            return StageResult(messages)
        view = tuple(replace(old[i], text="") if i in old else m for i, m in enumerate(messages))
        saved = estimate(messages) - estimate(view)
        return StageResult(view, StripThinkingReport(tuple(m.id for m in old.values()), saved, "size"))

    def rule(self, _limits: Limits) -> str:
        """What it does, with its numbers."""
        return f"every turn: the newest {self.keep} texts before calls stay"


@dataclass(frozen=True)
class OneMessage:
    """The original's compaction: every result after the boundary to the fast model; prompt and one message remain."""

    least_results: int = 3

    def is_due(self, messages: Messages, ctx: RunContext) -> bool:
        """Whether the last request was over the threshold and there are results enough."""
        if last_request(messages) <= ctx.threshold:
            return False
        fresh = ctx.results.read_after(result_state(ctx.reports).boundary)
        return sum(1 for _ in fresh) >= self.least_results

    async def draft(self, messages: Messages, ctx: RunContext) -> Draft:
        """Summarise in one request, whatever its size, and merge the summary into the question.

        Raises:
            NoSummaryError: the answer was empty.
            ModelError: the model could not be reached.
        """
        state = result_state(ctx.reports)
        results = tuple(ctx.results.read_after(state.boundary))
        request = summary_request(task_of(messages, ""), results, earlier=state.summary, number=1, parts=1)
        model = next(candidates(ctx))
        response = await ask_for_text(model, request, ctx, max_tokens=ctx.limits.summary_room)
        text = _TAGS.sub("", _ANALYSIS.sub("", response.text)).strip()
        if not text:
            raise NoSummaryError("the model answered with nothing")
        ids = [result.id for result in results]
        return Draft(_merged(messages, text), Summary(text, model.info.name), ids[-1], to_ranges(ids))

    def is_tight(self, _view: Messages, _ctx: RunContext) -> bool:
        """The original does not ask."""
        return False

    def when(self, _limits: Limits) -> str:
        """What makes it due, with its numbers."""
        return f"last request over the threshold with {self.least_results} or more new results"

    def what(self, _limits: Limits) -> str:
        """What it makes."""
        return "system prompt, and one message of question and summary"


def _merged(messages: Messages, summary: str) -> Messages:
    question = messages[question_index(messages)]
    asked = question.text if isinstance(question, UserMessage) else ""
    text = f"{asked}\n\nThis goes on from a run that ran out of context.\n\nSummary:\n{summary}\n\nGo on; do not recap."
    return (messages[0], UserMessage(question.id, text, "question"))


@dataclass(frozen=True)
class OriginalTruncate:
    """The oldest rounds go, with what was said in them; nothing names what they held."""

    keep: int
    on_overflow: bool = False
    name: str = "truncate"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Drop."""
        if not self.on_overflow and last_request(messages) <= ctx.threshold:
            return StageResult(messages)
        old = rounds(messages, question_index(messages) + 1)[: -self.keep]
        if not old:
            return StageResult(messages)
        gone = messages[old[0].start : old[-1].stop]
        lost = tuple(m.result for m in gone if isinstance(m, ToolMessage))
        return StageResult(messages[: old[0].start] + messages[old[-1].stop :], TruncateReport(len(old), lost))

    def rule(self, _limits: Limits) -> str:
        """What it does, with its numbers."""
        return f"to the last {self.keep} rounds"


@dataclass(frozen=True)
class UsageList:
    """The list of counts, appended every turn; about as long as the original's."""

    name: str = "soft_limit"

    def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        """Append the list."""
        if not ctx.calls or not isinstance(messages[-1], ToolMessage):
            return StageResult(messages)
        counts = Counter(made.call.name for made in ctx.calls)
        lines = [f"- {tool}: {count}/3 calls" for tool, count in counts.items()]
        text = "\n\n".join([_USAGE_HEAD, "\n".join(lines), _USAGE_ADVICE])
        notice = UserMessage(ctx.new_id(), text, "harness", "notice")
        return StageResult((*messages, notice), SoftLimitReport((), (), text))

    def rule(self, _limits: Limits) -> str:
        """What it does."""
        return "every turn: how often each tool was called"


ORIGINAL = Policy(
    "original",
    before_model=(OriginalMicrocompact(), OriginalStrip()),
    on_overflow=(OriginalTruncate(keep=3, on_overflow=True),),
    after_tools=(PersistResults(), TurnBudget(), Compact(OneMessage()), OriginalTruncate(keep=5), UsageList()),
)
