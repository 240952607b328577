"""What must hold for every stage and every policy, over random conversations and with models good and bad."""

from __future__ import annotations

import asyncio
import inspect
import random
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dexter.config.limits import Limits
from dexter.context.compaction.conversation import Conversation
from dexter.context.policies import POLICIES, policy_named
from dexter.context.policy import run_stages
from dexter.context.reports import CompactReport, FlushReport, Report
from dexter.context.stage import Effects, Stage
from dexter.context.stages.compact import Compact
from dexter.context.stages.memory_flush import MemoryFlush
from dexter.context.stages.microcompact import Microcompact
from dexter.context.stages.persist_results import PersistResults
from dexter.context.stages.snip import Snip
from dexter.context.stages.soft_limit import SoftLimit
from dexter.context.stages.strip_thinking import StripThinking
from dexter.context.stages.truncate import Truncate
from dexter.context.stages.turn_budget import TurnBudget
from dexter.context.tokens import TokenMeter, estimate
from dexter.messages import (
    AssistantMessage,
    Messages,
    UserMessage,
    is_well_paired,
    newest_assistant_index,
    question_index,
)
from tests.support.stage_views import Script, random_script, tool_messages
from tests.support.summarisers import GOOD, MISBEHAVING, copying, summariser

STAGES: dict[str, tuple[Stage, ...]] = {
    "persist_results": (PersistResults(),),
    "persist_results, four-level": (PersistResults(chars=30_000, wording="four-level"),),
    "turn_budget": (TurnBudget(),),
    "turn_budget, four-level": (TurnBudget(spare=30_000, wording="four-level"),),
    "microcompact": (Microcompact(),),
    "microcompact, lean": (Microcompact(over=4, keep=0),),
    "microcompact, four-level": (
        Microcompact(over=3, keep=3, by_size=False, spare=120, least_gain=0, wording="four-level"),
    ),
    "strip_thinking": (StripThinking(over=100),),
    "strip_thinking after microcompact": (Microcompact(), StripThinking()),
    "truncate": (Truncate(),),
    "truncate, to one round": (Truncate(keep=1),),
    "truncate, on overflow": (Truncate(on_overflow=True),),
    "soft_limit": (SoftLimit(),),
    "snip": (Snip(most=8),),
    "snip, as it is": (Snip(),),
    "memory_flush": (MemoryFlush(),),
    "compact": (Compact(),),
    "compact, on request": (Compact(moment="on request"),),
    "compact, four-level": (Compact(Conversation()),),
    "compact, on overflow": (Compact(Conversation(tail=5), moment="on overflow"),),
    **{f"{name}, before a call": policy_named(name).before_model for name in POLICIES},
    **{f"{name}, after the tools": policy_named(name).after_tools for name in POLICIES},
}
SILENT = [name for name in STAGES if name != "soft_limit" and "after the tools" not in name]
# Each run of these goes one step further: that is what another refusal, or another request, asks for.
STEPPING = [name for name in STAGES if "on overflow" in name or "on request" in name]
# A compaction that failed is tried again, up to its breaker, and may then find a model that works.
RETRYING = [name for name in STAGES if "compact" in name or "four-level, before" in name or "after the tools" in name]
IDEMPOTENT = [name for name in SILENT if name not in STEPPING and name not in RETRYING]
NO_WORK = ("none, before a call", "none, after the tools", "four-level, after the tools", "snip, as it is")
MODELS = {"good": GOOD, "copies all": copying(1.0), "copies half": copying(0.5), **MISBEHAVING}

windows = st.sampled_from([16_000, 40_000, 200_000])


@dataclass(frozen=True)
class Case:
    """Some stages' one pass over a random view, and a second pass over what it gave."""

    name: str
    script: Script
    before: Messages
    after: Messages
    again: Messages
    reports: tuple[Report, ...]


def paired(case):
    """Every call has exactly one result that follows it."""
    assert is_well_paired(case.before)
    assert is_well_paired(case.after)


def users_words_stay(case):
    """System prompt, this question and the lines typed since are there, unchanged, in order."""
    assert case.after[0] is case.before[0]
    assert _since_question(case.after) == _since_question(case.before)


def twice_is_once(case):
    """A second run returns the very tuple of the first; on an overflow it goes one step further on purpose."""
    assert case.again is case.after or case.name not in IDEMPOTENT


def does_not_grow(case):
    """The estimate after is at most the estimate before."""
    assert estimate(case.after) <= estimate(case.before) or case.name not in SILENT


def lost_results_are_named(case):
    """What left is named, singly or in a range, and as it was it can be recalled whole."""
    named = {n for m in case.after if isinstance(m, UserMessage) for a, b in m.covers for n in range(a, b + 1)}
    there = {m.result for m in tool_messages(case.after)}
    assert all(m.result in there | named for m in tool_messages(case.before))
    for message in tool_messages(case.after):
        if message.form != "whole":
            assert f"#{message.result}" in message.text or f"id={message.result}" in message.text


