from __future__ import annotations

from dexter.context.stages.turn_budget import TurnBudget
from tests.support.stage_views import Results, Script, financial_json, forms, tool_messages

STAGE = TurnBudget()


def _run(script, **ctx):
    return STAGE(script.view, script.ctx(**ctx))


def _total(result):
    return sum(m.size for m in tool_messages(result.messages))


def test_the_largest_goes_first_and_on_ties_the_first_in_call_order():
    """49k 49k 49k 40k 20k is 207k: only the first 49k goes to a file; 158k and its preview stay."""
    script = Script().q().a(49_000, 49_000, 49_000, 40_000, 20_000)
    result = _run(script)
    assert forms(result.messages) == {1: "preview", 2: "whole", 3: "whole", 4: "whole", 5: "whole"}
    assert _total(result) == 158_000 + result.report.persisted[0].preview_chars
    assert result.report.chars_before == 207_000
    assert result.report.chars_after == _total(result)
    assert STAGE(result.messages, script.ctx()).messages is result.messages


def test_exactly_the_budget_is_left_alone():
    """200,000 characters together are not over 200,000."""
    script = Script().q().a(50_000, 50_000, 50_000, 50_000)
    assert _run(script).report is None


def test_pages_are_cut_and_no_file_is_written():
    """Five pages of 50k are cut at lines until they fit; each says where to continue."""
    pages = [f"[characters 0–49000 of 400000; continue at offset 49000]\n{financial_json(49_940)}" for _ in range(5)]
    script = Script().q().a(*pages, tool="read_result", arguments=[{"id": 1}] * 5)
    result = _run(script)
    assert _total(result) <= 200_000
    assert not script.store.files
    assert result.report.persisted == ()
    for message in tool_messages(result.messages):
        head, _, body = message.text.partition("\n")
        assert head.endswith(f"continue at offset {len(body)}]") or message.result not in result.report.cut


def test_what_counts_afterwards_is_each_previews_real_length():
    """Previews of nearly 2,000 characters are counted as they are, so a second result goes where a constant erred."""
    sizes = [49_900, 49_900, 49_900, 49_900]
    script = Script().q().a(*sizes, 2_300)
    result = _run(script)
    assert _total(result) <= 200_000
    assert result.report.chars_after == _total(result)


def test_a_result_whose_preview_would_not_be_shorter_stays():
    """With a budget smaller than the results, small ones are not made larger by a preview."""
    script = Script().q().a(900, 900, 900)
    result = TurnBudget(chars=1_000)(script.view, script.ctx())
    assert result.messages == script.view
    assert not script.store.files


def test_on_a_full_disk_results_are_cut_until_they_fit():
    """Without room for files the largest are cut to fit, and say that they are whole by id."""
    script = Script(store=Results(full=True)).q().a(*[49_000] * 5)
    result = _run(script)
    assert _total(result) <= 200_000
    assert [failed for failed, _ in result.report.failed] == [1]
    assert STAGE(result.messages, script.ctx()).messages is result.messages


def test_parallel_results_under_the_cap_but_together_over_a_small_window():
    """In a window of 16,000 tokens a turn's results may be half of it together."""
    script = Script().q().a(*[11_000] * 6)
    result = _run(script, window=16_000)
    assert _total(result) <= 24_000


def test_spared_results_stay_whole_even_over_the_budget():
    """With `spare`, as in the four-level policy, results up to that size are never written to files."""
    script = Script().q().a(*[29_000] * 8)
    assert TurnBudget(spare=30_000)(script.view, script.ctx()).report is None
