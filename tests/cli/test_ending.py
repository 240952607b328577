from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal, python

SLOW = [sys.executable, "-m", "tests.support.slow_run"]
STATUSES = [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated"), (signal.SIGHUP, 129, "hung_up")]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def _wait_for_slow_tool(home: Home) -> None:
    """Until the record has the second model turn, whose tool is the slow one."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if any(path.read_text().count('"model_turn"') >= 2 for path in home.scratchpads()):
            time.sleep(0.2)
            return
        time.sleep(0.02)
    raise AssertionError("the run never got to its slow tool")


def _lines(home: Home) -> list[dict[str, object]]:
    [path] = home.scratchpads()
    text = path.read_text()
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize(("number", "status", "ending"), STATUSES)
def test_a_signal_ends_a_run_cleanly(home: Home, number: signal.Signals, status: int, ending: str):
    """The running tool is cancelled, the record is whole and says how it ended, the status tells by what."""
    process = home.start([*SLOW, "question"])
    _wait_for_slow_tool(home)
    process.send_signal(number)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == status
    assert output == b""
    assert b"Traceback" not in errors
    assert b"dexter resume" in errors
    lines = _lines(home)
    assert (lines[-1]["type"], lines[-1]["status"], lines[-1]["exit_status"]) == ("end", ending, status)
    assert "last" not in home.dexter("resume").stdout
    assert lines[0]["content"] in home.dexter("resume").stdout


def test_a_second_interrupt_leaves_at_once(home: Home):
    """With a tool that does not let go, the first Ctrl-C waits and the second ends the process."""
    process = subprocess.Popen([*SLOW, "question"], cwd=home.work, env=home.environ(DEADLY="1"), stderr=subprocess.PIPE)
    _wait_for_slow_tool(home)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=5) == 130
    assert process.stderr is not None
    process.stderr.close()
    for line in home.scratchpads()[0].read_text().splitlines():
        json.loads(line)


def test_ctrl_c_in_a_terminal_gives_the_terminal_back(home: Home):
    """The cursor is visible again, the region is gone, the sentence names the record."""
    with Terminal(python("-m", "tests.support.slow_run", "question"), 100, home.environ(), str(home.work)) as terminal:
        terminal.wait_for(r"slow .*s")
        terminal.send("\x03")
        assert terminal.finish() == 130
        assert terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l")
        assert "dexter resume" in terminal.screen()
        assert "found 42" not in terminal.screen()


def test_a_closed_terminal_ends_the_run_as_hung_up(home: Home):
    """When the window is closed the record is whole and says so."""
    with Terminal(python("-m", "tests.support.slow_run", "question"), 100, home.environ(), str(home.work)) as terminal:
        terminal.wait_for(r"slow .*s")
        terminal.hang_up()
        deadline = time.monotonic() + 30
        while _lines(home)[-1]["type"] != "end":
            assert time.monotonic() < deadline
            time.sleep(0.05)
    assert _lines(home)[-1]["status"] == "hung_up"


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_an_ignored_signal_stays_ignored(home: Home, number: signal.Signals):
    """Under `nohup`, or as a job in the background of a script, the run goes on when the signal comes."""
    name = number.name.removeprefix("SIG")
    process = home.start(["sh", "-c", f'trap "" {name}; exec "$@"', "sh", *SLOW, "question"])
    _wait_for_slow_tool(home)
    process.send_signal(number)
    time.sleep(0.5)
    assert process.poll() is None
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == 143
    assert _lines(home)[-1]["status"] == "terminated"


def test_ctrl_c_while_modules_are_loaded_is_status_130(home: Home):
    """Also inside code that `exec` runs: after a KeyboardInterrupt there Python would die of the signal."""
    code = """
import sys
from dexter.cli.edge import run_app
def app(arguments, prog_name):
    exec("import os, signal; os.kill(os.getpid(), signal.SIGINT); sum(range(10))")
sys.exit(run_app(app, []))
"""
    process = home.start([sys.executable, "-c", code])
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output, errors) == (130, b"", b"")


def test_ctrl_c_where_nothing_may_be_raised_is_not_lost(home: Home):
    """Python drops exceptions of `__del__` and of callbacks from C; the program ends all the same."""
    code = """
import os, signal, sys, time
from dexter.cli.edge import run_app
class Dying:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(10))
def app(arguments, prog_name):
    Dying()
    time.sleep(30)
