from __future__ import annotations

import io
from collections.abc import Iterable

import pytest
from rich.cells import cell_len

from dexter.events import (
    Answered,
    ContextUsed,
    Event,
    ModelCall,
    ModelResponded,
    Notice,
    Queue,
    Retry,
    RunFinished,
    TextDelta,
    ToolStarted,
)
from dexter.ui.console import make_console
from dexter.ui.live import LiveSink
from dexter.ui.meter import meter_bar, meter_tone
from dexter.ui.region import MOST_LINES, Activity, Region, RunningTool
from dexter.usage import Usage
from tests.support.events import ANSWER, NARRATION, STARTED, emitted, failing_run, whole_run


def _show(events: Iterable[Event], **choices: bool) -> str:
    """What is printed for good: on a stream that is no terminal no region is drawn."""
    output = io.StringIO()
    sink = LiveSink(make_console(output, {}, width=100), monotonic=lambda: 0.0, **choices)
    for number, event in enumerate(events):
        sink(emitted(event, number))
    sink.close()
    return output.getvalue()


def _answering(text: str, streamed: str) -> list[Event]:
    response = ModelResponded(streamed, (), "end_turn", Usage(), "0", 1.0)
    return [STARTED, ModelCall("h", 1), TextDelta(streamed), response, Answered(text, True, (), ())]


def test_the_answer_is_printed_once():
    """Streamed and then announced whole, the answer stands there once."""
    assert _show(whole_run()).count("130,497") == 1


def test_text_between_tool_calls_is_printed_too():
    """What the model says before it calls a tool stays readable."""
    assert "First the income statements of both." in _show(whole_run())


def test_where_the_answer_goes_elsewhere_only_the_rest_is_shown():
    """With the answer on another stream, the terminal shows what was said on the way and not the answer."""
    shown = _show(whole_run(), answers=False)
    assert "First the income statements" in shown
    assert "130,497" not in shown


def test_without_streaming_text_comes_whole():
    """The setting that turns streaming off changes when the answer is shown, not what."""
    assert _show(whole_run(), stream=False).count("130,497") == 1


def test_what_is_added_behind_a_streamed_answer_is_shown():
    """A line put behind the model's text appears; another answer appears whole."""
    assert _show(_answering("Yes.\n\nNot complete.", "Yes.")).count("Yes.") == 1
    assert "Not complete." in _show(_answering("Yes.\n\nNot complete.", "Yes."))
    assert "Other." in _show(_answering("Other.", "Yes."))


def test_what_came_of_a_response_that_was_broken_off_stays():
    """The run is interrupted in the middle of a paragraph: that paragraph's beginning is printed for good."""
    ended = RunFinished("interrupted", 130, Usage(), "0")
    assert "A first half" in _show([STARTED, ModelCall("h", 1), TextDelta("A first half"), ended])


def test_the_error_that_ends_a_run_can_be_left_to_the_edge():
    """Where the caller words the error, the sink does not repeat it."""
    assert "The key was refused." in _show(failing_run())
    assert "The key was refused." not in _show(failing_run(), errors=False)


def test_a_beginning_is_no_line():
    """Notices of kind `…_started` change the status line only."""
    assert "Compacting" not in _show([STARTED, Notice("compaction_started", "Compacting 118k tokens")])


def _lines(region: Region, now: float = 10.0, width: int = 80, *, ascii_only: bool = False) -> list[str]:
    return [line.plain for line in region.lines(now, width, ascii_only=ascii_only)]


def _busy() -> Region:
    tools = {
        str(n): RunningTool(ToolStarted(str(n), "get_financials", {"tickers": ["NVDA"] * 30}), 8.0, "2 of 3")
        for n in range(9)
    }
    meter = ContextUsed(31_204, 95_000, 128_000)
    return Region(
        tools, "很长的文字 " * 90, Activity("waiting for the model", 7.0), meter, Usage(1_200, 0, 0, 50), 0.01, 2
    )


