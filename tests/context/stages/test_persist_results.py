from __future__ import annotations

import pytest

from dexter.context.reports import PersistReport
from dexter.context.stages.persist_results import PersistResults
from dexter.messages import MediaBlock, TextBlock
from tests.support.stage_views import Results, Script, tool_messages

STAGE = PersistResults()


def _run(script, **ctx):
    return STAGE(script.view, script.ctx(**ctx))


def test_exactly_the_cap_stays_whole():
    """A result of 50,000 characters is untouched: the very same tuple."""
    script = Script().q().a(50_000)
    view = script.view
    assert STAGE(view, script.ctx()).messages is view


def test_one_over_the_cap_goes_to_a_file_and_a_preview_stays():
    """50,001 characters are written whole; the view keeps a start, the size, the id first and the path."""
    script = Script().q().a(50_001)
    result = _run(script)
    message = tool_messages(result.messages)[0]
    assert script.store.files[1] == script.store.stored[1].text
    assert message.form == "preview"
    assert message.chars == 50_001
    assert message.text.index("read_result(id=1)") < message.text.index("/runs/r1/results/1.txt")
    assert "50,001" in message.text
    assert isinstance(result.report, PersistReport)
    assert result.report.persisted[0].preview_chars == len(message.text)
    assert _again(result, script) is result.messages


def test_a_preview_ends_before_a_flag_that_the_limit_would_split():
    """A flag is two code points at 1,999 and 2,000: the preview ends before it."""
    text = "a" * 1_999 + "🇩🇪" + "b" * 48_000
    script = Script().q().a(text)
    shown = tool_messages(_run(script).messages)[0].text.partition("\n")[2]
    assert shown == "a" * 1_999


def test_a_preview_ends_at_a_line_break_near_the_limit():
    """A line break 100 characters before the limit is where the preview ends."""
    text = "a" * 1_899 + "\n" + "b" * 60_000
    script = Script().q().a(text)
    shown = tool_messages(_run(script).messages)[0].text.partition("\n")[2]
    assert shown == "a" * 1_899 + "\n"


def test_a_full_disk_keeps_the_result_cut_and_says_so():
    """Text and sentence together are 50,000 characters, and a second run changes nothing."""
    script = Script(store=Results(full=True)).q().a("1,234;" * 8_333 + "123")
    result = _run(script)
    message = tool_messages(result.messages)[0]
    assert len(message.text) == 50_000
    assert "could not be written" in message.text
    assert "read_result(id=1)" in message.text
    assert result.report.failed == ((1, "No space left on device."),)
    assert _again(result, script) is result.messages


def test_pages_of_results_are_cut_and_never_persisted_again():
    """A page over the cap is cut at a line and says where to continue; no file is written."""
    lines = "".join(f"line {i:05}\n" for i in range(6_000))
    page = f"[characters 40000–{40_000 + len(lines)} of 900000; continue at offset 99]\n{lines}"
    script = Script().q().a(page, tool="read_result", arguments=[{"id": 1, "offset": 40_000}])
    result = _run(script)
    text = tool_messages(result.messages)[0].text
    head, _, body = text.partition("\n")
    assert head.endswith(f"continue at offset {40_000 + len(body)}]")
    assert len(text) <= 50_000
    assert lines.startswith(body)
    assert body.endswith("\n")
    assert not script.store.files
    assert result.report.cut == (1,)
    assert _again(result, script) is result.messages


def test_text_parts_of_blocks_count_and_persist_like_strings():
    """A result given as blocks is measured by its text; its pictures stay and are no part of the preview."""
    picture = MediaBlock("image/png", "A" * 500_000)
    script = Script().q().a((TextBlock("a" * 30_000), picture, TextBlock("b" * 30_000)))
    message = tool_messages(_run(script).messages)[0]
    assert isinstance(message.content, tuple)
    assert [type(block) for block in message.content] == [TextBlock, MediaBlock]
    assert script.store.files[1] == "a" * 30_000 + "\n" + "b" * 30_000


def test_a_picture_alone_is_never_counted_as_text():
    """Half a million characters of base64 are not over the cap."""
    script = Script().q().a((MediaBlock("image/png", "A" * 500_000),))
    assert _run(script).messages == script.view


@pytest.mark.parametrize(("window", "cap"), [(16_000, 12_000), (32_000, 24_000), (128_000, 50_000)])
def test_small_windows_have_a_smaller_cap(window, cap):
    """The cap is at most a quarter of the window, a token counted as three characters."""
    script = Script().q().a(cap, cap + 1)
    assert set(_changed(_run(script, window=window), script)) == {2}


def test_results_already_sent_are_not_touched():
    """Only results no request has carried are governed; bytes that were sent stay as they are."""
    script = Script().q().a(60_000).a(10)
    assert _run(script).report is None


def _again(result, script):
    return STAGE(result.messages, script.ctx()).messages


def _changed(result, script):
    before = {m.result: m for m in tool_messages(script.view)}
    return [m.result for m in tool_messages(result.messages) if m is not before[m.result]]
