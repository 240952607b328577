"""Which runs of a list are wanted."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from dexter.errors import UsageError
from dexter.replay.wanted import Wanted, before, is_older, tickers_in
from dexter.scratchpad.runs import RunSummary, summarize
from tests.support.conversations import RecordedRun, new_scratchpad

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def run(tmp_path) -> RunSummary:
    """A run of 2026-03-20: "compare NVDA vs AMD", of the model `scripted`, interrupted."""
    recorded = RecordedRun(new_scratchpad(tmp_path))
    recorded.begin()
    recorded.ask_model("x", 0)
    recorded.end("hung_up", 129)
    return summarize(recorded.scratchpad.paths.scratchpad)


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        (Wanted(), True),
        (Wanted(since="2026-03-20", until="2026-03-20"), True),
        (Wanted(since="2026-03-21"), False),
        (Wanted(until="2026-03-19"), False),
        (Wanted(model="SCRIPT"), True),
        (Wanted(model="claude"), False),
        (Wanted(status="hung-up"), True),
        (Wanted(status="answered"), False),
        (Wanted(ticker="nvda"), True),
        (Wanted(ticker="INTC"), False),
    ],
)
def test_a_run_is_wanted_if_it_is_all_that_was_asked_for(run, wanted, taken):
    """By day, part of the model's name, how it ended, company."""
    assert wanted.takes(run, tickers_in) is taken


def test_a_company_is_known_by_its_name():
    """Not only by its ticker; words that are tickers by chance are none."""
    assert tickers_in("How did Nvidia's margin develop?") == {"NVDA"}
    assert "IT" not in tickers_in("is it spending up?")


@pytest.mark.parametrize("wrong", [{"since": "yesterday"}, {"until": "20260320"}, {"status": "great"}])
def test_what_is_no_day_and_no_status_is_told(wrong):
    """With how it is written."""
    with pytest.raises(UsageError) as caught:
        Wanted(**wrong)
    assert caught.value.remedy


def test_ages(run):
    """By the last line written, whenever the run began; running ones are never old."""
    assert before("30d", NOW) == NOW - timedelta(days=30)
    assert before("8w", NOW) == NOW - timedelta(weeks=8)
    changed = (NOW - timedelta(hours=13)).timestamp()
    os.utime(run.path, (changed, changed))
    assert is_older(run, before("12h", NOW))
    assert not is_older(run, before("14h", NOW))
    with pytest.raises(UsageError, match="no age"):
        before("a month", NOW)