def files_hold_whole_results(case):
    """What went to a file is the whole text of the result."""
    store = case.script.store
    assert all(text == store.read(number).text for number, text in store.files.items())


def input_is_not_modified(case):
    """The messages are as they were; nothing edited is the very same tuple."""
    assert [replace(m).digest for m in case.before] == [m.digest for m in case.script.messages]
    edits = [r for r in case.reports if not isinstance(r, FlushReport) and getattr(r, "success", True)]
    assert (case.after is case.before) == (not edits)


def unseen_results_stay(case):
    """What no request has carried stays, over the cap as its preview; a compaction counts those it covers."""
    unseen = tool_messages(case.before[newest_assistant_index(case.before) + 1 :])
    forms = {m.result: m.form for m in tool_messages(case.after)}
    gone = sum(forms.get(m.result) not in ("whole", "preview") for m in unseen)
    counted = sum(report.unseen for report in case.reports if isinstance(report, CompactReport) and report.success)
    assert gone <= counted or "truncate, on overflow" in case.name


def bound_thinking_stays(case):
    """Signed and demanded blocks stand in every message that stays, byte for byte."""
    before = {m.id: _bound(m) for m in case.before if isinstance(m, AssistantMessage)}
    assert all(_bound(m) == before[m.id] for m in case.after if isinstance(m, AssistantMessage))


PROPERTIES = (
    paired,
    users_words_stay,
    twice_is_once,
    does_not_grow,
    lost_results_are_named,
    files_hold_whole_results,
    input_is_not_modified,
    unseen_results_stay,
    bound_thinking_stays,
)


def _script(seed, rounds):
    return random_script(random.Random(seed), rounds)  # noqa: S311 - a seed that can be named


def _run(stages, view, ctx):
    return asyncio.run(run_stages(stages, view, ctx, lambda _edit: None))


class Notes:
    """A memory that cannot be written every other time."""

    def __init__(self):
        self.calls = 0

    def append(self, notes, *, origin):
        self.calls += 1
        if self.calls % 2:
            raise OSError(28, "No space left on device")
        return Path("notes.md")


async def _no_sleep(_seconds):
    return None


def _case(name, script, window, turn=GOOD):
    before = script.view
    ctx = script.ctx(
        window=window,
        limits=Limits(ledger_chars=2_000),
        meter=TokenMeter(tools_tokens=500),
        fast_model=summariser(turn, window=16_000),
        memory=Notes(),
        effects=Effects(sleep=_no_sleep),
    )
    after, ctx = _run(STAGES[name], before, ctx)
    again, _ = _run(STAGES[name], after, ctx)
    return Case(name, script, before, after, again, ctx.reports)


conversations = given(
    seed=st.integers(0, 2**32), rounds=st.integers(0, 14), window=windows, model=st.sampled_from(list(MODELS))
)


@pytest.mark.parametrize("name", STAGES)
@conversations
@settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_what_must_always_hold(name, seed, rounds, window, model):
    """Every property in the list above, for every stage and model, over random conversations."""
    _check(name, seed, rounds, window, model)


@pytest.mark.long
@pytest.mark.parametrize("name", STAGES)
@conversations
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_what_must_always_hold_at_length(name, seed, rounds, window, model):
    """The long form of the same."""
    _check(name, seed, rounds, window, model)


def _check(name, seed, rounds, window, model):
    case = _case(name, _script(seed, rounds), window, MODELS[model])
    for holds in PROPERTIES:
        holds(case)


@pytest.mark.parametrize("name", [name for name in STAGES if name not in NO_WORK])
def test_random_conversations_give_every_stage_work(name):
    """The properties would say nothing if the stages never acted."""
    acted = sum(bool(_case(name, _script(seed, 3 + seed % 12), 16_000).reports) for seed in range(12))
    assert acted >= 2


@given(seed=st.integers(0, 2**32), rounds=st.integers(0, 10), window=windows)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_the_overflow_form_ends(seed, rounds, window):
    """Repeated refusals remove something each time until nothing is left to remove."""
    script = _script(seed, rounds)
    view, ctx = script.view, script.ctx(window=window, learnt_limit=1_000)
    for _ in range(100):
        after, ctx = _run(STAGES["truncate, on overflow"], view, ctx)
        if after is view:
            break
        assert estimate(after) < estimate(view)
        assert is_well_paired(after)
        view = after
    else:
        pytest.fail("it never ended")


def test_only_the_stages_that_ask_a_model_are_async():
    """All others are plain functions of their arguments."""
    every = {type(stage) for stages in STAGES.values() for stage in stages}
    assert {kind for kind in every if inspect.iscoroutinefunction(kind.__call__)} == {Compact, MemoryFlush}


def _since_question(view):
    return [m for m in view[question_index(view) :] if isinstance(m, UserMessage) and m.origin != "harness"]


def _bound(message):
    return [block for block in message.thinking if block.kind != "plain"]
