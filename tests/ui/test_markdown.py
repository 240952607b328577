from __future__ import annotations

import io

import pytest
from rich.cells import cell_len

from dexter.ui.console import make_console
from dexter.ui.links import knows_links, use_links
from dexter.ui.markdown import AnswerMarkdown
from tests.support.events import ANSWER


def _shown(text: str, width: int, *, hyperlinks: bool = False, colours: bool = False) -> str:
    stream = io.StringIO()
    environ = {"TERM": "xterm-256color", "FORCE_COLOR": "1"} if colours else {"NO_COLOR": "1"}
    make_console(stream, environ, width=width).print(AnswerMarkdown(text, hyperlinks=hyperlinks))
    return stream.getvalue()


@pytest.mark.parametrize("width", [20, 40, 60, 80, 100, 160, 200])
def test_no_line_is_wider_than_the_terminal(width: int):
    """Whatever the width, nothing sticks out, with wide characters too, and no figure is cut in two."""
    shown = _shown(ANSWER, width)
    assert max(cell_len(line) for line in shown.split("\n")) <= width
    for figure in ("130,497", "25,785", "62.4 %", "营业利润率"):
        assert figure in shown


def test_a_table_with_room_is_a_table():
    """Columns are aligned as the Markdown says."""
    lines = _shown(ANSWER, 80).split("\n")
    row = next(line for line in lines if line.startswith("Revenue"))
    other = next(line for line in lines if line.startswith("Operating"))
    assert row.endswith("25,785")
    assert len(row) == len(other)


def test_a_table_without_room_is_stacked():
    """Under about 60 columns a table that does not fit becomes `heading: value` lines."""
    wide = (
        "| Line | "
        + " | ".join(f"FY{y}" for y in range(2015, 2026))
        + " |\n|"
        + " - |" * 12
        + "\n| Revenue |"
        + " 130,497 |" * 11
    )
    assert "FY2015: 130,497" in _shown(wide, 59)
    assert "FY2015: 130,497" not in _shown(wide, 160)


def test_nothing_the_model_wrote_vanishes():
    """What looks like HTML is text; entities are not decoded into characters that act."""
    shown = _shown("P/E <N/A> and <b>bold</b> &#x202e; &#27;", 80)
    assert "<N/A>" in shown
    assert "<b>bold</b>" in shown
    assert "<U+202E>" in shown
    assert "\u202e" not in shown


def test_links_are_clickable_where_the_terminal_can():
    """OSC 8 where it is known; else the address follows in brackets; other schemes are never links."""
    assert "\x1b]8;" in _shown("[10-K](https://sec.gov/x)", 80, hyperlinks=True, colours=True)
    assert _shown("[10-K](https://sec.gov/x)", 80) == "10-K (https://sec.gov/x)\n"
    assert "\x1b]8;" not in _shown("[x](ssh://host) [y](file:///etc/passwd)", 80, hyperlinks=True, colours=True)


def test_only_the_terminals_own_colours_are_used():
    """No background and no fixed colour: a light theme stays readable."""
    shown = _shown("# H\n\n`code`\n\n```py\nprint(1)\n```\n\n> q\n\n" + ANSWER, 80, colours=True)
    assert "38;2;" not in shown
    assert "38;5;" not in shown
    assert "\x1b[4" not in shown.replace("\x1b[4m", "")


def test_a_copied_answer_has_no_trailing_blanks():
    """Lines end where their text ends."""
    assert all(line == line.rstrip() for line in _shown(ANSWER, 80).split("\n"))


@pytest.mark.parametrize(
    ("environ", "known"),
    [
        ({}, False),
        ({"TERM": "xterm-256color"}, False),
        ({"TERM_PROGRAM": "iTerm.app"}, True),
        ({"TERM": "xterm-kitty"}, True),
        ({"VTE_VERSION": "7003"}, True),
        ({"VTE_VERSION": "4205"}, False),
        ({"TERM_PROGRAM": "iTerm.app", "TMUX": "/tmp/x"}, False),
    ],
)
def test_terminals_that_know_links_are_told_by_their_name(environ: dict[str, str], known: bool):
    """Unknown terminals get addresses; the setting overrides."""
    assert knows_links(environ) is known
    assert use_links("auto", environ) is known
    assert use_links("always", environ) is True
    assert use_links("never", environ) is False
