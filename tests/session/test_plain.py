"""Sessions of plain lines as processes: signals, closed pipes, a person at a dumb terminal."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from dexter.scratchpad.run_state import read_state
from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal, python

CTRL_C, CTRL_D = "\x03", "\x04"
SCRIPTED = ("-m", "tests.support.scripted_session")
SIGNALS = [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 129, "hung_up")]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def _piped(home: Home, *lines: str) -> subprocess.Popen[bytes]:
    """A session that was given lines and waits for more."""
    session = home.start(python(*SCRIPTED), stdin=subprocess.PIPE)
    assert session.stdin
    session.stdin.write("".join(f"{line}\n" for line in lines).encode())
    session.stdin.flush()
    return session


def _read_until(stream: object, wanted: bytes) -> None:
    for line in stream:  # type: ignore[attr-defined]  # a pipe
        if wanted in line:
            return
    raise AssertionError(f"{wanted!r} was not written")


@pytest.mark.parametrize(("number", "status", "ending"), SIGNALS)
def test_a_signal_ends_the_run_and_the_session(home: Home, number: int, status: int, ending: str):
    """While a tool runs: the record says what ended it, the lines that follow are not answered, nothing is amiss."""
    session = _piped(home, "tool first", "never asked")
    _read_until(session.stderr, b"slow")
    session.send_signal(number)
    out, told = session.communicate(timeout=60)
    assert session.returncode == status
    assert b"Traceback" not in told
    assert b"interrupted" in told
    assert out == b""
    (path,) = home.scratchpads()
    assert (read_state(path).end or {}).get("status") == ending


@pytest.mark.parametrize(("number", "status"), [row[:2] for row in SIGNALS])
def test_a_signal_ends_a_session_that_waits(home: Home, number: int, status: int):
    """While nothing goes on and no line comes: it ends at once."""
    session = _piped(home, "hello")
    _read_until(session.stdout, b"You said: hello")
    _read_until(session.stderr, b"answered")
    session.send_signal(number)
    assert session.wait(timeout=60) == status
    assert session.communicate()[1] == b""


def test_a_closed_pipe_ends_the_session_without_a_word(home: Home):
    """Whoever reads has enough: the run ends, the lines that follow are not answered, status 1."""
    session = _piped(home, "first", "second", "third")
    assert session.stdout
    session.stdout.close()
    _, told = session.communicate(timeout=60)
    assert session.returncode == 1
    assert b"Traceback" not in told
    assert len(home.scratchpads()) == 1


def test_answers_and_what_was_asked_for_alone_are_output(home: Home):
    """Progress, echoes and errors go to standard error; a full disk is a sentence."""
    done = home.dexter("chat", "--offline", stdin=b"NVDA revenue\n/nosuch\n/model\n")
    assert "215,938" in done.stdout
    assert "model offline" in done.stdout
    for aside in ("get_financials", "> NVDA revenue", "no command /nosuch"):
        assert aside in done.stderr
        assert aside not in done.stdout
    with Path("/dev/full").open("wb") as full:
        refused = subprocess.run(
            dexter_command("chat", "--offline"),
            input=b"NVDA revenue\nAMD revenue\n",
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=home.work,
            env=home.environ(),
            timeout=120,
            check=False,
        )
    assert refused.returncode == 1
    assert b"No space left" in refused.stderr
    assert b"Traceback" not in refused.stderr
    assert len(home.scratchpads()) == 2


def test_ctrl_c_stops_the_run_and_the_session_goes_on(home: Home):
    """At a dumb terminal: in a tool and in a question for approval the run stops; at idle the second one leaves."""
    with Terminal(python(*SCRIPTED), 80, home.environ(TERM="dumb"), str(home.work)) as terminal:
        terminal.wait_for(r"^>\s*$")
        terminal.send("tool first\r")
        terminal.wait_for("→ slow")
        terminal.send(CTRL_C)
        terminal.wait_for(r"interrupted ·[^\n]*\n> *$")
        terminal.send("write next\r")
        terminal.wait_for("number>")
        terminal.send(CTRL_C)
        terminal.wait_for(r"number>[\s\S]*interrupted ·[^\n]*\n> *$")
        terminal.send("and now\r")
        terminal.wait_for(r"You said: tool first \| write next \| and now")
        terminal.wait_for(r"answered ·[^\n]*\n> *$")
        terminal.send(CTRL_C)
        terminal.wait_for("Ctrl-C again leaves")
        terminal.send(CTRL_C)
        assert terminal.finish() == 0
        assert "Traceback" not in terminal.raw
