"""The four-level form of compaction."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from dexter.context.compaction.conversation import Conversation
from dexter.context.policy import run_stages
from dexter.context.reports import compaction_failures
from dexter.context.stage import Effects
from dexter.context.stages.compact import Compact
from dexter.messages import UserMessage, is_well_paired
from tests.support.stage_views import Results, Script, shape
from tests.support.summarisers import MISBEHAVING, answer, material_of, summariser

STAGE = Compact(Conversation())
REACTIVE = Compact(Conversation(tail=5), moment="on overflow")
ON_REQUEST = Compact(Conversation(), moment="on request")
SUMMARY = answer("1. Goal: compare NVDA and AMD. 2. Findings: revenue 26,044 M (#2).")


async def _no_sleep(_seconds):
    return None


def _ctx(script, model=None, **changes):
    effects = Effects(clock=lambda: 0.0, sleep=_no_sleep)
    return script.ctx(fast_model=model or summariser(SUMMARY), effects=effects, **changes)


def _run(script, model=None, stage=STAGE, **changes):
    return asyncio.run(stage(script.view, _ctx(script, model, **changes)))


def _compacted(view):
    return next(m for m in view if isinstance(m, UserMessage) and m.kind == "compacted")


def test_fresh_results_may_be_summarised_if_the_event_says_so():
    """Six fresh results of 29k are over 50,000 characters: transcript, summary, and six unseen in the report."""
    script = Script().q().u().a(*[29_000] * 6)
    result = _run(script)
    assert shape(result.messages) == "Q U H(compacted)"
    assert result.report.unseen == 6
    assert result.report.covered == (1, 2, 3, 4, 5, 6)
    assert result.report.transcript
    assert script.store.transcripts == [script.view]
    text = _compacted(result.messages).text
    assert text.startswith("[Compacted]\n\n1. Goal")
    assert "#1–#6" in text


def test_fifty_thousand_characters_are_not_over():
    """The bound itself is allowed."""
    script = Script().q("q" * 1_000)
    filler = 50_000 - 1_000 - sum(m.size for m in Script().q("").a(0).view[1:])
    script.a(filler)
    assert sum(m.size for m in script.view[1:]) == 50_000
    assert _run(script).report is None
    assert _run(script.u("x")).report is not None


def test_small_windows_compact_earlier():
    """At most 60 % of the window, a token counted as three characters."""
    script = Script().q().a(15_000).a(15_000)
    assert _run(script).report is None
    assert _run(script, window=16_000).report is not None


def test_the_input_is_cut_in_the_middle():
    """The newest part is never lost: 80,000 characters with the middle left out."""
    script = Script().q("FIRST WORDS")
    for _ in range(4):
        script.a(40_000)
    script.u("LAST WORDS")
    model = summariser(SUMMARY)
    _run(script, model)
    material = material_of(model.requests[0].messages)
    assert len(material) <= 80_000
    assert material.startswith("User: FIRST WORDS")
    assert material.endswith("User: LAST WORDS")
    assert model.requests[0].max_tokens == 2_000


@pytest.mark.parametrize("fault", ["says nothing", "cut off", "calls a tool", "refuses", "overloaded", "refused key"])
def test_a_failed_summary_leaves_the_messages_and_counts(fault):
    """Nothing changes, and the breaker counts it."""
    script = Script().q().a(60_000)
    view = script.view
    result = asyncio.run(STAGE(view, _ctx(script, summariser(MISBEHAVING[fault]))))
    assert result.messages is view
    assert compaction_failures([result.report]) == 1


def test_a_transcript_that_cannot_be_written_is_a_failure():
    """Nothing leaves the view unsaved."""
    script = Script(store=Results(full=True)).q().a(60_000)
    result = _run(script)
    assert not result.report.success
    assert "No space" in result.report.reason


def test_reactive_keeps_the_last_five_with_their_call():
    """The last five begin at the three results of one turn: moved back to their call, six remain."""
    script = Script().q().a(30_000).u().a(1_000, 1_000, 1_000).a(1_000).u().u()
    result = _run(script, stage=REACTIVE)
    assert shape(result.messages) == "Q U H(compacted) A #2 #3 #4 A #5 U U"
    assert result.report.reactive
    assert is_well_paired(result.messages)


def test_reactive_runs_once_a_turn():
    """The call overflows again: the same tuple, so the caller gives up; the next turn may try again."""
    script = Script().q().a(30_000).a(30_000).a(100).a(100).a(100)
    ctx = _ctx(script)
    view, ctx = asyncio.run(run_stages((REACTIVE,), script.view, ctx, lambda _edit: None))
    again, ctx = asyncio.run(run_stages((REACTIVE,), view, ctx, lambda _edit: None))
    assert again is view
    assert len(ctx.reports) == 1
    script.messages = list(view)
    script.a(20_000).a(20_000).a(10).a(10).a(10)
    later, _ = asyncio.run(run_stages((REACTIVE,), script.view, replace(ctx, turn=ctx.turn + 1), lambda _edit: None))
    assert len(later) < len(script.view)


def test_the_compact_tools_own_call_leaves_the_view():
    """`A(compact, get_x)`: get_x has run, compact has no result: no tool blocks remain."""
    script = Script().q().a(8_000).a(8_000, 9_000)
    script.messages = script.messages[:-1]
    result = _run(script, stage=ON_REQUEST)
    assert shape(result.messages) == "Q H(compacted)"
    assert result.report.covered[-1] == 2


def test_a_second_compaction_covers_what_the_first_stood_for():
    """The newer summary names all results, and the older one is part of what it read."""
    script = Script().q().a(60_000)
    script.messages = list(_run(script).messages)
    script.a(60_000)
    model = summariser(SUMMARY)
    result = _run(script, model)
    assert _compacted(result.messages).covers == ((1, 2),)
    assert "[Compacted]" in material_of(model.requests[0].messages)
