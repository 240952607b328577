"""`dexter replay`: the command, in pipes and at a terminal."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.support.conversations import RecordedRun, new_scratchpad
from tests.support.program import Home, dexter_command, make_home
from tests.support.recorded import record_run
from tests.support.shared import shared
from tests.support.terminal import Terminal


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    home = make_home(tmp_path_factory.mktemp("home"))
    record_run(home.runs, turns=4)
    return home


def test_a_run_is_shown_by_any_of_its_names(home):
    """`last`, nothing at all, its id, a beginning of it, its path: the same text, plain in a pipe."""
    (path,) = home.scratchpads()
    texts = {home.dexter("replay", *name).stdout for name in ([], ["last"], [path.stem], [path.stem[:12]], [str(path)])}
    (text,) = texts
    assert text.startswith("compare NVDA vs AMD\nrun 2026-03-20-120000")
    assert "\x1b" not in text
    assert "context, tokens a turn" in text


def test_what_is_asked_for_wrongly_is_told(home):
    """Status 2, a sentence and what to do."""
    options = (["--json", "--events"], ["--figures", "--grep", "x"], ["last", "last", "--policy", "x"])
    for arguments in (["nix"], ["--view"], ["--turn", "77"], ["last", "last", "last"], *options):
        done = home.dexter("replay", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("dexter: ")


def test_what_is_no_file_of_a_run_is_told(home, tmp_path):
    """A folder, a pipe, a file that is not there, a name too long for the system: status 2 and what it is."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    named = {
        str(tmp_path): "a folder",
        str(tmp_path / "pipe.jsonl"): "no regular file",
        "a/b": "no file",
        "x" * 300: "",
    }
    for name, told in named.items():
        done = home.dexter("replay", name)
        assert (done.returncode, "fault" in done.stderr) == (2, False)
        assert told in done.stderr


def test_an_empty_file_is_called_so(home, tmp_path):
    """Nothing was looked for, so nothing is said not to be found."""
    (tmp_path / "empty.jsonl").touch()
    assert "There is nothing in this file." in home.dexter("replay", str(tmp_path / "empty.jsonl")).stdout


def test_views_are_proved_by_the_status_too(home, tmp_path):
    """0 where the view is what was sent, 1 where it is not."""
    good = home.dexter("replay", "--turn", "3", "--view")
    assert good.returncode == 0
    assert ": proved, this is exactly what was sent" in good.stdout
    told = json.loads(home.dexter("replay", "--turn", "3", "--view", "--json").stdout)
    assert told["proved"] is True
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(home.scratchpads()[0].read_bytes().replace(b"You are a test.", b"You are a best.", 1))
    assert home.dexter("replay", str(damaged), "--turn", "3", "--view").returncode == 1


def test_json_and_events(home):
    """One object, or one object a line; both without a control sequence."""
    told = json.loads(home.dexter("replay", "--json").stdout)
    lines = home.dexter("replay", "--events").stdout.splitlines()
    assert [json.loads(line) for line in lines] == told["events"]
    assert [json.loads(line)["seq"] for line in lines] == list(range(1, len(lines) + 1))


def test_policies_and_runs_are_compared(home):
    """With a summary line."""
    assert "four-level against dexter: tokens in" in home.dexter("replay", "--policy", "four-level").stdout
    assert "context events" in home.dexter("replay", "last", "last").stdout
    assert json.loads(home.dexter("replay", "--policy", "none", "--json").stdout)["right"]["name"] == "none"


def test_a_file_of_the_original(home):
    """By its path."""
    (path,) = shared("data/original_scratchpads").glob("*.jsonl")
    assert "Compare NVDA and AMD revenue" in home.dexter("replay", str(path)).stdout


def a_run_going_on(folder: Path) -> RecordedRun:
    run = RecordedRun(new_scratchpad(folder))
    run.begin()
    (call,) = run.ask_model("I look.", 1)
    run.enter(run.finish(call, "26,044 million"))
    return run


def test_following_ends_with_the_run(tmp_path):
    """What is on record is shown at once, what comes as it comes, and the end ends it."""
    home = make_home(tmp_path)
    run = a_run_going_on(home.runs)
    process = home.start(dexter_command("replay", "--follow", "--events"))
    assert process.stdout is not None
    seen = [json.loads(process.stdout.readline())["type"] for _ in range(5)]
    assert seen[:3] == ["run_started", "model_call", "model_response"]
    run.ask_model("Done.", 0)
    run.scratchpad.record.answer(text="Done.", complete=True, sources=[])
    run.end()
    out, _ = process.communicate(timeout=60)
    assert [json.loads(line)["type"] for line in out.splitlines()][-2:] == ["answer", "run_finished"]
    assert process.returncode == 0


def test_following_a_run_that_is_killed_tells_how_to_go_on(tmp_path):
    """Its half-written line is counted, and the way to take it up again is named with its folder."""
    home = make_home(tmp_path)
    run = a_run_going_on(home.runs)
    process = home.start(dexter_command("replay", "--follow"))
    assert process.stdout is not None
    while b"#1" not in process.stdout.readline():
        pass
    path = run.scratchpad.paths.scratchpad
    with path.open("ab") as file:
        file.write(b'{"type":"model_ca')
    run.scratchpad.close()
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert b"skipped 17 bytes" in out
    assert f"`dexter resume {path}` goes on with it.".encode() in out


def test_following_goes_on_where_a_file_was_cut(tmp_path):
    """What was taken away is told, and what comes after it is shown."""
    home = make_home(tmp_path)
    run = a_run_going_on(home.runs)
    path = run.scratchpad.paths.scratchpad
    process = home.start(dexter_command("replay", "--follow", "--events"))
    assert process.stdout is not None
    while json.loads(process.stdout.readline())["type"] != "tool_finished":
        pass
    whole = path.read_bytes()
    os.truncate(path, whole.rindex(b"\n", 0, -1) + 1)
    told = json.loads(process.stdout.readline())
    assert (told["kind"], "taken away" in told["text"]) == ("skipped", True)
    run.ask_model("Done.", 0)
    run.end()
    out, _ = process.communicate(timeout=60)
    assert [json.loads(line)["type"] for line in out.splitlines()][-3:] == [
        *("model_call", "model_response", "run_finished"),
    ]


def test_following_is_left_with_ctrl_c(tmp_path):
    """Status 130, no traceback; the run goes on."""
    home = make_home(tmp_path)
    run = a_run_going_on(home.runs)
    process = home.start(dexter_command("replay", "--follow"))
    assert process.stdout is not None
    shown = b""
    while b"#1" not in shown:
        shown += process.stdout.readline()
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, b"")
    run.ask_model("It goes on.", 0)
    run.end()


@pytest.mark.parametrize("columns", [60, 100])
def test_at_a_terminal_a_pager_shows_it(home, columns):
    """The user's pager, page by page; leaving it leaves the program with status 0."""
    with Terminal(dexter_command("replay"), columns, home.environ(PAGER="less", LESS="R"), str(home.work)) as terminal:
        terminal.wait_for("context, tokens")
        terminal.wait_for("turn 1")
        terminal.send("q")
        assert terminal.finish() == 0


def test_without_a_pager_it_is_printed(home):
    """--no-pager, or PAGER=cat, in colours."""
    for arguments, environ in ((["--no-pager"], {}), ([], {"PAGER": "cat"})):
        command = dexter_command("replay", *arguments)
        with Terminal(command, 100, home.environ(**environ), str(home.work)) as terminal:
            assert terminal.finish() == 0
            assert "Revenue was 26,044 million." in terminal.screen()
            assert "\x1b[" in terminal.raw
