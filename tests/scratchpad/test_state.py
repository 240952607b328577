from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from dexter.context.reports import CompactReport, MicrocompactReport, result_state
from dexter.results import StoredResult
from dexter.scratchpad.state import SEPARATOR, ResultState, listing, results_for_summary


def results(*ids):
    return [StoredResult(n, "t", {"n": n}, "ok" if n % 2 else "timeout", f"text {n}") for n in ids]


def test_a_summary_covers_everything_before_the_round_that_is_kept():
    """The boundary is the last result before that round, and what was cleared is forgotten."""
    state = ResultState().clear([1, 2]).summarize("sum", newest=9, kept=(8, 9))
    assert state == ResultState(frozenset(), "sum", 7)
    assert ResultState().summarize("sum", newest=9).boundary == 9


@given(st.sets(st.integers(1, 20)), st.sets(st.integers(1, 20)))
def test_clearing_adds_up(first, second):
    """In whatever order and however often, an id is cleared once."""
    assert ResultState().clear(first).clear(second) == ResultState().clear(first | second)


def test_a_cleared_result_is_read_to_the_summariser_in_full():
    """The summary rests on what the tools said, not on placeholders, and on how each call ended."""
    text = results_for_summary(ResultState(cleared=frozenset({1})), results(1, 2))
    assert "text 1" in text
    assert '#2 t {"n": 2} [timeout]\ntext 2' in text


def test_after_a_summary_the_summariser_gets_it_first_and_then_what_came_since():
    """Old summary, separator, results after the boundary."""
    text = results_for_summary(ResultState(frozenset({3}), "old summary", 2), results(1, 2, 3, 4))
    assert text.startswith(f"old summary\n\n{SEPARATOR}\n\n#3")
    assert "text 2" not in text
    assert "text 3" in text
    assert "text 4" in text


def test_only_people_see_that_a_result_was_cleared():
    """Their listing names it and leaves its text out."""
    text = listing(ResultState(frozenset({1})), results(1, 2))
    assert text.split("\n\n")[0] == "[Tool result #1 cleared from context]"
    assert "text 1" not in text
    assert "text 2" in text


def test_the_state_is_read_back_from_recorded_reports():
    """Clearings and successful compactions move it; a failed compaction and other stages do not."""
    reports = [
        {"cleared": [1, 2], "tokens_saved": 9, "trigger": "count"},
        {"success": True, "summary": "good", "boundary": 2},
        {"success": False, "summary": "bad", "boundary": 3},
        {"rounds": 2, "lost": [1]},
        {"cleared": [3]},
    ]
    state = ResultState()
    for report in reports:
        state = state.apply(report)
    assert state == ResultState(frozenset({3}), "good", 2)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 9)), max_size=8))
def test_a_live_run_and_its_file_cannot_disagree_on_the_state(steps):
    """Folding the pipeline's reports gives what folding their recorded form gives."""
    reports = [
        MicrocompactReport((number,), 1, "count")
        if clear
        else CompactReport(number % 3 > 0, number % 3 == 0, boundary=number, summary=f"summary {number}")
        for clear, number in steps
    ]
    recorded = ResultState()
    for report in reports:
        recorded = recorded.apply(json.loads(json.dumps(report.to_json())))
    assert result_state(reports) == recorded
