"""The while loop: turns, the queue, the last call, empty answers, interrupts, and the record of all of it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from dexter.agent.loop import run_loop
from dexter.agent.metering import Metered
from dexter.agent.outcome import Answer
from dexter.agent.queue import Inbox
from dexter.context.policies import policy_named
from dexter.context.tokens import estimate
from dexter.errors import ModelError
from dexter.events import (
    Answered,
    Event,
    ModelCall,
    ModelResponded,
    Notice,
    Queue,
    Retry,
    StageRan,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from dexter.messages import AssistantMessage, Messages, ToolMessage, UserMessage, is_well_paired
from dexter.models.protocol import ModelInfo, ModelResponse, Prices, RequestedCall, StreamItem, TextPiece
from dexter.models.scripted import ScriptedModel, calls, says
from dexter.scratchpad.rebuild import sent_views
from dexter.usage import Usage
from tests.support.runs import LIMITS, Bench, echo, make_run, tool

CALL = '{"query": "NVDA"}'


def go(bench: Bench) -> Answer:
    answer = asyncio.run(run_loop(bench.run))
    bench.scratchpad.close()
    return answer


def go_until_cancelled(bench: Bench, holder: list[asyncio.Task[Answer]]) -> None:
    async def drive() -> None:
        holder.append(asyncio.create_task(run_loop(bench.run)))
        with pytest.raises(asyncio.CancelledError):
            await holder[0]

    asyncio.run(drive())


def lines_of(bench: Bench) -> list[dict[str, Any]]:
    return [json.loads(line) for line in bench.path.read_text(encoding="utf-8").splitlines()]


def results_of(bench: Bench) -> list[ToolMessage]:
    return [m for m in bench.run.messages if isinstance(m, ToolMessage)]


def test_text_without_calls_is_the_answer(tmp_path: Path) -> None:
    """The first text that asks for nothing ends the run, complete."""
    bench = make_run(tmp_path, ScriptedModel([says("42 % growth")]))
    answer = go(bench)
    assert (answer.text, answer.complete) == ("42 % growth", True)
    assert bench.of(Answered)[0].text == "42 % growth"
    assert "".join(e.text for e in bench.of(TextDelta)) == "42 % growth"


def test_results_come_back_in_the_order_of_the_calls(tmp_path: Path) -> None:
    """Whatever finishes first, results and their ids follow the calls."""

    async def slow_first(arguments: Any, _context: object) -> str:
        await asyncio.sleep(0.02 if arguments.query == "a" else 0)
        return str(arguments.query)

    model = ScriptedModel([calls(("slow", '{"query":"a"}'), ("slow", '{"query":"b"}')), says("done")])
    bench = make_run(tmp_path, model, tools=[tool("slow", slow_first, concurrent=True)])
    go(bench)
    assert [(m.result, m.content) for m in results_of(bench)] == [(1, "a"), (2, "b")]
    assert [e.result for e in bench.of(ToolFinished)] == [2, 1]


def test_neighbours_marked_concurrent_run_together_and_others_alone(tmp_path: Path) -> None:
    """A call that is not concurrent waits for those before it and runs by itself."""
    running: set[str] = set()
    seen: set[frozenset[str]] = set()

    async def watch(name: str) -> str:
        running.add(name)
        seen.add(frozenset(running))
        await asyncio.sleep(0.005)
        running.discard(name)
        return name

    together = tool("together", lambda a, _c: watch(a.query), concurrent=True)
    alone = tool("alone", lambda a, _c: watch(a.query))
    requested = [("together", "a"), ("together", "b"), ("alone", "c"), ("together", "d"), ("alone", "e")]
    turn = calls(*((name, json.dumps({"query": query})) for name, query in requested))
    go(make_run(tmp_path, ScriptedModel([turn, says("done")]), tools=[together, alone]))
    assert seen == {frozenset("a"), frozenset("ab"), frozenset("c"), frozenset("d"), frozenset("e")}


def test_at_most_ten_calls_run_at_a_time(tmp_path: Path) -> None:
    """Twenty-five concurrent calls run ten at a time."""
    now = most = 0

    async def count(_arguments: object, _context: object) -> str:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0.002)
        now -= 1
        return "ok"

    turn = calls(*(("c", "{}") for _ in range(25)))
    go(make_run(tmp_path, ScriptedModel([turn, says("done")]), tools=[tool("c", count, concurrent=True)]))
    assert most == 10


@pytest.mark.parametrize(
    ("raw", "name", "expected"),
    [
        ("{", "echo", "not valid JSON"),
        ("[1]", "echo", "array"),
        ('"x"', "echo", "string"),
        ("NaN", "echo", "no JSON number"),
        ('{"size": "many"}', "echo", "size"),
        ("{}", "ecko", "Did you mean echo"),
        ("{}", "x" * 5000, "there is no tool"),
    ],
)
def test_a_bad_call_gets_a_result_the_model_can_act_on(tmp_path: Path, raw: str, name: str, expected: str) -> None:
    """Bad arguments and unknown tools are error results, and the run goes on."""
    bench = make_run(tmp_path, ScriptedModel([calls((name, raw)), says("done")]))
    assert go(bench).complete
    result = results_of(bench)[0]
    assert result.status == "error"
    assert expected in result.text
    assert len(result.text) < 1_000


def test_a_tool_that_takes_too_long_is_a_timeout(tmp_path: Path) -> None:
    """The result says so, with its own status."""
    slow = tool("slow", lambda _a, _c: asyncio.sleep(9), timeout_s=0.01)
    bench = make_run(tmp_path, ScriptedModel([calls(("slow", "{}")), says("done")]), tools=[slow])
    go(bench)
    assert results_of(bench)[0].status == "timeout"


def test_what_the_user_typed_meanwhile_enters_after_the_results(tmp_path: Path) -> None:
    """A line typed while tools run stands behind them, as the user's own."""
    bench: Bench

    def typing(_arguments: object, _context: object) -> str:
        bench.run.ports.inbox.put("also INTC")
        return "ok"

    model = ScriptedModel([calls(("typing", "{}")), says("done")])
    bench = make_run(tmp_path, model, tools=[tool("typing", typing)])
    go(bench)
    roles = [(m.role, getattr(m, "origin", "")) for m in bench.run.messages[2:]]
    assert roles == [("assistant", ""), ("tool", ""), ("user", "queued"), ("assistant", "")]
    assert [e.action for e in bench.of(Queue)] == ["queued", "drained"]


