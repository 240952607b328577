"""The re-enacted policy of the original does what the first seed tells, and no more."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from benchmarks.context.measure import measured
from benchmarks.context.original import (
    CLEARED,
    ORIGINAL,
    OneMessage,
    OriginalMicrocompact,
    OriginalStrip,
    OriginalTruncate,
    last_request,
)
from benchmarks.context.replay import Stopwatch, named_results, replay
from benchmarks.context.sessions import Session, SessionTurn
from dexter.agent.loop import run_loop
from dexter.context.policies import policy_named
from dexter.context.stages.compact import Compact
from dexter.messages import AssistantMessage
from dexter.models.protocol import ModelInfo
from dexter.models.scripted import ScriptedModel, calls, says
from tests.support.runs import LIMITS, make_run, tool
from tests.support.stage_views import Script, financial_json, tool_messages

SMALL = Session(
    "small", tuple(SessionTurn("Next." * 20, (f"{i:03d} revenue {10**9 + i} " + "x" * 9_000,)) for i in range(12))
)


def forms(messages):
    return [m.form for m in tool_messages(messages)]


def over_threshold(script, **changes):
    return replace(script.ctx(**changes), threshold=100)


def test_microcompact_clears_unseen_results_too():
    """Over 8 the newest 4 stay, were they seen or not, and the placeholder says nothing of what it was."""
    script = Script().q().a(*[2_000] * 10)
    view = OriginalMicrocompact()(script.view, script.ctx()).messages
    assert forms(view) == ["cleared"] * 6 + ["whole"] * 4
    assert view[3].content == CLEARED


def test_microcompact_leaves_eight_results_alone():
    """Exactly 8 small results: the very same tuple."""
    script = Script().q().a(*[2_000] * 8)
    messages = script.view
    assert OriginalMicrocompact()(messages, script.ctx()).messages is messages


def test_microcompact_by_size_keeps_four_however_large():
    """Six results of 49,000 characters are over 80,000 tokens at 3.5 characters each: two go, four stay."""
    script = Script().q().a(*[49_000] * 6)
    view = OriginalMicrocompact()(script.view, script.ctx()).messages
    assert forms(view) == ["cleared"] * 2 + ["whole"] * 4


def test_texts_are_stripped_every_turn_but_for_the_last_two():
    """The calls stay."""
    script = Script().q().a(100, text="one").a(100, text="two").a(100, text="three")
    view = OriginalStrip()(script.view, script.ctx()).messages
    assert [m.text for m in view if isinstance(m, AssistantMessage)] == ["", "two", "three"]
    assert all(m.tool_calls for m in view if isinstance(m, AssistantMessage))


def test_the_threshold_misses_what_came_after_the_last_request():
    """Only the last request counts: results that have just arrived do not trigger anything."""
    script = Script().q().a(40_000).a(40_000)
    messages = script.view
    ctx = replace(script.ctx(), threshold=last_request(messages))
    assert OriginalTruncate(keep=1)(messages, ctx).messages is messages
    assert not OneMessage(least_results=1).is_due(messages, ctx)


def test_compaction_leaves_the_prompt_and_one_message():
    """The summary is merged into the question; queued lines and rounds are gone."""
    script = Script().q("compare").a(9_000).a(9_000).a(9_000).u("also INTC").a(9_000)
    fast = ScriptedModel([says("<analysis>draft</analysis><summary>Revenue rose.</summary>")])
    ctx = over_threshold(script, fast_model=fast)
    view = asyncio.run(Compact(OneMessage())(script.view, ctx)).messages
    assert [m.role for m in view] == ["system", "user"]
    assert view[1].text.startswith("compare")
    assert "Revenue rose." in view[1].text
    assert "draft" not in view[1].text
    assert "INTC" not in view[1].text
    assert len(fast.requests) == 1


def test_an_empty_summary_is_a_failure_and_truncation_follows():
    """An empty answer changes nothing; then the oldest rounds go without a word."""
    script = Script().q()
    for _ in range(7):
        script.a(9_000)
    ctx = over_threshold(script, fast_model=ScriptedModel([says("")]))
    messages = script.view
    failed = asyncio.run(Compact(OneMessage())(messages, ctx))
    assert failed.messages is messages
    assert not failed.report.success
    view = OriginalTruncate(keep=5)(messages, ctx).messages
    assert [m.result for m in tool_messages(view)] == [3, 4, 5, 6, 7]
    assert len(view) == len(messages) - 4


def test_a_run_under_the_original_survives_compactions(tmp_path):
    """End to end in a small window: several compactions, an answer, and two messages left after each."""
    turns = [*(calls(("look", '{"query": "q"}')) for _ in range(14)), says("done")]
    model = ScriptedModel(turns, info=ModelInfo("m", "m", window=32_000), piece=10**6)
    fast = ScriptedModel([says("<summary>Short.</summary>")], piece=10**6)
    source = tool("look", lambda _a, _c: "y 123456789 " * 1_500, concurrent=False, clearable=True)
    bench = make_run(
        tmp_path, model, fast_model=fast, tools=[source], policy=ORIGINAL, window=32_000, limits=LIMITS, max_turns=20
    )
    answer = asyncio.run(run_loop(bench.run))
    bench.scratchpad.close()
    assert answer.text == "done"
    assert len(fast.requests) >= 2
    assert any(
        [m.role for m in r.messages][:2] == ["system", "user"] and len(r.messages) <= 3 for r in model.requests[3:]
    )


@pytest.mark.parametrize("policy", ["dexter", "lean", "four-level", "none"])
def test_our_policies_reach_every_figure(policy):
    """What the last view names by id is read back from the record: nothing is lost."""
    assert measured(SMALL, replay(SMALL, policy_named(policy))).reachable == 1.0


def test_the_original_loses_what_it_cleared():
    """Only what still stands in its view can be found."""
    row = measured(SMALL, replay(SMALL, ORIGINAL))
    assert row.in_view == row.reachable < 1.0


def test_a_replay_is_the_same_every_time():
    """Two replays send the same bytes."""
    assert replay(SMALL, ORIGINAL).requests == replay(SMALL, ORIGINAL).requests


def test_a_stopwatch_keeps_the_stages_in_order():
    """Each stage is wrapped where it stood, with its name and rule."""
    timed = Stopwatch().timed(ORIGINAL)
    assert [s.name for s in timed.after_tools] == [s.name for s in ORIGINAL.after_tools]
    assert [s.rule(LIMITS) for s in timed.before_model] == [s.rule(LIMITS) for s in ORIGINAL.before_model]


def test_ids_are_taken_from_what_the_model_can_read():
    """A cleared result counts as named only where its placeholder says its id."""
    script = Script().q().a("x 123456789")
    whole = script.view
    assert named_results(whole, policy_named("dexter")) == {1}
    silent = (*whole[:-1], replace(whole[-1], content=CLEARED, form="cleared"))
    assert named_results(silent, policy_named("dexter")) == frozenset()
    spoken = (*whole[:-1], replace(whole[-1], content=f"{CLEARED} #1", form="cleared"))
    assert named_results(spoken, policy_named("dexter")) == {1}


def test_a_preview_of_the_original_is_reachable_by_its_path():
    """The original's `read_file` gives a persisted result back while its preview stands in the view."""
    session = Session("large", (SessionTurn("", (financial_json(60_000),)),))
    row = measured(session, replay(session, ORIGINAL))
    assert row.in_view < row.reachable == 1.0
