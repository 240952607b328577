from __future__ import annotations

import pytest

from dexter.context.stages.microcompact import CLEARED, CLEARED_FOUR_LEVEL, Microcompact
from dexter.messages import MediaBlock
from tests.support.stage_views import Script, forms, tool_messages

STAGE = Microcompact()


def _cleared(result):
    return [number for number, form in forms(result.messages).items() if form == "cleared"]


def _run(script, stage=STAGE, **ctx):
    return stage(script.view, script.ctx(**ctx))


def test_results_the_model_has_not_seen_are_never_cleared():
    """Ten parallel results are all unseen; once one more has come, all but the newest four go."""
    script = Script().q().a(*[12_000] * 10)
    assert _run(script).report is None
    script.a(12_000)
    result = _run(script)
    assert _cleared(result) == [1, 2, 3, 4, 5, 6, 7]
    assert result.report.cleared == (1, 2, 3, 4, 5, 6, 7)
    assert result.report.trigger == "count"
    assert STAGE(result.messages, script.ctx()).messages is result.messages


def test_few_but_large_results_are_cleared_by_size():
    """Eight results of 45k JSON are about 137k tokens: the newest that fit in 40,000 stay, here two."""
    script = Script().q()
    for _ in range(8):
        script.a(45_000)
    result = _run(script)
    assert _cleared(result) == [1, 2, 3, 4, 5, 6]
    assert result.report.trigger == "token"
    assert STAGE(result.messages, script.ctx()).messages is result.messages


def test_the_size_trigger_is_half_of_a_small_window():
    """In a window of 64,000 tokens, results of more than 32,000 are too many."""
    script = Script().q().a(40_000).a(40_000).a(40_000)
    assert _cleared(_run(script, window=64_000)) == [1, 2]
    assert _cleared(_run(script)) == []


def test_nine_tiny_results_in_a_large_window_are_left_alone():
    """Clearing must gain something: 1,000 tokens in all."""
    script = Script().q()
    for _ in range(9):
        script.a(150)
    assert _run(script, window=1_000_000).report is None


def test_results_of_tools_that_are_not_clearable_do_not_count_and_stay():
    """A skill's text may not leave the view, whatever its age."""
    script = Script().q()
    for _ in range(12):
        script.a(12_000, tool="skill")
    assert _run(script).report is None


def test_a_placeholder_says_on_one_line_what_it_was_and_how_to_get_it_back():
    """Id, tool, arguments cut at 80 characters, size, read_result; call and name stay."""
    long = {"ticker": "NVDA", "note": "first line\nsecond\u2028line " + "x" * 200}
    script = Script().q().a(12_345, arguments=[long])
    for _ in range(9):
        script.a(12_000)
    before = tool_messages(script.view)[0]
    cleared = tool_messages(_run(script).messages)[0]
    assert cleared.text.startswith(f'{CLEARED} #1 get_financials {{"ticker":"NVDA","note":"first')
    assert "12,345 characters" in cleared.text
    assert "read_result(id=1)" in cleared.text
    assert len(cleared.text.splitlines()) == 1
    assert len(cleared.text) < 220
    assert (cleared.id, cleared.call, cleared.tool) == (before.id, before.call, before.tool)


def test_the_placeholder_of_a_recalled_page_names_the_original():
    """A cleared page of #4 leads back to #4, not to itself."""
    script = Script().q().a(12_000).a(12_000).a(12_000).a(12_000)
    script.a(20_000, tool="read_result", arguments=[{"id": 4, "offset": 40_000}])
    for _ in range(6):
        script.a(12_000)
    text = tool_messages(_run(script).messages)[4].text
    assert "read_result(id=4)" in text
    assert "#5" in text


def test_the_placeholder_of_a_persisted_result_keeps_the_way_back():
    """Clearing a preview erases its path from the view; the id leads to the whole result all the same."""
    from dexter.context.stages.persist_results import PersistResults

    script = Script().q().a(90_000)
    script.messages = list(PersistResults()(script.view, script.ctx()).messages)
    for _ in range(12):
        script.a(12_000)
    cleared = tool_messages(_run(script).messages)[0]
    assert "read_result(id=1)" in cleared.text
    assert "90,000 characters" in cleared.text
    assert cleared.path


def test_the_placeholder_has_the_same_bytes_in_every_turn():
    """No counter and no time: clearing earlier or later gives the same line."""
    script = Script().q()
    for _ in range(9):
        script.a(12_000)
    early = {m.result: m.text for m in tool_messages(_run(script).messages) if m.form == "cleared"}
    for _ in range(9):
        script.a(12_000)
    late = {m.result: m.text for m in tool_messages(_run(script).messages) if m.form == "cleared"}
    assert early == {number: late[number] for number in early}


def test_clearing_happens_in_batches():
    """After a clearing several turns pass before the prefix breaks again."""
    script, edits = Script().q(), 0
    for _ in range(40):
        script.a(20_000)
        result = _run(script)
        edits += result.report is not None
        script.messages = list(result.messages)
    assert edits <= 8


def test_pictures_are_worth_clearing():
    """A picture counts a flat token figure, so clearing an old one gains that."""
    script = Script().q()
    for _ in range(10):
        script.a((MediaBlock("image/png", "AAAA"),))
    result = _run(script)
    assert _cleared(result) == [1, 2, 3, 4, 5, 6]
    assert result.report.tokens_saved > 6_000


def test_lean_clears_every_seen_result_once_more_than_four_are_whole():
    """Only the newest unseen turn stays."""
    stage = Microcompact(over=4, keep=0)
    script = Script().q().a(2_000).a(2_000).a(2_000).a(2_000)
    assert _run(script, stage).report is None
    script.a(2_000, 2_000)
    assert _cleared(_run(script, stage)) == [1, 2, 3, 4]


@pytest.mark.parametrize(("size", "cleared"), [(120, []), (121, [1])])
def test_four_level_replaces_results_over_120_characters(size, cleared):
    """The line that takes their place has at most 120 characters and carries the id."""
    stage = Microcompact(over=3, keep=3, by_size=False, spare=120, least_gain=0, wording="four-level")
    script = Script().q().a("7" * size).a(500).a(500).a(500)
    result = _run(script, stage)
    assert _cleared(result) == cleared
    for message in tool_messages(result.messages)[: len(cleared)]:
        assert message.text.startswith(f"{CLEARED_FOUR_LEVEL} #1")
        assert len(message.text) <= 120


def test_four_level_keeps_all_results_of_the_newest_turn():
    """Six unseen results stay although only three are kept otherwise."""
    stage = Microcompact(over=3, keep=3, by_size=False, spare=120, least_gain=0, wording="four-level")
    script = Script().q().a(500).a(*[500] * 6)
    assert _cleared(_run(script, stage)) == [1]
