"""A budget holds on every path: broken attempts, answers that are thrown away, stages, sub-agents."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dexter.agent.loop import run_loop
from dexter.agent.metering import Metered
from dexter.context.policies import policy_named
from dexter.context.stage import Effects
from dexter.context.text_call import ask_for_text
from dexter.errors import ModelError
from dexter.events import Retry
from dexter.messages import UserMessage
from dexter.models.pricing import cost_of
from dexter.models.protocol import ModelInfo, ModelResponse, Prices, StreamItem, TextPiece
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.usage import Usage
from tests.support.faults import note_tool
from tests.support.protocols import ANTHROPIC, OPENAI
from tests.support.runs import Bench, make_run
from tests.support.wire_server import Reply, WireServer

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places

PRICES = Prices(Decimal("1e-6"), Decimal("5e-6"), Decimal("1e-7"), Decimal("1.25e-6"))
PRICED = ModelInfo("priced", "scripted", prices=PRICES)
CALL = '{"query": "revenue"}'


class Breaking(ScriptedModel):
    """Every attempt thinks for a while and breaks."""

    async def stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[StreamItem]:
        self.asked.append(kwargs["max_tokens"])
        yield TextPiece("hm " * 2_000, thinking=True)
        raise ModelError("The connection broke.", kind="network")

    asked: list[int]


def go(bench: Bench) -> Any:
    return asyncio.run(run_loop(bench.run))


def test_broken_attempts_are_paid_for(tmp_path: Path) -> None:
    """What an attempt read and thought counts: the next one gets less room, and the one too many is not made."""
    model = Breaking([says("never")], info=PRICED)
    model.asked = []
    answer = go(make_run(tmp_path, model, budget_usd=Decimal("0.018")))
    assert not answer.complete
    assert model.asked == sorted(model.asked, reverse=True)
    assert 1 < len(set(model.asked)) == len(model.asked) < 5


@pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI], ids=lambda p: p.name)
def test_a_call_that_broke_before_any_text_is_paid_for(protocol: Any, tmp_path: Path) -> None:
    """Half a tool call was written by a model that had read everything; one refused had not."""

    async def left(*replies: Reply) -> Decimal | None:
        async with WireServer(list(replies)) as server, aclosing(protocol.connect(server.url, 1.0)) as model:
            model.info = replace(model.info, prices=PRICES)
            folder = tmp_path / str(len(replies[0].chunks))
            bench = make_run(folder, model, tools=[note_tool(folder / "n")], budget_usd=Decimal(1))
            await run_loop(bench.run)
            assert bench.of(Retry)
            return bench.run.left_usd() + bench.run.cost_usd

    answer = protocol.answer("Done.")
    assert asyncio.run(left(protocol.refused(500, "Internal server error"), answer)) == 1
    assert asyncio.run(left(protocol.broken("", "cut", *protocol.call(CALL, "c")[:-1]), answer)) < 1


def test_an_answer_that_filled_the_window_is_paid_for(tmp_path: Path) -> None:
    """It is thrown away and asked for again, and both are the run's cost."""
    full = replace(says("half"), stop_reason="window_exceeded", cost_usd=Decimal("0.01"))
    turns = [replace(calls(("echo", '{"query": "9", "size": 9000}')), cost_usd=Decimal(0)) for _ in range(6)]
    model = ScriptedModel([*turns, full, replace(says("done"), cost_usd=Decimal("0.02"))], info=PRICED)
    answer = go(make_run(tmp_path, model, policy=policy_named("dexter"), window=60_000))
    assert (answer.text, answer.cost_usd) == ("done", Decimal("0.03"))


def summarise(model: ScriptedModel, bench: Bench, effects: Effects) -> ModelResponse:
    run = bench.run
    metered = Metered(model, run.spend, run.left_usd, 256, run.charge)
    ctx = replace(run.ctx, effects=effects)
    return asyncio.run(ask_for_text(metered, (UserMessage("u", "9 " * 4_000),), ctx, max_tokens=500))


async def _no_sleep(_seconds: float) -> None:
    pass


def test_a_stages_call_waits_in_sight_and_its_broken_attempt_is_paid_for(tmp_path: Path) -> None:
    """A summary's retry is told before the wait, and counts like the loop's own."""
    bench = make_run(tmp_path, ScriptedModel([]), budget_usd=Decimal(1))
    broken = ModelError("The connection broke.", kind="network", begun=True)
    model = ScriptedModel([broken, replace(says("summary"), cost_usd=Decimal("0.01"))], info=PRICED)
    assert summarise(model, bench, Effects(sleep=_no_sleep, retrying=bench.run.retry)).text == "summary"
    assert [(retry.kind, retry.attempt) for retry in bench.of(Retry)] == [("network", 1)]
    assert bench.run.cost_usd == Decimal("0.01")
    assert bench.run.left_usd() < Decimal("0.99")


def test_a_stages_silent_attempts_count_as_waiting(tmp_path: Path) -> None:
    """A summariser that stalls for a minute each time is asked three times at most."""
    bench, times = make_run(tmp_path, ScriptedModel([])), iter(range(0, 6_000, 60))
    model = ScriptedModel([ModelError("stalled", kind="timeout") for _ in range(5)])
    with pytest.raises(ModelError, match="stalled"):
        summarise(model, bench, Effects(clock=lambda: float(next(times)), sleep=_no_sleep))
    assert 1 < len(model.requests) <= 3


def test_a_stages_answer_without_a_cost_is_estimated(tmp_path: Path) -> None:
    """The run's cost is unknown then, and its budget still holds."""
    bench = make_run(tmp_path, ScriptedModel([]), budget_usd=Decimal(1))
    summarise(ScriptedModel([says("summary")], info=PRICED), bench, Effects())
    assert bench.run.cost_usd is None
    assert bench.run.left_usd() < 1


def test_under_a_budget_no_stage_asks_a_model_without_prices(tmp_path: Path) -> None:
    """Nobody could say what it costs; without a budget it is asked."""
    unpriced = ScriptedModel([says("summary")])
    bench = make_run(tmp_path / "limited", ScriptedModel([]), budget_usd=Decimal(1))
    with pytest.raises(ModelError, match="prices of") as refused:
        summarise(unpriced, bench, Effects())
    assert (refused.value.kind, unpriced.requests) == ("billing", [])
    assert summarise(unpriced, make_run(tmp_path / "free", ScriptedModel([])), Effects()).text == "summary"


@pytest.mark.parametrize("cents", range(1, 12))
def test_the_budget_holds_to_the_cent(tmp_path: Path, cents: int) -> None:
    """A model that writes all it may, and a provider that counts a tenth more than we estimate, stay below it."""

    class Greedy(ScriptedModel):
        async def stream(self, messages: Any, **kwargs: Any) -> AsyncIterator[StreamItem]:
            tokens = int((sum(m.tokens for m in messages) + sum(t.tokens for t in kwargs["tools"])) * 1.1)
            usage = Usage(cache_write=tokens, output=kwargs["max_tokens"])
            yield replace(calls(("echo", CALL)), usage=usage, cost_usd=cost_of(usage, PRICES))

    budget = Decimal(cents) / 100
    bench = make_run(tmp_path, Greedy([], info=PRICED), budget_usd=budget, question="compare NVDA and AMD " * 300)
    answer = go(bench)
    assert not answer.complete
    assert answer.cost_usd <= budget
