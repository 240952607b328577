from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.program import Home, dexter_command, make_home

# Runs before the program in its process: whatever it does with sockets is written down.
WATCH = """
import os, sys
def note(event, args):
    if event.startswith("socket."):
        with open(os.environ["WATCHED"], "a") as file:
            file.write(event + " " + repr(args[1:]) + "\\n")
sys.addaudithook(note)
"""
# The event loop wakes itself over a pair of connected local sockets; that pair reaches nobody.
OWN_PAIR = "socket.__new__ (1, 1, 0)"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = make_home(tmp_path)
    (tmp_path / "watch").mkdir()
    (tmp_path / "watch" / "sitecustomize.py").write_text(WATCH)
    return home


def _watched(home: Home, *arguments: str) -> set[str]:
    noted = home.root / "noted"
    environ = home.environ(WATCHED=str(noted))
    environ["PYTHONPATH"] = os.pathsep.join((str(home.root / "watch"), environ["PYTHONPATH"]))
    command = dexter_command(*arguments)
    done = subprocess.run(
        command, env=environ, cwd=home.work, capture_output=True, stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return set(noted.read_text().splitlines()) if noted.exists() else set()


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "--offline", "-q", "compare NVDA vs AMD"],
        ["ask", "-q", "compare NVDA vs AMD"],
        ["tool", "get_market_data", "--args", '{"tickers": ["NVDA"]}'],
    ],
)
def test_without_a_key_no_socket_is_opened(home: Home, arguments: list[str]):
    """No name is looked up, nothing is connected, bound or sent: the process has no socket but the loop's own pair."""
    assert _watched(home, *arguments) <= {OWN_PAIR}


def test_the_watch_sees_sockets(home: Home):
    """The check itself works: the loop's own pair is noted."""
    assert _watched(home, "ask", "--offline", "-q", "NVDA revenue") == {OWN_PAIR}
