"""Whole sessions in a real pseudo-terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def test_a_question_a_follow_up_and_out(home: Home):
    """The offline analyst answers in a session, a follow-up knows what was asked, nothing is written at idle."""
    with Terminal(dexter_command("--offline"), 80, home.environ(), str(home.work)) as terminal:
        terminal.wait_for("Ask about")
        terminal.send("NVDA revenue\r")
        terminal.wait_for(r"215,938[\s\S]*answered")
        terminal.send("and AMD?\r")
        terminal.wait_for(r"34,639[\s\S]*answered")
        terminal.drain()
        written = len(terminal.raw)
        terminal.drain(quiet=1.0)
        assert len(terminal.raw) == written
        terminal.send("/quit\r")
        assert terminal.finish() == 0
    assert len(home.scratchpads()) == 2