def test_what_was_typed_while_the_answer_streamed_makes_the_loop_go_on(tmp_path: Path) -> None:
    """Answer and typed lines are appended, and the model is asked again."""
    bench: Bench

    def answer_while_typing(_messages: object) -> ModelResponse:
        bench.run.ports.inbox.put("and in euros?")
        return says("in dollars")

    bench = make_run(tmp_path, ScriptedModel([answer_while_typing, says("in euros")]))
    assert go(bench).text == "in euros"
    assert [m.text for m in bench.run.messages[2:] if not isinstance(m, ToolMessage)] == [
        "in dollars",
        "and in euros?",
        "in euros",
    ]


def test_after_the_last_turn_one_call_without_tools_gives_an_incomplete_answer(tmp_path: Path) -> None:
    """`tool_choice` none with the same tools; a call made all the same is ignored."""
    last = ModelResponse("so far: 5", tool_calls=(RequestedCall("x", "echo", "{}"),), stop_reason="tool_use")
    model = ScriptedModel([calls(("echo", CALL)), calls(("echo", CALL)), last])
    bench = make_run(tmp_path, model, max_turns=2)
    answer = go(bench)
    assert (answer.text, answer.complete, answer.exit_status) == ("so far: 5", False, 3)
    assert [r.tool_choice for r in model.requests] == ["auto", "auto", "none"]
    assert model.requests[-1].tools == model.requests[0].tools
    assert is_well_paired(bench.run.messages)


def test_an_empty_answer_is_asked_for_once_more_and_then_said(tmp_path: Path) -> None:
    """Nothing twice ends the run as incomplete instead of showing nothing."""
    answer = go(make_run(tmp_path, ScriptedModel([says(""), says("  \n")])))
    assert not answer.complete
    assert "nothing" in answer.reason
    recovered = go(make_run(tmp_path / "b", ScriptedModel([says(""), says("here")])))
    assert (recovered.text, recovered.complete) == ("here", True)


