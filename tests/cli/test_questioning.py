"""The model's own questions at a real terminal, and without one."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.support.program import Home, make_home
from tests.support.terminal import Terminal, python

CHILD = ["-m", "tests.support.questioning_run", "earnings?"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def result(home: Home) -> str:
    record = home.scratchpads()[0].read_text(encoding="utf-8")
    (line,) = [line for line in map(json.loads, record.splitlines()) if line["type"] == "tool_result"]
    return str(line["result"])


@pytest.mark.parametrize("arguments", [(), ("--plain",)], ids=["live", "plain"])
def test_questions_are_answered_by_number_or_in_own_words(home: Home, arguments: tuple[str, ...]) -> None:
    """Each with its choices; then the run goes on with the replies."""
    with Terminal(python(*CHILD, *arguments), 80, home.environ(), str(home.work)) as window:
        window.wait_for(r"(?s)Which earnings\?.*1 GAAP.*2 Adjusted: as the company.*>$")
        window.send("both, side by side\n")
        window.wait_for(r"(?s)Which years\?.*>$")
        window.send("1, 2\n")
        assert window.finish() == 0
    assert (
        result(home) == "Which earnings?\n→ in the user's own words: both, side by side\n\nWhich years?\n→ 2024; 2025"
    )


def test_without_a_terminal_the_tool_is_not_there(home: Home) -> None:
    """The model learns that there is no such tool; nothing waits for anybody."""
    quiet = subprocess.DEVNULL
    assert home.start(python(*CHILD), stdout=quiet, stderr=quiet).wait(60) == 0
    assert "there is no tool 'ask_user_question'" in result(home)
