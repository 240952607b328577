from __future__ import annotations

from typing import get_args

import pytest

from dexter.context.reports import REPORTS as KINDS
from dexter.context.reports import CompactReport, FlushReport
from dexter.events import (
    Answered,
    Event,
    ModelCall,
    ModelResponded,
    Retry,
    RunFinished,
    StageRan,
    TextDelta,
    ToolFinished,
)
from dexter.ui.cards import Card, Line
from dexter.ui.stages import stage_card
from dexter.ui.telling import tell
from dexter.usage import Usage
from tests.support.events import REPORTS, STARTED, stage, whole_run

# Shown by the sinks in ways of their own.
_ELSEWHERE = {TextDelta, ModelCall, ModelResponded, ToolFinished}


def _text(card: Card) -> str:
    return "\n".join((card.title, *card.lines))


def test_every_kind_of_event_is_told():
    """No event of the contract is forgotten."""
    told = {type(event) for event in whole_run() if tell(event)}
    missing = set(get_args(Event)) - told - _ELSEWHERE
    assert {kind.__name__ for kind in missing} == {"ErrorRaised"}


def test_every_kind_of_report_has_a_card():
    """No stage is forgotten: each report kind is among the examples and gives a card of its own."""
    assert {type(report) for report in REPORTS} == set(KINDS)
    assert len({stage_card(stage(report)).title for report in REPORTS}) == len(KINDS)


@pytest.mark.parametrize(
    ("kind", "figures"),
    [
        ("microcompact", ["4 old results", "#1–#3, #5", "41,200 tokens"]),
        ("persist_results", ["#7", "128,400", "/runs/r/results/7.txt", "1,987", "#8", "#9", "No space left"]),
        ("turn_budget", ["212,000 → 122,000", "#10"]),
        ("strip_thinking", ["2 messages", "6,100"]),
        ("soft_limit", ["get_financials: 3 calls", "nvda revenue ~ nvda revenues"]),
        ("truncate", ["3 oldest rounds", "#1–#3", "1 earlier question", "#4"]),
        ("memory_flush", ["240 characters", "/memory/2026-11-30.md"]),
        (
            "compact",
            ["118,000 → 31,000", "#1–#5", "214 kept, 12 restored, 3 left", "claude-haiku-5-5", "$0.0123", "4.2 s"],
        ),
        ("snip", ["12 messages", "#1–#2"]),
    ],
)
def test_a_card_has_its_figures(kind: str, figures: list[str]):
    """What a stage did is told with its numbers."""
    report = next(report for report in REPORTS if report.stage == kind)
    text = _text(stage_card(stage(report)))
    assert [figure for figure in figures if figure not in text] == []


def test_what_failed_is_called_so():
    """A compaction or a flush that failed says why, and that nothing was changed."""
    failed = stage_card(stage(CompactReport(success=False, counts_as_failure=True, reason="no summary tag")))
    assert (failed.title, failed.tone) == ("compaction failed", "warn")
    assert "no summary tag" in _text(failed)
    assert "nothing was changed" in _text(failed)
    assert "failed: offline" in _text(stage_card(stage(FlushReport("failed", reason="offline"))))


def test_a_stage_of_a_later_version_is_shown_by_its_figures():
    """A name or shape not known here is no error."""
    assert "depth: 3" in _text(stage_card(StageRan("fold", 2, 1, {"depth": 3})))
    assert "odd: 1" in _text(stage_card(StageRan("microcompact", 2, 1, {"odd": 1})))


def test_the_start_says_who_answers_and_why():
    """The first line names model, policy and sizes; without a key it says that the offline analyst answers."""
    told = tell(STARTED)
    assert isinstance(told, Line)
    assert "model offline" in told.text
    assert "128k" in told.text
    assert "No key is set" in told.text


def test_an_overflow_is_told_apart_from_other_retries():
    """Overflow retries get a card, waiting gets a line with its seconds."""
    assert isinstance(tell(Retry("context_overflow", 1, 0.0, "too long")), Card)
    waiting = tell(Retry("rate_limit", 2, 4.0, "slow down"))
    assert isinstance(waiting, Line)
    assert "4.0 s" in waiting.text


def test_sources_already_in_the_answer_are_not_repeated():
    """Beside the answer stand only the sources it does not name."""
    named = {"kind": "filing", "title": "NVDA 10-K", "url": "https://a"}
    assert tell(Answered("As the NVDA 10-K says.", True, (), (named,))) is None
    told = tell(Answered("So it is.", True, (), (named,)))
    assert isinstance(told, Line)
    assert "NVDA 10-K https://a" in told.text


def test_an_incomplete_answer_is_called_so():
    """Beside an answer that is not complete it is said."""
    told = tell(Answered("Half.", False, (), ()))
    assert isinstance(told, Line)
    assert "not complete" in told.text


def test_the_end_has_tokens_and_cost():
    """The last line sums up."""
    told = tell(RunFinished("incomplete", 3, Usage(1_000, 20_000, 0, 450), ""))
    assert isinstance(told, Line)
    assert told.text == "ended without a complete answer · 21k tokens in (20k from cache), 450 out · cost n/a"