@pytest.mark.parametrize("stop_reason", ["max_tokens", "refusal"])
def test_a_cut_or_refused_answer_is_not_complete(tmp_path: Path, stop_reason: Any) -> None:
    """The user is told that it is not the whole answer."""
    bench = make_run(tmp_path, ScriptedModel([ModelResponse("half", stop_reason=stop_reason)]))
    assert not go(bench).complete
    assert bench.of(Notice)[0].kind == stop_reason


def test_arguments_cut_off_by_the_output_limit_are_said_to_be(tmp_path: Path) -> None:
    """The model learns that its call was too long, not that its JSON was wrong."""
    cut = ModelResponse("", tool_calls=(RequestedCall("a", "echo", '{"query": "NV'),), stop_reason="max_tokens")
    bench = make_run(tmp_path, ScriptedModel([cut, says("done")]))
    go(bench)
    assert "cut off by the output limit" in results_of(bench)[0].text


def test_a_paused_turn_goes_on(tmp_path: Path) -> None:
    """`pause_turn` is no answer but its beginning: what was said before the pause belongs to it."""
    paused = ModelResponse("First part, ", stop_reason="pause_turn")
    bench = make_run(tmp_path, ScriptedModel([calls(("echo", CALL), text="Looking. "), paused, paused, says("done")]))
    assert go(bench).text == "First part, First part, done"


def test_calls_beside_a_refusal_do_not_run(tmp_path: Path) -> None:
    """A refusal may stop the model anywhere, before the first byte of a call's arguments, too: nothing of it is run."""
    refused = replace(calls(("echo", ""), ("echo", CALL), text="I "), stop_reason="refusal")
    bench = make_run(tmp_path, ScriptedModel([refused, says("never")]))
    answer = go(bench)
    assert (answer.text, answer.complete, results_of(bench)) == ("I ", False, [])
    assert "declined" in bench.of(Notice)[-1].text


def test_interrupted_in_a_wait_what_was_seen_is_kept(tmp_path: Path) -> None:
    """A stream broke, the user saw its text and ends the run before the next attempt: the text is on record."""
    main: list[asyncio.Task[Answer]] = []

    async def wait(_seconds: float) -> None:
        main[0].cancel()
        await asyncio.sleep(5)

    bench = make_run(tmp_path, BreakingOnce([says("never")]), sleep=wait)
    go_until_cancelled(bench, main)
    assert bench.run.messages[-1].text == "Revenue rose by 65"
    assert [line["stop_reason"] for line in lines_of(bench) if line["type"] == "model_turn"] == ["interrupted"]


def test_colliding_and_empty_call_ids_become_unique(tmp_path: Path) -> None:
    """The provider's id is kept where it is good, replaced deterministically where not."""
    ids = ["call_0", "", "call_0", "x" * 1500]
    turn = ModelResponse("", tool_calls=tuple(RequestedCall(i, "echo", CALL) for i in ids), stop_reason="tool_use")
    bench = make_run(tmp_path, ScriptedModel([turn, says("done")]))
    go(bench)
    made = next(m for m in bench.run.messages if isinstance(m, AssistantMessage)).tool_calls
    assert made[0].provider_id == "call_0"
    assert len({call.provider_id for call in made}) == len(ids)
    assert all(call.provider_id for call in made)


class BreakingOnce(ScriptedModel):
    """Breaks after two pieces the first time."""

    broken = False

    async def stream(self, *args: Any, **kwargs: Any) -> AsyncIterator[StreamItem]:
        if not self.broken:
            self.broken = True
            yield TextPiece("Revenue rose ")
            yield TextPiece("by 65")
            raise ModelError("The connection broke.", kind="network")
        async for item in super().stream(*args, **kwargs):
            yield item


def test_a_failed_call_is_made_again_and_shown_text_is_not_shown_twice(tmp_path: Path) -> None:
    """A stream that breaks half-way is asked for again whole; the user sees each part once, and the retry."""
    bench = make_run(tmp_path, BreakingOnce([says("Revenue rose by 65 % in FY2026.")]))
    assert go(bench).text == "Revenue rose by 65 % in FY2026."
    assert "".join(e.text for e in bench.of(TextDelta)) == "Revenue rose by 65 % in FY2026."
    assert [e.kind for e in bench.of(Retry)] == ["network"]


