"""Every command that the pages show, run as a reader would."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.support.program import Home, make_home

ROOT = Path(__file__).parents[1]
# The reference is made from the code; the status page tells of what is no command to type.
_LEFT_OUT = {"reference.md", "status.md"}
PAGES = [ROOT / "README.md", *(page for page in sorted((ROOT / "docs").glob("*.md")) if page.name not in _LEFT_OUT)]
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
_IN_LINE = re.compile(r"`dexter ([^`]+)`")
_IN_BLOCK = re.compile(r"^ {0,4}dexter ([^#\n]+?)(?:\s{2,}.*)?$", re.MULTILINE)
COMMANDS = sorted({command.strip() for pattern in (_IN_LINE, _IN_BLOCK) for command in pattern.findall(TEXT)})
# Placeholders of the pages, and what would take long.
_STANDS_FOR = {
    "RUN": ["last"],
    "A": ["last"],
    "B": ["last"],
    "N": ["1"],
    "PATH": ["last"],
    "sample": ["sample", "--limit", "2"],
}
_INSTEAD = {
    "replay RUN --policy NAME": "replay last --policy lean",
    "tool NAME": "tool get_financials tickers=NVDA",
    "tool NAME --csv": "tool get_financials tickers=NVDA --csv",
}
# Without a key there is something to mend, without a terminal nothing to agree to; some are named, not shown whole.
NOT_ZERO = {
    "doctor": {0, 1},
    "config trust": {2},
    "resume": {0, 1, 2},
    "ask --offline": {2},
    "tool": {2},
    "memory forget ID": {2},
}
NEEDS = {"--model": "needs a key", "business_days": "no tool 'business_days'"}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = make_home(tmp_path)
    notes = made.root / "data" / "dexter" / "memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("- Prefers euros\n")
    (made.work / "questions.csv").write_text('question,answer\nNVDA revenue FY2026,"215,938 million"\n')
    (made.work / "tickers.txt").write_text("NVDA\n")
    (made.work / "questions.jsonl").write_text(
        '{"id": "1", "question": "NVDA revenue FY2026", "answer": "215,938 million"}\n'
    )
    return made


def test_there_are_commands_to_run() -> None:
    """The pages show at least a dozen."""
    assert len(COMMANDS) >= 12


@pytest.mark.parametrize("command", COMMANDS)
def test_a_documented_command_works(home: Home, command: str) -> None:
    """It is one the program knows, with options it takes, and does what it should, or says what it lacks."""
    told = shlex.split(_INSTEAD.get(command, command))
    words = [real for word in told for real in _STANDS_FOR.get(word, [word])]
    if words[0] == "ask" and "--offline" not in words:
        words.insert(1, "--offline")
    if {"last", "--continue"} & set(words):
        home.dexter("ask", "--offline", "-q", "NVDA revenue")
    done = home.dexter(*words, stdin=b"abc-0123456789\n" if "set-key" in words else b"")
    assert "Traceback" not in done.stderr
    assert "No such" not in done.stderr
    lacks = next((said for word, said in NEEDS.items() if word in words), None)
    if lacks is None:
        assert done.returncode in NOT_ZERO.get(" ".join(words), {0}), done.stderr
    else:
        assert (done.returncode, lacks in done.stderr) == (2, True), done.stderr
