"""Approval at a real terminal, and without one."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.program import Home, make_home
from tests.support.terminal import Terminal, python

CHILD = ["-m", "tests.support.asking_run", "write the report"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def terminal(home: Home, *arguments: str) -> Terminal:
    return Terminal(python(*CHILD, *arguments), 80, home.environ(), str(home.work))


def alone(home: Home, *arguments: str) -> subprocess.Popen[bytes]:
    """The same where nobody could be asked."""
    quiet = subprocess.DEVNULL
    return home.start(python(*CHILD, *arguments), stdout=quiet, stderr=quiet)


def lines(home: Home, kind: str) -> list[dict[str, Any]]:
    record = home.scratchpads()[0].read_text(encoding="utf-8")
    return [line for line in map(json.loads, record.splitlines()) if line["type"] == kind]


def results(home: Home) -> list[str]:
    return [line["result"] for line in lines(home, "tool_result")]


def decisions(home: Home) -> list[str]:
    return [line["decision"] for line in lines(home, "approval")]


@pytest.mark.parametrize("arguments", [(), ("--plain",)], ids=["live", "plain"])
def test_the_whole_request_is_shown_and_a_typed_yes_runs_the_call(home: Home, arguments: tuple[str, ...]) -> None:
    """Target, reason and diff stand on the screen; `y` is for one call, `s` for those that follow."""
    with terminal(home, *arguments) as window:
        window.wait_for(r"(?s)/reports/a\.md.*the report that was asked for.*\+Revenue 12.*\+Net income 3.*>$")
        window.send("y\n")
        window.wait_for(r"(?s)approved.*\+Net income 3.*>$")
        window.send("no, into notes/\n")
        assert window.finish() == 0
        assert "Done." in window.screen()
    assert decisions(home) == ["once", "deny"]
    assert results(home)[0] == "written"
    assert "no, into notes/" in results(home)[1]


def test_what_was_typed_before_the_question_does_not_answer_it(home: Home) -> None:
    """A yes in the type-ahead is dropped."""
    with terminal(home) as window:
        window.send("y\ny\ny\n")
        window.wait_for(r"\n>$")
        window.send("s\n")
        assert window.finish() == 0
    assert decisions(home) == ["session", "granted"]


def test_the_end_of_input_is_a_no(home: Home) -> None:
    """Ctrl-D at the question denies, also behind a `y` that Enter has not sent."""
    with terminal(home) as window:
        for typed in ("", "y"):
            window.wait_for(r"\n>$")
            window.send(f"{typed}\x04")
            window.drain()
        assert window.finish() == 0
    assert decisions(home) == ["deny", "deny"]


def test_ctrl_c_at_the_question_ends_the_run(home: Home) -> None:
    """Nothing is done; the run can be resumed."""
    with terminal(home) as window:
        window.wait_for(r"\n>$")
        window.send("\x03")
        assert window.finish() == 128 + signal.SIGINT
    assert decisions(home) == []
    assert lines(home, "end")[-1]["status"] == "interrupted"


def test_without_a_terminal_it_is_refused_and_the_flag_named(home: Home) -> None:
    """The run goes on; the model is told what would allow the call, and with that flag it runs."""
    assert alone(home).wait(60) == 0
    assert decisions(home) == ["unasked", "unasked"]
    assert "--allow 'writer:/reports/a.md'" in results(home)[0]


def test_what_is_asked_does_not_depend_on_what_is_shown(home: Home) -> None:
    """Also with --quiet the question stands on the screen."""
    with terminal(home, "--quiet") as window:
        window.wait_for(r"(?s)\+Net income 3.*\n>$")
        window.send("s\n")
        assert window.finish() == 0


def test_the_flag_allows_exactly_that(tmp_path: Path) -> None:
    """`--allow TOOL:TARGET` allows that target and no other."""
    found = []
    for number, flag in enumerate(
        ("writer:/reports/a.md", "writer:/reports", "writer:/reports/b.md", "other:/reports")
    ):
        home = make_home(tmp_path / str(number))
        assert alone(home, "--allow", flag).wait(60) == 0
        found.append(decisions(home)[0])
    assert found == ["granted", "granted", "unasked", "unasked"]


def test_a_flag_that_says_nothing_is_an_error(home: Home) -> None:
    """`--allow write_file` does not name a file."""
    done = home.dexter("ask", "--offline", "--allow", "write_file", "NVDA revenue")
    assert done.returncode == 2
    assert "write_file:reports/nvda.md" in done.stderr


def test_what_is_allowed_for_always_is_listed_and_taken_back(home: Home) -> None:
    """An answer `a` lasts beyond the run, until it is revoked."""
    with terminal(home) as window:
        window.wait_for(r"\n>$")
        window.send("a\n")
        assert window.finish() == 0
    assert decisions(home) == ["always", "granted"]
    assert home.dexter("config", "approvals").stdout == "1  writer  /reports\n"
    assert alone(home).wait(60) == 0
    assert decisions_of_newest(home) == ["granted", "granted"]
    assert home.dexter("config", "approvals", "--revoke", "2").returncode == 2
    assert home.dexter("config", "approvals", "--revoke", "1").stdout == ""
    assert alone(home).wait(60) == 0
    assert decisions_of_newest(home) == ["unasked", "unasked"]


def test_dexter_tool_writes_only_what_was_allowed(home: Home) -> None:
    """Without a terminal `dexter tool write_file` is refused and names the flag; with it the file is written, once."""
    path = home.work / "reports" / "a.md"
    arguments = ("tool", "write_file", "--args", json.dumps({"path": "reports/a.md", "content": "12 %"}))
    allowed = {"DEXTER_FILES__ALLOWED": str(home.work)}
    assert "Allowed: none" in home.dexter(*arguments).stderr
    refused = home.dexter(*arguments, environ=allowed)
    assert (refused.returncode, path.exists()) == (1, False)
    assert f"--allow 'write_file:{path}'" in refused.stderr
    assert home.dexter(*arguments, "--allow", "write_file:reports/b.md", environ=allowed).returncode == 1
    done = home.dexter(*arguments, "--allow", "write_file:reports/a.md", environ=allowed)
    assert (done.returncode, path.read_text(encoding="utf-8")) == (0, "12 %")
    again = home.dexter(*arguments, "--allow", "write_file:reports/a.md", environ=allowed)
    assert "is there already" in again.stderr


def decisions_of_newest(home: Home) -> list[str]:
    record = home.scratchpads()[-1].read_text(encoding="utf-8")
    return [line["decision"] for line in map(json.loads, record.splitlines()) if line["type"] == "approval"]