def test_a_lasting_rate_limit_ends_after_five_attempts(tmp_path: Path) -> None:
    """Four visible waits, then the error with what to do."""
    model = ScriptedModel([ModelError("Slow down.", kind="rate_limit", remedy="Wait a minute.")])
    bench = make_run(tmp_path, model)
    with pytest.raises(ModelError, match="Slow down"):
        go(bench)
    assert len(model.requests) == 5
    assert len(bench.of(Retry)) == 4


def test_what_cannot_be_mended_by_waiting_fails_at_once(tmp_path: Path) -> None:
    """A wrong key is one request."""
    model = ScriptedModel([ModelError("No.", kind="auth")])
    with pytest.raises(ModelError):
        go(make_run(tmp_path, model))
    assert len(model.requests) == 1


def test_only_max_tokens_too_large_is_lowered(tmp_path: Path) -> None:
    """`190000 + 16000 > 200000`: the same messages with 9,000 tokens of output room, the margin kept free."""
    overflow = ModelError("too much", kind="context_overflow", used=190_000, limit=200_000)
    model = ScriptedModel([overflow, says("fits")])
    assert go(make_run(tmp_path, model)).text == "fits"
    assert model.requests[0].messages is model.requests[1].messages
    assert (model.requests[0].max_tokens, model.requests[1].max_tokens) == (16_000, 9_000)


def test_a_real_limit_lower_than_the_advertised_one_is_the_window_from_now_on(tmp_path: Path) -> None:
    """The overflow says 50,000: the retry leaves room for its answer within that, and thresholds follow at once."""
    overflow = ModelError("prompt too long", kind="context_overflow", used=60_000, limit=50_000)
    big = f'{{"query": "revenue 26044 ", "size": {40_000 // 14}}}'
    turns = [calls(("echo", big)) for _ in range(5)]
    model = ScriptedModel([*turns, overflow, says("fits")])
    bench = make_run(tmp_path, model, policy=policy_named("dexter"), limits=LIMITS)
    assert go(bench).text == "fits"
    assert (bench.run.ctx.window, bench.run.ctx.threshold) == (50_000, 35_000)
    sent = bench.run.ctx.meter.estimate(model.requests[-1].messages)
    assert sent + model.requests[-1].max_tokens <= 50_000


@pytest.mark.parametrize(("limit", "learnt"), [(60_000, [60_000]), (20_000, [])])
def test_a_limit_below_what_was_answered_before_is_not_remembered(
    tmp_path: Path, limit: int, learnt: list[int]
) -> None:
    """The run keeps below it, but it is misread or one server's of many: the next run does not begin with it."""
    big = calls(("echo", f'{{"query": "revenue 26044 ", "size": {40_000 // 14}}}'))
    answered = replace(big, usage=Usage(input_uncached=40_000, output=20))
    overflow = ModelError("prompt too long", kind="context_overflow", used=limit + 1_000, limit=limit)
    told: list[int | None] = []
    taken: list[int] = []
    bench = make_run(
        tmp_path,
        ScriptedModel([answered, overflow, says("fits")]),
        policy=policy_named("dexter"),
        learn_limit=lambda error: told.append(error.limit),
        input_accepted=taken.append,
    )
    go(bench)
    assert told == learnt
    assert taken[0] == 40_000
    assert bench.run.ctx.window == limit


def test_system_prompt_tools_and_pinned_text_alone_nearly_fill_the_window(tmp_path: Path) -> None:
    """It is said once, with the sizes, whichever of them it is and however often the user adds to it."""
    inbox = Inbox()

    def typed(_arguments: object, _context: object) -> str:
        inbox.put("and also " + "9" * 5_000)
        return "done"

    model = ScriptedModel([calls(("type", "{}")), calls(("type", "{}")), says("done")])
    bench = make_run(tmp_path, model, tools=[tool("type", typed)], question="7" * 20_000, window=16_000, inbox=inbox)
    go(bench)
    (notice,) = [n for n in bench.of(Notice) if n.kind == "fixed_parts"]
    assert "what you wrote (" in notice.text
    assert "11,200 tokens" in notice.text


