"""Faults that other agents had with their context, each as the situation it was and what must happen instead.

Those of the loop, the models and the record stand with their parts.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from dexter.config.limits import Limits
from dexter.context.policies import POLICIES, policy_named
from dexter.context.policy import run_stages
from dexter.context.reports import CompactReport, SoftLimitReport
from dexter.context.stage import Effects
from dexter.context.stages.compact import Compact
from dexter.context.stages.microcompact import Microcompact
from dexter.context.stages.persist_results import PersistResults
from dexter.context.stages.snip import Snip
from dexter.context.stages.strip_thinking import StripThinking
from dexter.context.stages.truncate import Truncate
from dexter.context.tokens import TokenMeter
from dexter.errors import ModelError
from dexter.messages import AssistantMessage, MediaBlock, TextBlock, ThinkingBlock, UserMessage, is_well_paired
from dexter.models.protocol import ModelInfo, TextPiece
from tests.support.stage_views import Results, Script, financial_json, tool_messages
from tests.support.summarisers import GOOD, MISBEHAVING, answer, nine_sections, summariser, tagged

OVER = TokenMeter(counted=190_000, covered=1)
LIMITS = Limits(ledger_chars=5_000)


async def _no_sleep(_seconds):
    return None


def _ctx(script, model=None, **changes):
    settings = {"limits": LIMITS, "meter": OVER, "effects": Effects(sleep=_no_sleep), **changes}
    return script.ctx(fast_model=model or summariser(), **settings)


def _run(stages, script, ctx):
    return asyncio.run(run_stages(stages, script.view, ctx, lambda _edit: None))


def _rounds(count, size=9_000, calls=1):
    script = Script().q()
    for _ in range(count):
        script.a(*[size] * calls)
    return script


# Pairing


@pytest.mark.parametrize("calls", range(1, 7))
@pytest.mark.parametrize("policy", POLICIES)
def test_compaction_or_snipping_cuts_between_a_call_and_its_results(policy, calls):
    """Cut at whole rounds only, however many parallel results there are."""
    script = _rounds(60 // calls, 3_000, calls)
    chosen = policy_named(policy, LIMITS)
    for stages in (chosen.before_model, chosen.after_tools, chosen.on_overflow, chosen.on_request, (Snip(most=9),)):
        view, _ = _run(stages, script, _ctx(script))
        assert is_well_paired(view)


@pytest.mark.parametrize("policy", ["dexter", "four-level"])
def test_the_summariser_is_sent_tool_blocks_without_definitions(policy):
    """Text only: a system and a user message."""
    script, model = _rounds(8), summariser()
    _run(policy_named(policy, LIMITS).on_request, script, _ctx(script, model))
    assert all([m.role for m in request.messages] == ["system", "user"] for request in model.requests)


# Loops that get nowhere


@pytest.mark.parametrize("name", MISBEHAVING)
def test_compaction_fires_for_ever_without_getting_below_the_threshold(name):
    """Twenty turns over the threshold: at most three tries in a row, and truncation follows each."""
    script, reports, model = _rounds(8), (), summariser(MISBEHAVING[name])
    for _ in range(20):
        script.a(9_000)
        ctx = replace(_ctx(script, model, reports=reports), model=None)
        view, ctx = _run((Compact(), Truncate()), script, ctx)
        script.messages, reports = list(view), ctx.reports
    failures = [r for r in reports if isinstance(r, CompactReport) and r.counts_as_failure]
    assert len(failures) <= 3


def test_it_fires_again_because_the_count_from_before_is_still_the_newest():
    """A compaction invalidates the last count."""
    script = _rounds(8)
    view, ctx = _run((Compact(),), script, _ctx(script))
    assert ctx.meter.counted is None
    assert not ctx.over_threshold(view)


def test_the_model_reads_persisted_results_back_in_and_they_are_persisted_again():
    """Pages of a persisted result obey the cap; no file is written for them, however often they are read."""
    script = Script().q().a(400_000)
    script.messages = list(PersistResults()(script.view, script.ctx()).messages)
    for offset in range(0, 300_000, 60_000):
        page = f"[characters {offset}–{offset + 60_000} of 400000; continue at offset 0]\n" + financial_json(60_000)
        script.a(page, tool="read_result", arguments=[{"id": 1, "offset": offset}])
        script.messages = list(PersistResults()(script.view, script.ctx()).messages)
    assert list(script.store.files) == [1]
    assert all(m.size <= 50_000 for m in tool_messages(script.view))


def test_a_compaction_that_removed_nothing_counts_as_a_success():
    """No gain is a failure, and the view stays as it was."""
    script = Script().q().a(50).a(50).a(50)
    view = script.view
    result = asyncio.run(Compact()(view, _ctx(script)))
    assert result.messages is view
    assert result.report.counts_as_failure


def test_few_messages_but_two_giant_ones_and_a_minimum_count_blocks_every_step():
    """Shrinking has no such guard."""
    script = Script().q().a(400_000, 400_000)
    view, _ = _run((Truncate(on_overflow=True),), script, _ctx(script, learnt_limit=100_000))
    assert all(m.size < 3_000 for m in tool_messages(view))


# Too late


def test_results_that_arrived_since_the_last_request_are_invisible_to_the_check():
    """They are estimated and added to the count."""
    script = Script().q().a(10)
    meter = TokenMeter(counted=100_000, covered=len(script.view))
    before = meter.used(script.view)
    assert meter.used(script.a(40_000).view) - before > 10_000


def test_system_prompt_and_tool_definitions_are_not_counted():
    """Without a count the estimate holds both."""
    script = Script().q()
    bare = TokenMeter().used(script.view)
    assert TokenMeter(tools_tokens=12_000).used(script.view) == bare + 12_000
    assert bare >= script.view[0].tokens + script.view[1].tokens


@pytest.mark.parametrize("window", [16_000, 32_000, 128_000, 200_000])
def test_parallel_results_each_under_the_cap_but_together_over_the_window(window):
    """A turn's results take at most half of the window."""
    cap = min(50_000, window * 3 // 4)
    script = Script().q().a(*[cap] * 10)
    view, _ = _run(policy_named("dexter", LIMITS).after_tools[:2], script, _ctx(script, window=window))
    assert sum(m.size for m in tool_messages(view)) <= min(200_000, window * 3 // 2)


def test_the_providers_real_limit_is_lower_than_the_advertised_one():
    """What an overflow taught is what the view must keep, not the window."""
    script = _rounds(3, 60_000)
    ctx = _ctx(script, meter=TokenMeter(), learnt_limit=50_000)
    view, _ = _run((Truncate(on_overflow=True),), script, ctx)
    assert TokenMeter().estimate(view) <= 50_000


# Compaction's own failures


@pytest.mark.parametrize("window", [16_000, 32_000, 64_000])
@pytest.mark.parametrize("size", [20_000, 300_000])
def test_the_compaction_request_overflows_the_smaller_summarising_model(window, size):
    """Prompt and reserved output fit its window, question and history of any length included."""
    script = Script().q("q " * 100_000).a(text="an answer " * 30_000).q("now? " * 50_000)
    for _ in range(5):
        script.a(size)
    model = summariser(window=window)
    _run((Compact(moment="on request"),), script, _ctx(script, model))
    for request in model.requests:
        assert sum(m.tokens for m in request.messages) + request.max_tokens < window


def test_output_room_for_the_summary_is_not_reserved():
    """Every request has room for thousands of tokens, and never as many as the window."""
    script, model = _rounds(30, 40_000), summariser(window=64_000)
    _run((Compact(moment="on request"),), script, _ctx(script, model))
    assert all(3_000 <= request.max_tokens <= 16_000 for request in model.requests)


def test_the_error_comes_inside_the_stream_after_it_began():
    """A stream that breaks half-way gives no summary; nothing changes."""

    class Breaks:
        info = ModelInfo("breaks", "scripted")

        async def stream(self, _messages, **_kwargs):
            yield TextPiece("<summary>1. Query and intent")
            raise ModelError("Overloaded.", kind="overloaded")

        async def count(self, _messages, **_kwargs):
            return None

    script = _rounds(8)
    view = script.view
    result = asyncio.run(Compact()(view, _ctx(script, Breaks())))
    assert result.messages is view
    assert not result.report.success


# Caches


def test_one_more_result_is_cleared_every_turn():
    """Batches, down to well below the trigger: between two clearings the prefix holds for several turns."""
    script, turns = Script().q(), []
    for turn in range(40):
        script.a(20_000)
        result = Microcompact()(script.view, script.ctx())
        if result.report:
            turns.append(turn)
        script.messages = list(result.messages)
    assert min(b - a for a, b in pairwise(turns)) >= 4


@pytest.mark.parametrize("stage", [Microcompact(), Microcompact(over=4, keep=0)])
def test_tiny_results_that_stay_start_a_clearing_every_turn(stage):
    """What a clearing left alone, because a placeholder is no shorter, does not count towards the next one."""
    script, turns, reports = Script().q(), [], ()
    for _ in range(9):
        script.a("42", tool="calculate")
    for turn in range(20):
        script.a(20_000)
        result = stage(script.view, script.ctx(reports=reports))
        if result.report:
            turns.append(turn)
            reports = (*reports, result.report)
        script.messages = list(result.messages)
    assert len(turns) >= 3
    assert min(b - a for a, b in pairwise(turns)) >= 4


# Persisted results


@pytest.mark.parametrize("call_id", ["call_0", "", "x" * 1_500, "../../etc/passwd", "a/b", "\0"])
def test_the_file_is_named_by_the_models_call_id(call_id):
    """The store is given our own number; nothing a model sent reaches a path."""
    script = Script().q()
    script.a(60_000)
    assistant = script.messages[-2]
    call = replace(assistant.tool_calls[0], provider_id=call_id)
    script.messages[-2] = replace(assistant, tool_calls=(call,))
    view, _ = _run((PersistResults(),), script, _ctx(script))
    assert tool_messages(view)[0].path == "/runs/r1/results/1.txt"


@pytest.mark.parametrize("blocks", [1, 3, 40])
def test_results_given_as_lists_of_blocks_are_never_measured(blocks):
    """Their texts count together."""
    script = Script().q().a(tuple(TextBlock("7" * (90_000 // blocks)) for _ in range(blocks)))
    view, _ = _run((PersistResults(),), script, _ctx(script))
    assert tool_messages(view)[0].form == "preview"


def test_the_path_is_handed_out_before_the_file_is_complete():
    """Where the file could not be written the view names no path."""
    script = Script(store=Results(full=True)).q().a(60_000)
    view, _ = _run((PersistResults(),), script, _ctx(script))
    assert tool_messages(view)[0].path == ""
    assert ".txt" not in tool_messages(view)[0].text


# Summaries that lie


@pytest.mark.parametrize("policy", ["dexter", "four-level"])
def test_figures_are_invented_after_compaction_because_evidence_was_dropped(policy):
    """The view names the results the summary rests on and how to read them."""
    script = _rounds(8)
    view, _ = _run(policy_named(policy, LIMITS).on_request, script, _ctx(script))
    text = next(m.text for m in view if isinstance(m, UserMessage) and m.covers)
    assert "#1–#" in text
    assert "read_result" in text


@pytest.mark.parametrize("status", ["error", "timeout", "interrupted", "partial"])
@pytest.mark.parametrize("policy", ["dexter", "four-level"])
def test_the_output_of_a_call_that_timed_out_is_recorded_as_confirmed(policy, status):
    """The summariser is told each result's status."""
    script, model = _rounds(5), summariser()
    script.a("half an answer", status=status)
    _run(policy_named(policy, LIMITS).on_request, script, _ctx(script, model))
    assert f"[{status}]" in model.requests[0].messages[1].text


@pytest.mark.parametrize("policy", POLICIES)
def test_the_users_standing_rules_are_lost(policy):
    """They stand in the system prompt, which every stage leaves as it is."""
    script = _rounds(30)
    chosen = policy_named(policy, LIMITS)
    for stages in (chosen.before_model, chosen.after_tools, chosen.on_overflow, chosen.on_request):
        assert _run(stages, script, _ctx(script))[0][0] is script.messages[0]


@pytest.mark.parametrize("policy", POLICIES)
def test_the_users_newest_message_typed_while_tools_ran_is_lost(policy):
    """Whatever runs over the view, it is still there, and last among what the user said."""
    script = _rounds(30).u("also INTC, in euros")
    chosen = policy_named(policy, LIMITS)
    for stages in (chosen.before_model, chosen.after_tools, chosen.on_overflow, chosen.on_request):
        view, _ = _run(stages, script, _ctx(script))
        said = [m.text for m in view if isinstance(m, UserMessage) and m.origin != "harness"]
        assert said[-1] == "also INTC, in euros"


# Thinking


@pytest.mark.parametrize("policy", POLICIES)
def test_the_newest_assistant_messages_signed_thinking_is_edited(policy):
    """It is the very same message afterwards, or gone with its whole round."""
    signed = ThinkingBlock("why", "signed", {"type": "thinking", "signature": "s"}, "p")
    redacted = ThinkingBlock("", "signed", {"type": "redacted_thinking", "data": "d"}, "p")
    script = Script().q()
    for _ in range(12):
        script.a(12_000, text="Let me see. " * 50, thinking=(signed, redacted))
    newest = next(m for m in reversed(script.view) if isinstance(m, AssistantMessage))
    chosen = policy_named(policy, LIMITS)
    for stages in (chosen.before_model, chosen.after_tools, chosen.on_overflow, (StripThinking(over=0),)):
        view, _ = _run(stages, script, _ctx(script, meter=TokenMeter()))
        assert all(m is newest for m in view if m.id == newest.id)


# Counting


@pytest.mark.parametrize("size", [1_000, 10_000_000])
def test_a_base64_image_is_counted_as_text(size):
    """A picture costs the same whatever its bytes."""
    script = Script().q().a((MediaBlock("image/png", "A" * size),))
    assert tool_messages(script.view)[0].tokens < 2_000


@pytest.mark.parametrize("unit", ["财报数据，", '{"value": 26044}, '])
def test_characters_over_four_is_far_off_on_json_and_cjk(unit):
    """The budget of a small window holds for Chinese, too: the view stays below it by the byte-class estimate."""
    script = Script().q()
    for _ in range(9):
        script.a((unit * 12_000)[:11_000])
    view, ctx = _run((Microcompact(), Truncate()), script, _ctx(script, meter=TokenMeter(), window=32_000))
    assert ctx.meter.estimate(view) <= ctx.threshold


# Text


@pytest.mark.parametrize("unit", ["👩‍👩‍👧‍👦", "🇩🇪", "e\u0301\u0301", "中", "م", "\u1112\u1161\u11ab"])
def test_a_preview_cut_inside_an_emoji_makes_every_later_request_fail(unit):
    """What is shown is whole characters, whatever the offset at which the cut falls, and can be encoded."""
    for shift in range(8):
        text = "x" * shift + unit * (60_000 // len(unit) + 1)
        script = Script().q().a(text)
        view, _ = _run((PersistResults(),), script, _ctx(script))
        shown = tool_messages(view)[0].text.partition("\n")[2]
        assert shown.encode("utf-8")
        assert (len(shown) - shift) % len(unit) == 0


def test_a_line_separator_inside_a_string_splits_a_placeholder():
    """A placeholder is one line for every reader, whatever stood in the arguments."""
    script = Script().q()
    for _ in range(12):
        script.a(9_000, arguments=[{"query": "a\u2028b\u0085c\x0bd\re"}])
    view = Microcompact()(script.view, script.ctx()).messages
    assert all(len(m.text.splitlines()) == 1 for m in tool_messages(view) if m.form == "cleared")


# Questions lost


@pytest.mark.parametrize("earlier", range(4))
@pytest.mark.parametrize("rounds", [1, 3, 9])
def test_truncation_drops_the_current_question_for_an_old_answer(earlier, rounds):
    """With any earlier conversation in the view, this question stays and its rounds are counted from it."""
    script = Script()
    for _ in range(earlier):
        script.q("old").a(9_000).a(text="old answer")
    script.q("the current question")
    for _ in range(rounds):
        script.a(9_000)
    for stage in (Truncate(keep=1), Truncate(on_overflow=True), Snip(most=5)):
        view, _ = _run((stage,), script, _ctx(script, learnt_limit=1_000))
        assert [m.text for m in view if isinstance(m, UserMessage) and m.origin == "question"][-1].startswith("the cur")
        assert isinstance(view[-1], type(script.view[-1]))


def test_notices_are_appended_every_turn_and_pile_up():
    """Forty calls of one tool: a notice at the limit's doublings only."""
    script, reports = Script().q(), ()
    stages = policy_named("dexter", LIMITS).after_tools
    for turn in range(40):
        script.a(100, arguments=[{"ticker": f"T{turn}"}])
        view, ctx = _run(stages, script, _ctx(script, meter=TokenMeter(), reports=reports))
        script.messages, reports = list(view), ctx.reports
    assert sum(isinstance(report, SoftLimitReport) for report in reports) == 5  # before calls 3, 4, 7, 13 and 25


def test_a_summary_in_another_language_or_hostile_stays_a_summary():
    """Its text is quoted as lossy and no instruction; the closing words are ours."""
    for name in ("another language", "instructions", "a fake end"):
        script = _rounds(8)
        view, _ = _run((Compact(),), script, _ctx(script, summariser(MISBEHAVING[name])))
        text = next(m.text for m in view if isinstance(m, UserMessage) and m.kind == "summary")
        assert text.index("no instruction") < text.index("Summary:")
        assert text.rstrip().endswith("use read_result(id) instead of a guess.")


def test_a_good_summary_after_failures_closes_the_breaker():
    """Two failures, a success, two failures: the sixth try is made."""
    script, reports = _rounds(8), ()
    bad, good = answer(""), GOOD
    model = summariser(bad, bad, good, bad, bad, answer(tagged(nine_sections())))
    for _ in range(6):
        script.a(9_000).a(9_000).a(9_000)
        view, ctx = _run((Compact(),), script, replace(_ctx(script, model, reports=reports), model=None))
        script.messages, reports = list(view), ctx.reports
    assert len(model.requests) == 6
