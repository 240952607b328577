from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from dexter.ui.region import MOST_LINES
from tests.support.golden import assert_golden
from tests.support.terminal import Terminal, python

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[2]
MOMENTS = 3


def _environ(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LANG": "C.UTF-8", **more}


def _moments(terminal: Terminal, folder: Path) -> Iterator[int]:
    """Each moment at which the run stands still, the screen being drawn."""
    for moment in range(1, MOMENTS + 1):
        deadline = time.monotonic() + 60
        while not (folder / f"reached-{moment}").exists():
            terminal.drain(0.02)
            assert time.monotonic() < deadline
        terminal.drain()
        yield moment
        (folder / f"go-{moment}").touch()


def _run(folder: Path, columns: int, kind: str = "live", **environ: str) -> Terminal:
    return Terminal(python("-m", "tests.support.show_run", str(folder), kind), columns, _environ(**environ), str(ROOT))


@pytest.mark.parametrize("columns", [60, 100, 160])
def test_screens_during_a_run(tmp_path: Path, columns: int):
    """In a real terminal of 60, 100 and 160 columns a run looks as kept, at three moments and at its end."""
    with _run(tmp_path, columns) as terminal:
        for moment in _moments(terminal, tmp_path):
            assert_golden(GOLDEN / f"run-{columns}-{moment}.txt", terminal.screen())
        assert terminal.finish() == 0
        assert_golden(GOLDEN / f"run-{columns}-end.txt", terminal.screen())


def test_what_is_printed_is_never_repainted(tmp_path: Path):
    """Each later screen begins with the earlier one less its region; the cursor goes up over the region only."""
    with _run(tmp_path, 100) as terminal:
        before: list[str] = []
        for _ in _moments(terminal, tmp_path):
            lines = terminal.screen().split("\n")
            assert lines[: len(before)] == before
            before = lines[: -MOST_LINES - 1]
        terminal.finish()
        assert terminal.screen().split("\n")[: len(before)] == before
        assert "\x1b[2J" not in terminal.raw
        assert "\x1b[?1049h" not in terminal.raw


@pytest.mark.parametrize("columns", [20, 40])
def test_tiny_terminals_get_everything_too(tmp_path: Path, columns: int):
    """At 20 and 40 columns nothing crashes and nothing sticks out; figures are all there."""
    with _run(tmp_path, columns) as terminal:
        for _ in _moments(terminal, tmp_path):
            pass
        assert terminal.finish() == 0
        shown = terminal.screen()
        assert "130,497" in shown
        assert "41,200" in shown


def test_no_colour_means_no_colour(tmp_path: Path):
    """With NO_COLOR no colour is set; weight and dimness may stay."""
    with _run(tmp_path, 100, NO_COLOR="1") as terminal:
        for _ in _moments(terminal, tmp_path):
            pass
        terminal.finish()
        assert not any(f"\x1b[{code}m" in terminal.raw for code in range(30, 50))
        assert_golden(GOLDEN / "run-100-end.txt", terminal.screen())


def test_colours_are_the_terminals_own(tmp_path: Path):
    """Only the sixteen named colours are used, so a light theme reads as well as a dark one."""
    with _run(tmp_path, 100, COLORTERM="truecolor") as terminal:
        for _ in _moments(terminal, tmp_path):
            pass
        terminal.finish()
        assert "\x1b[36m" in terminal.raw
        assert "38;2;" not in terminal.raw
        assert "48;" not in terminal.raw


def test_a_window_dragged_narrower_and_wider_stays_readable(tmp_path: Path):
    """After a resize everything new fits the new width, and nothing old is lost."""
    with _run(tmp_path, 100) as terminal:
        for moment in _moments(terminal, tmp_path):
            terminal.resize(60 if moment == 1 else 100)
        assert terminal.finish() == 0
        assert "130,497" in terminal.screen()
        assert "compaction" in terminal.screen()


def test_plain_lines_have_no_sequences(tmp_path: Path):
    """Plain progress has every event and not one escape."""
    with _run(tmp_path, 100, "plain") as terminal:
        for _ in _moments(terminal, tmp_path):
            pass
        terminal.finish()
        assert "\x1b" not in terminal.raw
        assert_golden(GOLDEN / "plain.txt", terminal.raw.replace("\r\n", "\n"))


def test_a_terminal_that_knows_ascii_only_gets_ascii(tmp_path: Path):
    """Without UTF-8 boxes and spinners are drawn with ASCII, and nothing fails."""
    with _run(tmp_path, 100, PYTHONIOENCODING="ascii:replace") as terminal:
        for _ in _moments(terminal, tmp_path):
            pass
        assert terminal.finish() == 0
        assert terminal.raw.isascii()
        assert "+- microcompact" in terminal.screen()