def test_a_server_that_cuts_the_prompt_silently_is_told_of_once(tmp_path: Path) -> None:
    """Reported prompt tokens far below the estimate are a warning to the user, not one in every turn."""
    usage = Usage(input_uncached=900, output=10)
    long = f'{{"query": "9", "size": {9_000}}}'
    turns = [replace(calls(("echo", long)), usage=usage) for _ in range(3)]
    bench = make_run(tmp_path, ScriptedModel([*turns, replace(says("done"), usage=usage)]))
    go(bench)
    (notice,) = [n for n in bench.of(Notice) if n.kind == "prompt_cut"]
    assert "900 input tokens" in notice.text
    assert bench.run.ctx.meter.counted is None


def test_a_server_that_counts_the_same_whatever_is_added_has_cut_the_prompt(tmp_path: Path) -> None:
    """Ollama keeps within its context and counts that: noticed although it is more than half of what was sent."""
    long = f'{{"query": "9", "size": {12_000}}}'
    counts = [4_000, 8_000, 8_000, 8_000]
    turns = [replace(calls(("echo", long)), usage=Usage(input_uncached=n, output=10)) for n in counts]
    bench = make_run(tmp_path, ScriptedModel([*turns, says("done")]))
    noticed: list[int] = []
    bench.run.ctx = replace(bench.run.ctx, meter=replace(bench.run.ctx.meter, factor=0.7))
    go(bench)
    noticed += [n for n, event in enumerate(bench.events) if isinstance(event, Notice) and event.kind == "prompt_cut"]
    asked = [n for n, event in enumerate(bench.events) if isinstance(event, ModelCall)]
    assert len(noticed) == 1
    assert asked[2] < noticed[0] < asked[3]


def test_an_overflow_with_nothing_to_remove_says_what_is_too_big(tmp_path: Path) -> None:
    """One giant question under a policy that removes nothing: an error with the sizes, after one request."""
    model = ScriptedModel([ModelError("prompt too long", kind="context_overflow", used=210_000, limit=200_000)])
    with pytest.raises(ModelError) as caught:
        go(make_run(tmp_path, model, question="x" * 1000))
    assert "210,000" in caught.value.message
    assert "10,000 over" in caught.value.message
    assert len(model.requests) == 1


def test_interrupted_between_call_and_result_every_call_gets_an_interrupted_result(tmp_path: Path) -> None:
    """On disk and in the view, so that the next question can follow."""
    main: list[asyncio.Task[Answer]] = []

    async def stop(_arguments: object, _context: object) -> str:
        main[0].cancel()
        await asyncio.sleep(5)
        return "never"

    bench = make_run(
        tmp_path,
        ScriptedModel([calls(("fast", "{}"), ("stop", "{}"), ("fast", "{}")), says("never")]),
        tools=[tool("fast", lambda _a, _c: "quick"), tool("stop", stop)],
    )
    go_until_cancelled(bench, main)
    assert [m.status for m in results_of(bench)] == ["ok", "interrupted", "interrupted"]
    assert is_well_paired(bench.run.messages)
    on_disk = [line["status"] for line in lines_of(bench) if line["type"] == "tool_result"]
    assert sorted(on_disk) == ["interrupted", "interrupted", "ok"]


