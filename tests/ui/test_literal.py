from __future__ import annotations

import io
import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.events import (
    Answered,
    ErrorRaised,
    Event,
    ModelCall,
    ModelResponded,
    Notice,
    Queue,
    Retry,
    RunFinished,
    RunStarted,
    StageRan,
    Subagent,
    TextDelta,
    ToolFinished,
    ToolProgress,
    ToolStarted,
)
from dexter.ui.answer import AnswerSink, write_plain, write_rendered
from dexter.ui.console import make_console
from dexter.ui.jsonl import JsonLinesSink
from dexter.ui.literal import UNSAFE, literal, literal_line
from dexter.ui.live import LiveSink
from dexter.ui.plain import PlainSink
from dexter.ui.safe_json import safe_json
from dexter.usage import Usage
from tests.support.events import emitted

HOSTILE = (
    "[bold red]markup[/] \x1b[31mred\x1b[0m \x1b]8;;http://evil\x07link\x1b]8;;\x07 \x1b]52;c;aGk=\x07 \x9b2J"
    " \u202eabc\u202c \x08\x08 \r over \x00 \u2028 \U000e0041 :smile: &#x202e; <b>html</b>"
)


@given(st.text())
def test_nothing_a_terminal_obeys_is_left(text: str):
    """Whatever comes in, what goes out has no character that acts or hides; going twice changes nothing."""
    shown = literal(text)
    assert not re.search(UNSAFE, shown)
    assert literal(shown) == shown
    shown.encode("utf-8")


@given(st.text(st.characters(exclude_categories=["C", "Zl", "Zp"])))
def test_ordinary_text_is_unchanged(text: str):
    """Letters of any script, figures, punctuation and emoji stay as they are."""
    hidden = re.compile(UNSAFE)
    assert hidden.search(text) or literal(text) == text


def test_what_is_spelled_out_can_be_read():
    """ESC shows as its picture, an override by its number, line breaks and tabs stay, CRLF is one break."""
    assert literal("a\x1b[31m\u202e\t\r\n\rb\x7f") == "a␛[31m<U+202E>\t\n␍b␡"
    assert literal_line("a\r\nb\tc\n") == "a⏎b c⏎"


def test_emoji_sequences_stay_whole():
    """Joiners and variation selectors belong to emoji and are kept."""
    assert literal("👩‍👩‍👧 ❤️") == "👩‍👩‍👧 ❤️"


@given(st.text())
def test_json_keeps_every_character_but_shows_none_that_acts(text: str):
    """Safe JSON is one line, free of acting characters, and reads back as it was."""
    line = safe_json({"text": text})
    assert not re.search(UNSAFE, line)
    assert "\n" not in line
    assert json.loads(line) == {"text": text}


def _hostile_events() -> list[Event]:
    x = HOSTILE
    source = {"kind": "web", "title": x, "url": x}
    return [
        RunStarted(x, x, x, x, x, x, 1, 1, x, x),
        ModelCall(x, 1),
        TextDelta(x + "\n\n"),
        ModelResponded(x, ({"call": x},), x, Usage(1), "0.1", 1.0),
        ToolStarted(x, x, {x: x, "list": [x], "map": {x: x}}),
        ToolProgress(x, x),
        ToolFinished(x, 1, "error", 1, 1, 0.1, (source,), x),
        ToolFinished("unseen", 1, x, 1, 1, 0.1, (source,), x),
        StageRan("memory_flush", 1, 1, {"outcome": "failed", "reason": x}),
        StageRan("compact", 1, 1, {"success": False, "counts_as_failure": True, "reason": x, "model": x}),
        StageRan("soft_limit", 1, 1, {"warnings": [[x, x, 3]], "similar": [[x, x]], "text": x}),
        StageRan("persist_results", 1, 1, {"persisted": [], "failed": [[1, x]]}),
        StageRan(x, 1, 1, {x: x}),
        Retry(x, 1, 0.1, x),
        Retry("context_overflow", 1, 0.0, x),
        Queue(x, x),
        Notice(x, x),
        Notice("compaction_started", x),
        Subagent(x, x),
        ErrorRaised(x, x, x),
        Answered(x, False, (), (source,)),
        RunFinished(x, 1, Usage(), "0.1"),
    ]


def _live(output: io.StringIO, **choices: bool) -> LiveSink:
    return LiveSink(make_console(output, {"TERM": "dumb", "NO_COLOR": "1"}, width=90), monotonic=lambda: 0.0, **choices)


@pytest.mark.parametrize(
    "make",
    [
        PlainSink,
        JsonLinesSink,
        _live,
        lambda stream: _live(stream, answers=False, stream=False),
        lambda stream: AnswerSink(write_plain(stream)),
        lambda stream: AnswerSink(write_rendered(make_console(stream, {"NO_COLOR": "1"}, width=90), hyperlinks=False)),
    ],
    ids=["plain", "jsonl", "live", "live-beside", "answer", "answer-rendered"],
)
def test_no_sink_lets_hostile_text_act(make: Callable[[io.StringIO], Callable[[object], None]]):
    """Control sequences, OSC, overrides and markup from tools and models come out spelled, in every sink."""
    stream = io.StringIO()
    sink = make(stream)
    for number, event in enumerate(_hostile_events()):
        sink(emitted(event, number))
    shown = stream.getvalue()
    assert shown
    assert not re.search(UNSAFE, shown)
    assert "[bold red]markup[/]" in shown.replace("\n", " ")
    assert ":smile:" in shown


def test_a_terminal_gets_no_sequence_but_its_own():
    """On a colour terminal the only escapes are the ones that style text and redraw the small region."""
    stream = io.StringIO()
    console = make_console(stream, {"TERM": "xterm-256color", "FORCE_COLOR": "1"}, width=90)
    sink = LiveSink(console, hyperlinks=True, monotonic=lambda: 0.0)
    for number, event in enumerate(_hostile_events()):
        sink(emitted(event, number))
    escapes = set(re.findall(r"\x1b(?:\][^\x1b]*\x1b\\|\[[0-9;?]*[A-Za-z]|.)", stream.getvalue()))
    allowed = re.compile(r"\x1b\[(?:[0-9;]*m|2K|\d*A|\?25[lh])$")
    assert {escape for escape in escapes if not allowed.match(escape)} == set()
