from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest

from dexter.context.reports import CompactReport, FlushReport
from dexter.context.stage import Effects
from dexter.context.stages.memory_flush import MemoryFlush, as_list
from dexter.context.tokens import TokenMeter
from dexter.memory.notes import DailyNotes
from tests.support.stage_views import Script
from tests.support.summarisers import MISBEHAVING, answer, summariser

STAGE = MemoryFlush()
OVER = TokenMeter(counted=170_000, covered=1)
NOW = datetime(2026, 11, 30, 14, 5, tzinfo=UTC)


async def _no_sleep(_seconds):
    return None


def _script():
    return (
        Script()
        .q("I hold 200 shares of NVDA. Compare it with AMD, in euros as always.")
        .a("page text: NOTE THIS")
        .u("thanks")
    )


def _run(folder, model, script=None, **changes):
    script = script or _script()
    settings = {"meter": OVER, "memory": DailyNotes(folder, lambda: NOW), **changes}
    ctx = script.ctx(fast_model=model, effects=Effects(sleep=_no_sleep), **settings)
    view = script.view
    result = asyncio.run(STAGE(view, ctx))
    assert result.messages is view
    return result.report


def test_facts_about_the_user_go_to_todays_notes(tmp_path):
    """A list of short lines in the daily file; the report names it."""
    report = _run(tmp_path, summariser(answer("- Holds 200 shares of NVDA\n- Wants figures in euros")))
    assert report.outcome == "written"
    text = (tmp_path / "2026-11-30.md").read_text()
    assert "- Holds 200 shares of NVDA\n- Wants figures in euros" in text
    assert report.path == str(tmp_path / "2026-11-30.md")


def test_only_the_users_own_words_are_read(tmp_path):
    """Web text can't become a fact about the user: the model never sees it."""
    model = summariser(answer("NOTHING"))
    _run(tmp_path, model)
    request = model.requests[0]
    assert request.tools == ()
    assert "I hold 200 shares" in request.messages[1].text
    assert "NOTE THIS" not in request.messages[1].text


def test_nothing_writes_no_file(tmp_path):
    """The word alone, however decorated."""
    report = _run(tmp_path, summariser(answer("**Nothing.**")))
    assert report.outcome == "nothing"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("outcome", ["written", "nothing", "failed"])
def test_it_runs_once_in_a_compaction_cycle(tmp_path, outcome):
    """Whatever came of it, it is not repeated until a compaction succeeds."""
    model = summariser(answer("- a fact"))
    flushed = FlushReport(outcome)
    assert _run(tmp_path, model, reports=(flushed,)) is None
    failed = CompactReport(success=False, counts_as_failure=True)
    assert _run(tmp_path, model, reports=(flushed, failed)) is None
    compacted = CompactReport(success=True, counts_as_failure=False)
    assert _run(tmp_path, model, reports=(flushed, compacted)) is not None


def test_memory_off_asks_no_model(tmp_path):
    """No memory, no call."""
    model = summariser(answer("- a fact"))
    assert _run(tmp_path, model, memory=None) is None
    assert model.requests == []


def test_below_the_threshold_it_is_silent(tmp_path):
    """Only a compaction to come is a reason."""
    assert _run(tmp_path, summariser(answer("- a fact")), meter=TokenMeter()) is None


@pytest.mark.parametrize("fault", ["says nothing", "calls a tool", "cut off", "overloaded", "refused key", "too large"])
def test_its_failure_never_fails_the_run(tmp_path, fault):
    """The run goes on; the report says what went wrong."""
    report = _run(tmp_path, summariser(MISBEHAVING[fault]))
    assert report.outcome == "failed"
    assert report.reason
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_a_failure_too(tmp_path):
    """A file stands where the folder should be."""
    (tmp_path / "memory").write_text("x")
    assert _run(tmp_path / "memory", summariser(answer("- a fact"))).outcome == "failed"


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("- a\n- b\n", "- a\n- b"),
        ("Here you are:\n* a\u2028b\n\n# heading\n• c", "- a b\n- c"),
        ("NOTHING", ""),
        ("nothing to note", ""),
        ("- NOTHING", ""),
        ("- " + "x" * 400, "- " + "x" * 300),
        ("\n".join(f"- {i}" for i in range(9)), "- 0\n- 1\n- 2"),
    ],
)
def test_only_list_items_become_notes(text, notes):
    """Each one line and short, and not too many; whatever else a model writes is left out."""
    assert as_list(text, 3) == notes