sys.exit(run_app(app, []))
"""
    process = home.start([sys.executable, "-c", code])
    output, errors = process.communicate(timeout=25)
    assert (process.returncode, output, errors) == (130, b"", b"")


def test_a_fault_of_the_program_gives_the_terminal_back(home: Home):
    """The cursor is visible again, the region is gone, the sentence says whose fault it is, the record has its end."""
    environ = home.environ(FAULTY="1")
    with Terminal(python("-m", "tests.support.slow_run", "question"), 100, environ, str(home.work)) as terminal:
        assert terminal.finish() == 1
        assert terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l")
        assert "This is a fault of Dexter itself" in terminal.screen()
        assert "Traceback" not in terminal.screen()
    assert _lines(home)[-1]["status"] == "failed"


@pytest.mark.parametrize("option", ["--events", "--plain"])
def test_a_closed_pipe_ends_a_run_with_status_1(home: Home, option: str):
    """Whoever read the events or the progress is gone: the run ends as cleanly, with status 1."""
    stream = "stdout" if option == "--events" else "stderr"
    process = home.start([*SLOW, option, "question"])
    pipe = getattr(process, stream)
    pipe.readline()
    pipe.close()
    errors = process.stderr.read() if stream == "stdout" else b""
    assert process.wait(timeout=30) == 1
    assert b"Traceback" not in errors
    for open_pipe in (process.stdout, process.stderr):
        open_pipe.close()
    assert _lines(home)[-1]["type"] == "end"


def test_nobody_reading_the_answer_is_status_1(home: Home):
    """`dexter ask … | true`: no traceback, no complaint of the interpreter."""
    process = home.start(dexter_command("ask", "--offline", "-q", "NVDA revenue"))
    process.stdout.close()
    errors = process.stderr.read()
    assert process.wait(timeout=60) == 1
    process.stderr.close()
    assert errors == b""


@pytest.mark.parametrize("arguments", [["--help"], ["tools"], ["config"]])
def test_listings_into_a_closed_pipe_are_quiet(home: Home, arguments: list[str]):
    """`dexter tools | head -0`: no traceback."""
    process = home.start(dexter_command(*arguments))
    process.stdout.close()
    errors = process.stderr.read()
    process.wait(timeout=60)
    process.stderr.close()
    assert b"Traceback" not in errors
    assert b"Exception ignored" not in errors


def test_interrupted_while_it_reads_a_pipe(home: Home):
    """Ctrl-C while the question is still being piped in: 130, nothing recorded."""
    process = home.start(dexter_command("ask", "--offline", "-"), stdin=subprocess.PIPE)
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 130
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
    assert home.scratchpads() == []


def test_an_open_pipe_beside_a_question_is_not_waited_for(home: Home):
    """In a script whose input is an open pipe the question on the command line is enough."""
    process = home.start(dexter_command("ask", "--offline", "-q", "NVDA revenue"), stdin=subprocess.PIPE)
    output, _ = _read_all(process)
    assert b"215,938" in output


def _read_all(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """Both outputs, standard input left open until the end."""
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdin is not None
    output, errors = process.stdout.read(), process.stderr.read()
    process.wait(timeout=60)
    for pipe in (process.stdin, process.stdout, process.stderr):
        pipe.close()
    return output, errors


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_closed_standard_streams_are_survived(home: Home, closed: int):
    """A stream that was closed before the start leads nowhere; the rest works."""
    shell = f'exec "$@" {closed}>&-' if closed else 'exec "$@" 0<&-'
    process = home.start(["sh", "-c", shell, "sh", *dexter_command("ask", "--offline", "NVDA revenue")])
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert (b"215,938" in output) == (closed != 1)
    assert b"Traceback" not in errors


def test_an_error_at_a_terminal_breaks_between_words(home: Home):
    """A long sentence is wrapped to the window, and no word or command in it is cut in two."""
    command = dexter_command("ask", "--model", "claude-opus-5-5", "x")
    with Terminal(command, 60, home.environ(), str(home.work)) as terminal:
        assert terminal.finish() == 2
        lines = terminal.screen().rstrip().split("\n")
    assert len(lines) > 1
    assert " ".join(lines).endswith("Set it with `dexter config set-key anthropic`, or choose another.")
