"""A session played through one of our policies: the real loop, a scripted model, a real scratchpad."""

from __future__ import annotations

import asyncio
import inspect
import json
import re
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from benchmarks.context.measure import Played
from benchmarks.context.original import ORIGINAL
from benchmarks.context.sessions import ANSWER, QUESTION, TOOL, Session
from dexter.agent.loop import run_loop
from dexter.config.limits import Limits
from dexter.context.policy import Policy
from dexter.context.stage import RunContext, Stage, StageResult
from dexter.messages import Messages, ToolMessage, UserMessage
from dexter.models.protocol import ModelInfo, ModelResponse
from dexter.models.scripted import ScriptedModel, calls, says
from tests.support.runs import make_run, tool

WINDOW = 200_000
# As placeholders, indexes and summaries name results: `#7`, `#2–#18`.
_NAMED = re.compile(r"#(\d+)(?:–#(\d+))?")
SUMMARY = "<analysis>-</analysis><summary>The run compared the companies' statements. See the results by id.</summary>"


@dataclass
class Stopwatch:
    """Processor time spent in stages."""

    seconds: float = 0.0

    def timed(self, policy: Policy) -> Policy:
        """The policy with each stage's time added up here."""
        moments = ("before_model", "on_overflow", "after_tools", "on_request")
        return replace(policy, **{m: tuple(TimedStage(stage, self) for stage in getattr(policy, m)) for m in moments})


@dataclass(frozen=True)
class TimedStage:
    """A stage whose processor time is added to a stopwatch."""

    stage: Stage
    watch: Stopwatch = field(compare=False)

    @property
    def name(self) -> str:
        return self.stage.name

    async def __call__(self, messages: Messages, ctx: RunContext) -> StageResult:
        started = time.process_time()
        outcome = self.stage(messages, ctx)
        result = await outcome if inspect.isawaitable(outcome) else outcome
        self.watch.seconds += time.process_time() - started
        return result

    def rule(self, limits: Limits) -> str:
        return self.stage.rule(limits)


def replay(session: Session, policy: Policy) -> Played:
    """Play the session's turns under a policy and watch what is sent."""
    model = ScriptedModel([*_turns(session), says(ANSWER)], info=ModelInfo("m", "m", window=WINDOW), piece=10**6)
    fast = ScriptedModel([says(SUMMARY)], piece=10**6)
    results = iter(session.results)
    source = tool(TOOL, lambda _arguments, _context: next(results), concurrent=False, clearable=True, query="query")
    watch = Stopwatch()
    with tempfile.TemporaryDirectory() as folder:
        bench = make_run(
            Path(folder),
            model,
            fast_model=fast,
            tools=[source],
            policy=watch.timed(policy),
            question=QUESTION,
            window=WINDOW,
            max_turns=len(session.turns) + 1,
        )
        asyncio.run(run_loop(bench.run))
        named = sorted(named_results(model.requests[-1].messages, policy))
        recalled = tuple(bench.scratchpad.results.read(number).text for number in named)
        bench.scratchpad.close()
    return Played(
        policy.name,
        requests=tuple(text_of(request.messages) for request in model.requests),
        summaries=tuple(text_of(request.messages) for request in fast.requests),
        recallable=recalled,
        pipeline_s=watch.seconds,
    )


def _turns(session: Session) -> Iterator[ModelResponse]:
    numbers = count()
    for turn in session.turns:
        requested = [(TOOL, json.dumps({"query": f"statements {next(numbers)}"})) for _ in turn.results]
        yield calls(*requested, text=turn.text)


def text_of(messages: Messages) -> str:
    """A request as one text, in the order it is sent."""
    return "\n".join("\n".join([message.role, *message.text_parts()]) for message in messages)


def named_results(messages: Messages, policy: Policy) -> frozenset[int]:
    """Ids of results the policy's own means give back whole, as the model can read them in the view.

    With `read_result` whatever is named by id; the original has `read_file` only, and so what stands there whole or as
    a preview with its path.
    """
    results = [message for message in messages if isinstance(message, ToolMessage)]
    if policy == ORIGINAL:
        return frozenset(message.result for message in results if message.form != "cleared")
    named = {message.result for message in results if message.form == "whole"}
    for message in messages:
        if isinstance(message, UserMessage) or (isinstance(message, ToolMessage) and message.form != "whole"):
            for first, last in _NAMED.findall("\n".join(message.text_parts())):
                named.update(range(int(first), int(last or first) + 1))
    return frozenset(named)
