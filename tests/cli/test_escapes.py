"""At a real terminal: nothing that tools, models, files or the user's question say takes effect, on any path."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dexter.ui.literal import UNSAFE
from tests.support.escapes import ESCAPES
from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal, python

# What Dexter itself writes: styles, its small region, links to where it says.
OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[2K|\x1b\[\d*A|\x1b\[\?25[lh]|\x1b\]8;[^;\x1b\x07]*;(?:https?://[!-~]*)?\x1b\\")


def check(window: Terminal) -> None:
    """No sequence but Dexter's own, no character that acts but line ends, no style that hides."""
    raw = window.raw
    styles = {int(n) for match in re.findall(r"\x1b\[([0-9;]*)m", raw) for n in match.split(";") if n}
    assert styles <= {0, 1, 2, 3, 4, 22, 23, 24, *range(30, 40), *range(90, 98)}, styles
    rest = OWN.sub("", raw).replace("\r\n", "\n").replace("\r", "")
    assert sorted(set(re.findall(UNSAFE, rest))) == []
    assert "http://evil.example\x1b" not in raw


def test_there_are_at_least_forty() -> None:
    """Each another trick."""
    assert len(set(ESCAPES)) >= 40


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


@pytest.mark.parametrize(
    "arguments",
    [(), ("--plain",), pytest.param(("--verbose",), marks=pytest.mark.long)],
    ids=["live", "plain", "verbose"],
)
def test_no_escape_takes_effect_while_a_run_goes_on(home: Home, arguments: tuple[str, ...]) -> None:
    """Arguments, progress, results, errors, sources, narration, the question for approval, the answer."""
    command = python("-m", "tests.support.hostile_run", *arguments)
    with Terminal(command, 100, home.environ(DEXTER_UI__LINKS="always"), str(home.work)) as window:
        window.wait_for(r"\n>$")
        window.send("n\x1b[2J\n")
        assert window.finish() == 0
        check(window)
        assert "[bold red]x[/bold red]" in window.screen()
        assert "␛[2J" in window.screen()


def test_no_escape_takes_effect_when_a_run_fails_or_is_shown_later(home: Home) -> None:
    """The error of a run; then the list of runs and its replay, whole."""
    command = python("-m", "tests.support.hostile_run")
    with Terminal(command, 100, home.environ(FAIL="1"), str(home.work)) as window:
        window.wait_for(r"\n>$")
        window.send("y\n")
        assert window.finish() == 1
        check(window)
    for arguments in (
        ("runs",),
        ("replay", "last", "--no-pager"),
        ("replay", "last", "--no-pager", "--results"),
        ("replay", "last", "--no-pager", "--turn", "1", "--view"),
    ):
        with Terminal(dexter_command(*arguments), 100, home.environ(), str(home.work)) as window:
            window.finish()
            check(window)
            assert "␛" in window.screen()
    page = home.work / "run.html"
    assert home.dexter("replay", "last", "--html", str(page)).returncode == 0
    assert sorted(set(re.findall(UNSAFE, page.read_text(encoding="utf-8")))) == []


# What a line editor writes besides: moves, erases, modes of its own, and the question where the cursor is.
EDITOR = re.compile(
    r"\x1b\[(?:\d*[ABCD]|\d*;?\d*[Hf]|[0-2]?[JK]|\?(?:1|7|12|25|2004)[hl]|6n|\d? q|>4;?\d?m|\?u|[<>=]\d*u)"
)


def test_no_escape_takes_effect_in_a_session(home: Home) -> None:
    """The same where the prompt stays below what is said."""
    command = python("-m", "tests.support.hostile_run")
    with Terminal(command, 100, home.environ(SESSION="1"), str(home.work)) as window:
        window.wait_for("Ask about")
        window.send("go\r")
        window.wait_for("Enter takes")
        window.send("3")
        window.wait_for(r"safe␍OVER[\s\S]*Ask about")
        window.send("\x04")
        assert window.finish() == 0
        rest = EDITOR.sub("", OWN.sub("", window.raw)).replace("\r", "")
        assert sorted(set(re.findall(UNSAFE, rest))) == []
        assert "\x1b[2J" not in window.raw


def test_json_for_scripts_holds_no_character_that_acts(home: Home) -> None:
    """`--json` and `--events`: what acts is escaped, and reads back as it was."""
    for flag in ("--json", "--events"):
        done = home.start(python("-m", "tests.support.hostile_run", flag))
        out, err = done.communicate(timeout=60)
        assert re.findall(UNSAFE, out.decode()) == []
        assert re.findall(UNSAFE, err.decode()) == []
        assert b"\\u001b[2J" in out
