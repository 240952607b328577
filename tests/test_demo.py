from __future__ import annotations

import os
import re
import subprocess
from html import unescape
from pathlib import Path

import pytest

from tests.support.terminal import Terminal, python

ROOT = Path(__file__).parents[1]
PANELS = (
    "persisted",
    "turn budget",
    "soft limit",
    "microcompact",
    "truncation",
    "overflow retry",
    "queue",
    "memory flush",
    "compaction",
)


def _words(svg: str) -> str:
    texts = re.findall(r"<text[^>]*>(.*?)</text>", svg)
    return unescape(" ".join(texts)).replace("\xa0", " ")


def _picture(path: Path) -> str:
    subprocess.run(python("-m", "dexter.demo", "--svg", str(path)), cwd=ROOT, check=True, timeout=120)
    return path.read_text(encoding="utf-8")


def test_the_picture_shows_every_panel(tmp_path: Path):
    """Real figures, every panel, no address of a font or anything else to load, no path of this machine."""
    picture = _picture(tmp_path / "demo.svg")
    words = _words(picture)
    assert [panel for panel in PANELS if panel not in words] == []
    assert "215,938" in words
    assert not re.findall(r"(?:url\(|href=|src=)[\"']?(?:https?:|//)", picture)
    assert str(tmp_path.parent) not in picture


def test_the_picture_of_the_readme_shows_every_panel():
    """The picture in the docs was made by this demo."""
    words = _words((ROOT / "docs" / "demo.svg").read_text(encoding="utf-8"))
    assert [panel for panel in PANELS if panel not in words] == []


@pytest.mark.parametrize("columns", [100, pytest.param(60, marks=pytest.mark.long)])
def test_the_demo_in_a_terminal(columns: int):
    """While it runs one sees tools that have not finished yet, then each panel, at last the answer."""
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    with Terminal(python("-m", "dexter.demo"), columns, environ, str(ROOT)) as terminal:
        terminal.wait_for(r"get_financials .*· (?:asking|reading)" if columns == 100 else r"⠋|⠙|⠹|⠸|⠼|⠴|⠦|⠧|⠇|⠏")
        terminal.wait_for("persisted")
        terminal.wait_for("queued for the next turn")
        assert terminal.finish() == 0
        screen = terminal.screen()
    assert [panel for panel in PANELS if panel not in screen] == []
    assert screen.count("Operating margin") == 1
    assert "asking" not in screen


def test_the_demo_can_be_left():
    """Ctrl-C ends it with status 130 and a line, not with a traceback."""
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    with Terminal(python("-m", "dexter.demo"), 100, environ, str(ROOT)) as terminal:
        terminal.wait_for("get_market_data")
        terminal.send("\x03")
        assert terminal.finish() == 130
        assert "interrupted" in terminal.screen()
        assert "Traceback" not in terminal.screen()
