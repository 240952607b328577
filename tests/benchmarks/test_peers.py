"""Peers are measured from what their drivers print; where that can't be had the reason is told."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.context.__main__ import COLUMNS, print_session
from benchmarks.context.goals import goals
from benchmarks.context.measure import Row, Sent
from benchmarks.context.peer_policies import DRIVERS, PEERS, read_output
from benchmarks.context.sessions import Session, SessionTurn
from benchmarks.environments import Environment, UnavailableError, default_cache, run_quietly

END = {"seconds": 0.2, "versions": {"langchain": "1.0"}}


def lines(*values):
    return "\n".join(json.dumps(value) for value in values)


def test_a_drivers_lines_are_read_by_kind():
    """Requests and summaries are joined to one text each; files are what can be read back."""
    output = lines({"request": ["human", "a"]}, {"summary": ["s"]}, {"request": ["b"]}, {"file": "f"}, END)
    played, versions = read_output("p", output)
    assert (played.requests, played.summaries, played.recallable) == (("human\na", "b"), ("s",), ("f",))
    assert (played.pipeline_s, versions) == (0.2, {"langchain": "1.0"})


@pytest.mark.parametrize("output", ["", "no JSON", lines({"request": ["a"]}), lines(END), lines(3)])
def test_other_output_is_told_not_measured(output):
    """A library that changed under its driver is not available; no figure is made up."""
    with pytest.raises(UnavailableError):
        read_output("p", output)


def test_a_command_that_fails_gives_its_last_line():
    """The reason in a table is the last thing the command said."""
    with pytest.raises(UnavailableError, match=r"^no network$"):
        run_quietly([sys.executable, "-c", "import sys; sys.exit('first\\nno network')"])


def test_a_command_that_is_not_there_is_told():
    """No interpreter: a reason, no traceback."""
    with pytest.raises(UnavailableError, match="No such file"):
        run_quietly(["/no/such/python"])


@pytest.mark.long
def test_an_environment_that_cannot_be_made_leaves_nothing(tmp_path):
    """Half an environment must not pass for a whole one the next time."""
    pins = tmp_path / "broken.txt"
    pins.write_text("this is no requirement\n")
    environment = Environment(pins, tmp_path / "cache")
    with pytest.raises(UnavailableError):
        environment.ensure()
    assert not environment.folder.exists()


def test_other_pins_are_another_environment(tmp_path):
    """A changed list of pins never meets packages of the old one."""
    pins = tmp_path / "pins.txt"
    pins.write_text("a==1\n")
    first = Environment(pins, tmp_path).folder
    pins.write_text("a==2\n")
    assert Environment(pins, tmp_path).folder != first


def test_the_cache_follows_xdg(tmp_path):
    """`XDG_CACHE_HOME` decides where environments go, else the home folder's cache."""
    assert default_cache({"XDG_CACHE_HOME": str(tmp_path)}) == tmp_path / "dexter" / "benchmarks"
    assert default_cache({}) == Path.home() / ".cache" / "dexter" / "benchmarks"


def test_every_peer_has_a_driver_and_exact_pins():
    """Each list names one version a package and no host."""
    for peer in PEERS:
        assert (DRIVERS / peer.driver).is_file()
        pins = (DRIVERS / peer.pins).read_text(encoding="utf-8").splitlines()
        assert all(pin.count("==") == 1 and "/" not in pin for pin in pins)


def test_a_peer_that_is_not_available_says_so_in_its_row(tmp_path, capsys):
    """The row stays, with the reason, and the other rows are measured."""
    session = Session("small", (SessionTurn("", ("revenue 111111111",)),))
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be")
    rows = print_session(session, blocked, {})
    printed = capsys.readouterr().out
    assert printed.count("not available here: ") == len(PEERS)
    assert set(rows) == {"dexter", "lean", "four-level", "none", "original"}
    assert all(line.count("|") == len(COLUMNS) + 1 for line in printed.splitlines() if line.startswith("|"))


def row(policy, chars, reachable=1.0):
    return Row(policy, Sent(1, chars, 0, chars), 1, 0, 1.0, reachable, 0.0)


def test_goals_are_judged_by_cost_reach_and_time():
    """Each goal is met at its limit and missed beyond it."""
    names = ("dexter", "lean", "four-level", "original")
    good = {name: row(name, 650 if name == "lean" else 1_000) for name in names}
    met = {goal.text: goal.met for goal in goals([good, good, good], {"dexter": 1.9, "lean": 2.0})}
    assert [text for text, fine in met.items() if not fine] == [
        "session 3, lean at most 0.5 × the original's cost",
        "lean, stages under 2 ms a turn at 1,000 messages",
    ]
    bad = good | {"dexter": row("dexter", 1_001, reachable=0.999)}
    missed = [str(goal) for goal in goals([bad, good, good], {}) if not goal.met]
    assert missed[0].startswith("✗ session 1, dexter at most 1 ×")
    assert any(line.startswith("✗ dexter, every figure reachable") for line in missed)
