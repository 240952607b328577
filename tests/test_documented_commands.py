"""Every command that README, guide and security pages show, run as a reader would."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.support.program import Home, make_home

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", ROOT / "docs" / "guide.md")
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
_IN_LINE = re.compile(r"`dexter ([^`]+)`")
_IN_BLOCK = re.compile(r"^dexter ([^#\n]+)", re.MULTILINE)
COMMANDS = sorted({command.strip() for pattern in (_IN_LINE, _IN_BLOCK) for command in pattern.findall(TEXT)})
# Placeholders of the pages.
_STANDS_FOR = {"RUN": "last", "A": "last", "B": "last"}
# Without a key there is something to mend, without a terminal nothing to agree to.
NOT_ZERO = {"doctor": {0, 1}, "config trust": {2}, "resume": {0, 1, 2}}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = make_home(tmp_path)
    made.dexter("ask", "--offline", "-q", "NVDA revenue")
    (made.work / "questions.csv").write_text("question\nNVDA revenue FY2026\n")
    (made.work / "questions.jsonl").write_text(
        '{"id": "1", "question": "NVDA revenue FY2026", "answer": "215,938 million"}\n'
    )
    return made


def test_there_are_commands_to_run() -> None:
    """The pages show at least a dozen."""
    assert len(COMMANDS) >= 12


@pytest.mark.parametrize("command", COMMANDS)
def test_a_documented_command_works(home: Home, command: str) -> None:
    """It is one the program knows, with options it takes, and does what it should."""
    words = [_STANDS_FOR.get(word, word) for word in shlex.split(command)]
    if words[0] == "ask" and "--offline" not in words:
        words.insert(1, "--offline")
    done = home.dexter(*words, stdin=b"abc-0123456789\n")
    assert "Traceback" not in done.stderr
    assert "No such" not in done.stderr
    assert done.returncode in NOT_ZERO.get(" ".join(words), {0}), done.stderr