@pytest.mark.parametrize("width", [1, 10, 20, 40, 60, 100, 160])
def test_the_region_is_small_and_fits(width: int):
    """However much goes on, the region has few lines and each is narrower than the terminal."""
    lines = _lines(_busy(), width=width)
    assert len(lines) <= MOST_LINES
    assert max(map(cell_len, lines)) <= max(width - 1, 1)


def test_the_status_line_has_meter_cost_and_queue():
    """Waiting time, context used of threshold, tokens, cost and queue stand in one line."""
    status = _lines(_busy(), width=160)[-1]
    for part in ("waiting for the model 3.0 s", "31.2k of 95k (33 %)", "1.2k in, 50 out", "$0.01", "2 queued"):
        assert part in status


def test_a_running_tool_shows_time_and_progress():
    """A call that runs shows its arguments, since when, and its last word."""
    tool = RunningTool(ToolStarted("c", "read_filings", {"ticker": "NVDA"}), 8.0, "2 of 3")
    line = _lines(Region(tools={"c": tool}))[0]
    assert "read_filings ticker=NVDA · 2.0 s · 2 of 3" in line


def test_a_retry_counts_down():
    """While a call waits for its next attempt the seconds left are shown."""
    output = io.StringIO()
    now = [0.0]
    console = make_console(output, {"TERM": "xterm", "FORCE_COLOR": "1"}, width=100)
    sink = LiveSink(console, monotonic=lambda: now[0])
    sink(emitted(STARTED))
    sink(emitted(Retry("rate_limit", 1, 5.0, "slow down")))
    now[0] = 2.0
    output.truncate(0)
    sink.refresh()
    assert "trying again in 3 s" in output.getvalue()
    sink.close()


def test_the_queue_counts():
    """Lines typed while the run goes on are counted until they are drained."""
    output = io.StringIO()
    console = make_console(output, {"TERM": "xterm", "FORCE_COLOR": "1"}, width=100)
    sink = LiveSink(console, monotonic=lambda: 0.0)
    for event in (STARTED, Queue("queued", "a"), Queue("queued", "b"), Queue("drained", "a")):
        output.truncate(0)
        sink(emitted(event))
    assert "1 queued" in output.getvalue()
    sink.close()


def test_a_run_that_is_stopping_says_so():
    """After the first Ctrl-C the status line says what a second one does."""
    output = io.StringIO()
    sink = LiveSink(make_console(output, {"TERM": "xterm", "FORCE_COLOR": "1"}, width=100), monotonic=lambda: 0.0)
    sink(emitted(STARTED))
    sink.stopping()
    assert "stopping (Ctrl-C again: at once)" in output.getvalue()
    sink.close()


def test_closing_gives_the_cursor_back():
    """The last thing a terminal gets is its cursor, and closing twice is harmless."""
    output = io.StringIO()
    sink = LiveSink(make_console(output, {"TERM": "xterm", "FORCE_COLOR": "1"}, width=100), monotonic=lambda: 0.0)
    sink(emitted(STARTED))
    assert "\x1b[?25l" in output.getvalue()
    sink.close()
    sink.close()
    assert output.getvalue().rindex("\x1b[?25h") > output.getvalue().rindex("\x1b[?25l")


def test_the_meter_marks_threshold_and_use():
    """The bar fills with use and marks where compaction starts; over it the tone is bad."""
    assert meter_bar(ContextUsed(64, 96, 128), 8, ascii_only=True) == "####--|-"
    assert meter_bar(ContextUsed(0, 96, 0), 4, ascii_only=True) == "---|"
    assert [meter_tone(ContextUsed(used, 95, 128)) for used in (10, 80, 96)] == ["good", "warn", "bad"]


def test_narration_and_answer_differ():
    """The examples of these tests are what they claim to be."""
    assert NARRATION not in ANSWER