def test_interrupted_while_streaming_the_partial_text_is_kept(tmp_path: Path) -> None:
    """What was seen stays in the conversation and on disk."""
    main: list[asyncio.Task[Answer]] = []

    class Endless(ScriptedModel):
        async def stream(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[StreamItem]:
            yield TextPiece("NVDA grew ")
            main[0].cancel()
            await asyncio.sleep(5)
            yield TextPiece("never")

    bench = make_run(tmp_path, Endless([says("")]))
    go_until_cancelled(bench, main)
    assert bench.run.messages[-1].text == "NVDA grew "
    assert any(line["type"] == "model_turn" and line["stop_reason"] == "interrupted" for line in lines_of(bench))


def test_every_event_follows_its_line(tmp_path: Path) -> None:
    """When a sink hears of a call, a result or an answer, the file has it already."""
    seen: list[tuple[str, int]] = []
    wanted = {ToolFinished: "tool_result", ModelResponded: "model_turn", Answered: "answer", ModelCall: "model_call"}
    bench: Bench

    def check(event: Event) -> None:
        if line := wanted.get(type(event)):
            seen.append((line, [entry["type"] for entry in lines_of(bench)].count(line)))

    bench = make_run(tmp_path, ScriptedModel([calls(("echo", CALL)), says("done")]), on_event=check)
    go(bench)
    assert seen == [
        ("model_call", 1),
        ("model_turn", 1),
        ("tool_result", 1),
        ("model_call", 2),
        ("model_turn", 2),
        ("answer", 1),
    ]


def test_every_view_is_rebuilt_from_the_file(tmp_path: Path) -> None:
    """The hash of each rebuilt view equals the one that was sent."""
    turns = [calls(("echo", CALL)), calls(("echo", CALL), ("nope", "{"), text="hm"), says("done")]
    bench = make_run(tmp_path, ScriptedModel(turns))
    go(bench)
    views = list(sent_views(bench.path))
    assert len(views) == 3
    assert all(view.agrees for view in views)


def test_usage_is_summed_and_an_unknown_price_makes_the_cost_unknown(tmp_path: Path) -> None:
    """Tokens always add up; money only where it is known."""
    answer = go(make_run(tmp_path, ScriptedModel([calls(("echo", CALL)), says("done")])))
    assert answer.usage.output == 40
    assert answer.usage.input > 0
    assert answer.cost_usd is None


def test_sources_of_the_results_are_those_of_the_answer(tmp_path: Path) -> None:
    """Each source once, in order of first use."""
    bench = make_run(tmp_path, ScriptedModel([calls(("echo", CALL), ("echo", CALL)), says("done")]), tools=[echo()])
    assert [source.title for source in go(bench).sources] == ["echo"]


def test_a_tool_started_event_comes_before_the_tool_runs(tmp_path: Path) -> None:
    """A person sees what is going on."""
    seen: list[int] = []
    bench: Bench

    def look(_arguments: object, _context: object) -> str:
        seen.append(len(bench.of(ToolStarted)))
        return "ok"

    bench = make_run(tmp_path, ScriptedModel([calls(("look", "{}")), says("done")]), tools=[tool("look", look)])
    go(bench)
    assert seen == [1]


def test_a_user_message_is_never_made_by_the_harness_unmarked(tmp_path: Path) -> None:
    """Exactly one question; everything the harness adds says that it is the harness."""
    bench = make_run(tmp_path, ScriptedModel([says(""), says("here")]))
    go(bench)
    origins = [m.origin for m in bench.run.messages if isinstance(m, UserMessage)]
    assert origins == ["question", "harness"]


PRICED = ModelInfo(
    "priced", "scripted", prices=Prices(Decimal("1e-6"), Decimal("5e-6"), Decimal("1e-7"), Decimal("1.25e-6"))
)


def priced(text: str) -> ModelResponse:
    return replace(says(text), cost_usd=Decimal("0.01"))


def test_a_budget_lowers_the_output_room_to_what_is_left(tmp_path: Path) -> None:
    """With two cents, the answer may be no longer than they pay for."""
    model = ScriptedModel([priced("short")], info=PRICED)
    bench = make_run(tmp_path, model, budget_usd=Decimal("0.02"))
    assert go(bench).complete
    assert 3_000 < model.requests[0].max_tokens < 4_000


def test_the_call_that_could_exceed_the_budget_is_not_made(tmp_path: Path) -> None:
    """The run ends incomplete, with what was said until then and a word on how to go on."""
    turn = replace(calls(("echo", CALL), text="so far: 5"), cost_usd=Decimal("0.019"))
    model = ScriptedModel([turn, priced("never")], info=PRICED)
    bench = make_run(tmp_path, model, budget_usd=Decimal("0.02"))
    answer = go(bench)
    assert (answer.text, answer.complete) == ("so far: 5", False)
    assert len(model.requests) == 1
    assert "--budget-usd" in bench.of(Notice)[-1].text


def test_a_budget_holds_where_answers_come_without_a_cost(tmp_path: Path) -> None:
    """What was sent and written is estimated; the run's own cost stays unknown, and the run ends in time."""
    turns = [replace(calls(("echo", CALL), text="so far " * 400), cost_usd=None) for _ in range(30)]
    model = ScriptedModel(turns, info=PRICED)
    bench = make_run(tmp_path, model, budget_usd=Decimal("0.03"), max_turns=40)
    answer = go(bench)
    assert (answer.complete, answer.cost_usd) == (False, None)
    assert 1 < len(model.requests) < 12
    assert bench.run.left_usd() < Decimal("0.03")


def test_silent_attempts_count_as_waiting(tmp_path: Path) -> None:
    """A server that stalls for a minute each time is asked three times in all, not five."""
    clock = itertools.count(step=60)
    model = ScriptedModel([ModelError("stalled", kind="timeout") for _ in range(5)])
    bench = make_run(tmp_path, model, monotonic=lambda: float(next(clock)))
    with pytest.raises(ModelError, match="stalled"):
        go(bench)
    assert 1 < len(model.requests) <= 3


def test_calls_that_stages_make_are_counted(tmp_path: Path) -> None:
    """A summary's tokens and cost are the run's."""
    bench = make_run(tmp_path, ScriptedModel([priced("answer")]))
    metered = Metered(ScriptedModel([priced("summary")]), bench.run.spend)

    async def summarise() -> None:
        async for _ in metered.stream(bench.run.messages, tools=(), tool_choice="none", max_tokens=10):
            pass

    asyncio.run(summarise())
    assert go(bench).cost_usd == Decimal("0.02")


@pytest.mark.parametrize(("left", "asked"), [("1", 2_000), ("0.02", 900), ("0.001", None)])
def test_the_budget_holds_for_calls_that_stages_make(tmp_path: Path, left: str, asked: int | None) -> None:
    """A summary gets the room that is paid for; where it could cost more than is left it is not asked for."""
    bench = make_run(tmp_path, ScriptedModel([]), budget_usd=Decimal(left))
    model = ScriptedModel([priced("summary")], info=PRICED)
    metered = Metered(model, bench.run.spend, bench.run.left_usd, 256)
    material = (UserMessage("u", "12.5 million dollars " * 2_000),)

    async def summarise() -> None:
        async for _ in metered.stream(material, tools=(), tool_choice="none", max_tokens=2_000):
            pass

    if asked is None:
        with pytest.raises(ModelError, match="budget is used up") as refused:
            asyncio.run(summarise())
        assert refused.value.kind == "billing"
        assert not model.requests
    else:
        asyncio.run(summarise())
        assert 0.5 * asked <= model.requests[0].max_tokens <= asked
        cost = model.requests[0].max_tokens * PRICED.prices.output + estimate(material) * PRICED.prices.cache_write
        assert cost <= Decimal(left)


def test_a_view_that_is_too_full_is_cut_down_before_the_first_call(tmp_path: Path) -> None:
    """A follow-up to a long conversation: earlier answers go, this question and what the user said stays to be sent."""
    history = [
        message
        for number in range(30)
        for message in (
            UserMessage(f"q{number}", f"earlier question {number}", "question"),
            AssistantMessage(f"a{number}", f"answer {number}: " + "words and figures " * 600),
        )
    ]
    requests: list[int] = []

    def answer(messages: Messages) -> ModelResponse:
        requests.append(sum(message.tokens for message in messages))
        assert [m.text for m in messages if isinstance(m, UserMessage)][-1].startswith("compare NVDA")
        return says("done")

    model = ScriptedModel([answer], info=ModelInfo("scripted", "scripted", window=32_000))
    bench = make_run(tmp_path, model, history=history, policy=policy_named("dexter"), window=32_000)
    assert bench.run.ctx.used(bench.run.messages) > bench.run.ctx.threshold
    assert go(bench).complete
    assert requests[0] <= bench.run.ctx.threshold
    assert isinstance(bench.of(StageRan)[0], StageRan)
    assert bench.events.index(bench.of(StageRan)[0]) < bench.events.index(bench.of(ModelCall)[0])
