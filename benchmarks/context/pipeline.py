"""What the stages alone cost a turn once a conversation has 1,000 messages: `python -m benchmarks.context.pipeline`.

No loop, no record, no model's stream; files in memory; processor time. The best of three, because the machine is
shared; within each the mean of the turns from 900 messages to 1,000.
"""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from benchmarks.context.replay import SUMMARY
from benchmarks.context.sessions import QUESTION, SYSTEM, TOOL, financial_json
from dexter.config.limits import Limits
from dexter.context.policies import policy_named
from dexter.context.policy import Policy, run_stages
from dexter.context.stage import CallMade, RunContext, Stage, ToolTraits
from dexter.context.tokens import TokenMeter, estimate, threshold_of
from dexter.ids import IdSource
from dexter.messages import AssistantMessage, Messages, SystemMessage, ToolCall, ToolMessage, UserMessage
from dexter.models.protocol import ModelInfo
from dexter.models.scripted import ScriptedModel, says
from dexter.results import StoredResult
from tests.support.stage_views import Results

MESSAGES = 1_000
MEASURED = 100
RESULT_CHARS = 1_000
WINDOW = 200_000
POLICIES = ("dexter", "lean", "four-level")


@dataclass
class Conversation:
    """A conversation that grows by one call and its result a turn, under a policy."""

    policy: Policy
    messages: Messages
    ctx: RunContext
    store: Results
    ids: IdSource
    chance: random.Random

    @classmethod
    def under(cls, policy: Policy) -> Conversation:
        """A new one with its question."""
        limits, ids, store = Limits(), IdSource(), Results()
        fast = ScriptedModel([says(SUMMARY)], info=ModelInfo("f", "f", window=WINDOW), piece=10**6)
        ctx = RunContext(
            limits=limits,
            window=WINDOW,
            threshold=threshold_of(WINDOW, limits),
            meter=TokenMeter(),
            new_id=ids.next_message,
            results=store,
            tools={TOOL: ToolTraits(clearable=True, query="query")},
            fast_model=fast,
        )
        start = (SystemMessage("m0", SYSTEM), UserMessage(ids.next_message(), QUESTION, "question"))
        return cls(policy, start, ctx, store, ids, random.Random(7))

    async def stages_before(self) -> None:
        """What runs before a model call."""
        await self._run(self.policy.before_model)

    async def stages_after(self) -> None:
        """What runs after the tools."""
        await self._run(self.policy.after_tools)

    async def _run(self, stages: tuple[Stage, ...]) -> None:
        self.messages, self.ctx = await run_stages(stages, self.messages, self.ctx, lambda _edit: None)

    def one_call(self, turn: int) -> None:
        """The model answers with a call, and its result comes in."""
        call = ToolCall(self.ids.next_call(), TOOL, {"query": f"{turn:04d} statements of another company"}, f"p{turn}")
        content = financial_json(RESULT_CHARS, self.chance)
        meter = self.ctx.meter.counted_by_provider(self.messages, estimate(self.messages), 20)
        answer = AssistantMessage(self.ids.next_message(), "", (), (call,))
        result = ToolMessage(self.ids.next_message(), turn, call.id, TOOL, content=content, chars=len(content))
        self.store.stored[turn] = StoredResult(turn, TOOL, dict(call.arguments or {}), "ok", content)
        self.messages = (*self.messages, answer, result)
        self.ctx = replace(self.ctx, turn=turn, meter=meter, calls=(*self.ctx.calls, CallMade(turn, call)))


async def stage_seconds(policy: Policy) -> list[float]:
    """Processor seconds of each turn's stages until `MESSAGES` messages have been made."""
    conversation = Conversation.under(policy)
    spent = []
    for turn in range(1, MESSAGES // 2):
        before = await _seconds(conversation.stages_before)
        conversation.one_call(turn)
        spent.append(before + await _seconds(conversation.stages_after))
    return spent


async def _seconds(work: Callable[[], Awaitable[None]]) -> float:
    started = time.process_time()
    await work()
    return time.process_time() - started


def pipeline_ms(name: str, rounds: int = 3) -> float:
    """Milliseconds of stages a turn at 1,000 messages: the quietest of a few rounds."""
    policy = policy_named(name)
    last = MEASURED // 2
    means = []
    for _ in range(rounds):
        gc.collect()
        means.append(sum(asyncio.run(stage_seconds(policy))[-last:]) / last)
    return min(means) * 1e3


def main() -> None:
    print(f"Stages alone, {MESSAGES:,} messages, results of {RESULT_CHARS:,} characters\n")
    print("| policy | ms a turn |\n|---|---|")
    for name in POLICIES:
        print(f"| {name} | {pipeline_ms(name):.2f} |", flush=True)


if __name__ == "__main__":
    main()
