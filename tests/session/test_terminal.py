"""Whole sessions in a real pseudo-terminal. Each waits for what it sees, never for a time."""

from __future__ import annotations

import os
import re
import shlex
import signal
import stat
import subprocess
import time
from pathlib import Path

import pytest

from dexter.scratchpad.run_state import RunState, read_state
from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal, python

IDLE = "Ask about"
BUSY = "Esc stops"
ESC, CTRL_C, CTRL_D, CTRL_R, CTRL_U = "\x1b", "\x03", "\x04", "\x12", "\x15"
UP, DOWN, TAB, ENTER = "\x1b[A", "\x1b[B", "\t", "\r"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def _scripted(home: Home, *arguments: str, columns: int = 80, **environ: str) -> Terminal:
    """A session with the scripted model, once it is ready."""
    command = python("-m", "tests.support.scripted_session", *arguments)
    terminal = Terminal(command, columns, home.environ(**environ), str(home.work))
    ready = {"--pick": "Esc leaves|Ask about", "--continue": "Ask about|This was cut off"}
    terminal.wait_for(next((ready[option] for option in ready if option in arguments), IDLE))
    return terminal


def _leave(terminal: Terminal) -> None:
    terminal.send(CTRL_D)
    assert terminal.finish() == 0


def _states(home: Home) -> list[RunState]:
    """The runs in their order, which within a second their names do not tell."""
    return [read_state(path) for path in sorted(home.scratchpads(), key=lambda path: path.stat().st_mtime_ns)]


def _ended(home: Home) -> list[str]:
    return [str((state.end or {}).get("status")) for state in _states(home)]


def test_a_question_a_follow_up_and_out(home: Home):
    """The offline analyst answers in a session, a follow-up knows what was asked, nothing is written at idle."""
    with Terminal(dexter_command("--offline"), 80, home.environ(), str(home.work)) as terminal:
        terminal.wait_for(IDLE)
        terminal.send("NVDA revenue\r")
        terminal.wait_for(r"215,938[\s\S]*answered")
        terminal.send("and AMD?\r")
        terminal.wait_for(r"34,639[\s\S]*answered[\s\S]*Ask about")
        terminal.drain()
        written = len(terminal.raw)
        terminal.drain(quiet=1.0)
        assert len(terminal.raw) == written
        terminal.send("/quit\r")
        assert terminal.finish() == 0
    assert len(home.scratchpads()) == 2


def test_typing_while_it_streams(home: Home):
    """A draft is typed and two lines are queued while text streams; Esc stops; the lines come back before the draft."""
    with _scripted(home) as terminal:
        terminal.send("stream a lot\r")
        terminal.wait_for("Word 0 of")
        terminal.send("first of all\r")
        terminal.wait_for("queued: first of all")
        terminal.send("second of all\r")
        terminal.wait_for(r"queued: second of all[\s\S]*2 queued")
        terminal.send(UP)
        terminal.wait_for(r"❯ second of all[\s\S]*1 queued")
        terminal.send(" and a draft")
        terminal.wait_for("❯ second of all and a draft")
        terminal.send(ESC)
        terminal.wait_for(r"interrupted[\s\S]*❯ first of all\n  second of all and a draft")
        terminal.send(CTRL_C)
        terminal.wait_for(IDLE)
        terminal.send("go on\r")
        terminal.wait_for(r"You said: stream a lot \| go on\.[\s\S]*Ask about")
        terminal.send(CTRL_C)
        terminal.wait_for("Ctrl-C again leaves")
        terminal.send(CTRL_C)
        assert terminal.finish() == 0
    assert _ended(home) == ["interrupted", "answered"]


def test_streaming_writes_little(home: Home):
    """While an answer streams, at most 4 KB a second are written at 80 columns."""
    with _scripted(home) as terminal:
        terminal.send("stream a lot\r")
        terminal.wait_for(r"Word\s5\s")
        written, since = len(terminal.raw.encode()), time.monotonic()
        terminal.wait_for(r"Word\s45\s")
        rate = (len(terminal.raw.encode()) - written) / (time.monotonic() - since)
        assert rate <= 4_096
        terminal.send(ESC)
        terminal.wait_for(IDLE)
        _leave(terminal)


@pytest.mark.parametrize("key", [CTRL_C, ESC])
def test_interrupted_in_each_phase(home: Home, key: str):
    """Waiting for the first word, for a tool, for a retry and for a yes: each run ends, its record is whole."""
    phases = {"wait": "waiting for the model", "tool": "slow · ", "write": "Enter takes", "retry": "trying again in"}
    with _scripted(home) as terminal:
        for word, seen in phases.items():
            terminal.send(f"{word} here\r")
            terminal.wait_for(rf"❯ {word} here[\s\S]*{seen}")
            terminal.send(key)
            terminal.wait_for(rf"❯ {word} here[\s\S]*interrupted ·[\s\S]*{IDLE}")
        terminal.send("and now\r")
        terminal.wait_for(r"You said: wait here \| tool here \| write here \| retry here \| and now")
        terminal.wait_for(IDLE)
        _leave(terminal)
    assert _ended(home) == [*["interrupted"] * 4, "answered"]


def test_a_sub_agent_is_interrupted_too(home: Home):
    """Esc reaches a sub-agent; its record ends as interrupted, like that of its run."""
    with _scripted(home, "--offline", REAL_TOOLS="1") as terminal:
        terminal.send("agent please\r")
        terminal.wait_for("sub-agent .* started")
        terminal.send(ESC)
        terminal.wait_for(rf"interrupted ·[\s\S]*{IDLE}")
        _leave(terminal)
    everything = sorted(home.runs.rglob("*.jsonl"))
    assert len(everything) == 2
    assert [(read_state(path).end or {}).get("status") for path in everything] == ["interrupted"] * 2


def test_a_second_ctrl_c_leaves_at_once(home: Home):
    """While a run is being stopped, Ctrl-C again ends the program with 130 and gives the terminal back."""
    with _scripted(home, STUBBORN="1") as terminal:
        terminal.send("stubborn now\r")
        terminal.wait_for("waiting for the model")
        terminal.send(CTRL_C)
        terminal.wait_for("stopping")
        terminal.send(CTRL_C)
        assert terminal.finish() == 130
        _assert_restored(terminal.raw)


def test_what_writes_is_approved_in_place(home: Home):
    """The whole request stands in the conversation; keys meant for the input choose nothing; yes, session, no."""
    with _scripted(home) as terminal:
        terminal.send("write one\r")
        terminal.wait_for("❯ write one")
        terminal.send("typed before it came")
        terminal.wait_for(r"note wants to write to\n  /reports/notes.txt\n  first line\n  \+second line")
        terminal.wait_for("Enter takes")
        terminal.send("5")
        terminal.wait_for("what instead ❯")
        terminal.send("use a table\r")
        terminal.wait_for(r"They said: use a table[\s\S]*❯ typed before it came")
        terminal.send(CTRL_U + "write one more\r")
        terminal.wait_for(r"❯ write one more[\s\S]*Enter takes")
        terminal.send(ENTER)
        terminal.wait_for(rf"❯ write one more[\s\S]*did not allow\s+note[\s\S]*{IDLE}")
        terminal.send("write two\r")
        terminal.wait_for(r"❯ write two[\s\S]*Enter takes")
        terminal.send(UP + UP + ENTER)
        terminal.wait_for(rf"❯ write two[\s\S]*Result: written[\s\S]*{IDLE}")
        terminal.send("write three\r")
        terminal.wait_for(rf"❯ write three[\s\S]*Result: written[\s\S]*{IDLE}")
        _leave(terminal)


def test_the_model_asks_the_user(home: Home):
    """A question stands whole in the conversation, its choices in the place of the input; Esc stops the run."""
    with _scripted(home, "--offline", columns=60, REAL_TOOLS="1") as terminal:
        terminal.send("choose for me\r")
        terminal.wait_for(r"Which year\?[\s\S]*2025[\s\S]*newest[\s\S]*Enter takes, Esc stops the run")
        assert "filed but not audited yet" in " ".join(terminal.screen().split())
        terminal.send("2")
        terminal.wait_for(r"Result: Which year\?\s+→ 2025")
        terminal.wait_for(IDLE)
        terminal.send("choose once more\r")
        terminal.wait_for(r"❯ choose once more[\s\S]*Which year\?[\s\S]*Esc stops")
        terminal.send(ESC)  # at once: while it guards the choices against keys that were meant for the input
        terminal.wait_for(rf"❯ choose once more[\s\S]*interrupted ·[\s\S]*{IDLE}")
        _leave(terminal)
    assert _ended(home) == ["answered", "interrupted"]


def test_words_instead_of_an_approval_can_be_broken_off(home: Home):
    """Esc while writing what to do instead leads back to the choices, which are all there in a low window."""
    with _scripted(home) as terminal:
        terminal.resize(80, rows=7)
        terminal.send("write one\r")
        terminal.wait_for("4 No\n")
        terminal.resize(80)
        terminal.wait_for("Enter takes")
        terminal.send("5")
        terminal.wait_for("what instead ❯")
        terminal.send("half a rea" + ESC)
        terminal.wait_for(r"1 Yes, once[\s\S]*Enter takes")
        terminal.send("1")
        terminal.wait_for(rf"Result: written[\s\S]*{IDLE}")
        _leave(terminal)


def test_many_lines(home: Home):
    """Alt-Enter, Ctrl-J, a backslash and Shift-Enter break the line; fifty pasted lines are not sent by themselves."""
    with _scripted(home) as terminal:
        terminal.send("one\x1b\rtwo\x0athree\\\rfour\x1b[13;2ufive\r")
        terminal.wait_for(rf"You said: one\s+two\s+three\s+four\s+five\.[\s\S]*{IDLE}")
        pasted = "\n".join(f"pasted {number}" for number in range(50))
        terminal.send(f"\x1b[200~{pasted}\x1b[201~")
        terminal.wait_for("pasted 49")
        terminal.drain()
        assert len(home.scratchpads()) == 1
        terminal.send(ENTER)
        terminal.wait_for(rf"You said: one[\s\S]*pasted 49\.[\s\S]*{IDLE}")
        _leave(terminal)
    questions = [state.question for state in _states(home)]
    assert questions == ["one\ntwo\nthree\nfour\nfive", pasted]


@pytest.mark.parametrize("cut", [4_000, 100])
def test_a_paste_that_is_not_marked_is_not_sent_either(home: Home, cut: int):
    """Fifty lines with a last Enter, in one piece and in small ones; the Enter that a person presses sends them."""
    pasted = "\r".join(f"unmarked 比较 {number}" for number in range(50))
    with _scripted(home) as terminal:
        terminal.process.delaybeforesend = None
        for start in range(0, len(pasted), cut):
            terminal.send((pasted + "\r")[start : start + cut])
        terminal.wait_for(r"unmarked 比较 49[\s\S]*scripted · dexter")
        terminal.drain()
        assert home.scratchpads() == []
        terminal.send(ENTER)
        terminal.wait_for(rf"You said: unmarked[\s\S]*{IDLE}")
        _leave(terminal)
    assert _states(home)[0].question == pasted.replace("\r", "\n")


def test_wide_letters_and_a_narrow_window(home: Home):
    """CJK and emoji at 60 columns, then wider and narrower again: nothing sticks out, the input is whole."""
    with _scripted(home, columns=60) as terminal:
        line = "比较英伟达与超威半导体的毛利率 🚀 " * 3
        terminal.send(line)
        terminal.wait_for("🚀")
        terminal.send(ENTER)
        terminal.wait_for(rf"You said[\s\S]*{IDLE}")
        terminal.resize(100)
        terminal.send("wider\r")
        terminal.wait_for(r"\| wider\.[\s\S]*Ask about")
        terminal.resize(40)
        terminal.send("narrower\r")
        terminal.wait_for(r"\| narrower\.[\s\S]*Ask")
        _leave(terminal)
    assert _states(home)[0].question == line.strip()


def test_history_across_sessions(home: Home):
    """Up and Ctrl-R find lines of an earlier session, each once; what began with a blank is not there."""
    with _scripted(home) as terminal:
        for line in ("alpha", "beta", "alpha", " secret"):
            terminal.send(f"{line}\r")
            terminal.wait_for(rf"You said: .*{line.strip()}\.\s[\s\S]*{IDLE}")
        _leave(terminal)
    with _scripted(home) as terminal:
        terminal.send(UP)
        terminal.wait_for("❯ alpha")
        terminal.send(UP)
        terminal.wait_for("❯ beta")
        terminal.send(UP + UP)
        terminal.drain()
        assert "❯ beta" in terminal.screen()
        terminal.send(DOWN + DOWN + CTRL_R + "bet")
        terminal.wait_for("history: bet")
        terminal.wait_for("❯ beta")
        terminal.send(ENTER + CTRL_C)
        terminal.wait_for(IDLE)
        terminal.send(CTRL_R + "no such line")
        terminal.wait_for("history: no such line")
        terminal.send(CTRL_C + "typed after the search\r")
        terminal.wait_for(rf"You said: .*typed after the search\.[\s\S]*{IDLE}")
        _leave(terminal)
    path = home.root / "data" / "dexter" / "history.jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "secret" not in path.read_text()


def test_completion(home: Home):
    """Commands with their arguments, tickers, runs and files; an unknown command names the nearest."""
    (home.work / "figures.txt").write_text("Revenue 42")
    with _scripted(home) as terminal:
        terminal.send("/pol")
        terminal.wait_for("/policy +show or change")
        terminal.send(TAB + " ")
        terminal.wait_for("four-level +Persist")
        terminal.send(CTRL_U + "/modle\r")
        terminal.wait_for(r"no command /modle\. Did you mean /model")
        terminal.send(CTRL_U + "$nvd")
        terminal.wait_for("NVDA +NVIDIA")
        terminal.send(TAB + " and GOO" + TAB)
        terminal.wait_for("GOOGL")
        terminal.send(CTRL_U + "look at @fig")
        terminal.wait_for("@figures.txt")
        terminal.send(TAB)
        terminal.wait_for("❯ look at @figures.txt")
        terminal.send(ENTER)
        terminal.wait_for(rf"Revenue 42[\s\S]*{IDLE}")
        run = home.scratchpads()[0].stem
        terminal.send("/replay ")
        terminal.wait_for(run)
        terminal.send(TAB)
        terminal.wait_for(f"❯ /replay {run}")
        terminal.send(ENTER)
        terminal.wait_for(rf"turn 1[\s\S]*{IDLE}")
        terminal.send("//not a command\r")
        terminal.wait_for(r"\| /not a command\.[\s\S]*Ask about")
        _leave(terminal)


def test_killed_and_gone_on_with(home: Home):
    """SIGKILL in the middle of a tool; --continue shows where it stood, the picker goes on with it, as it was."""
    with _scripted(home, "--policy", "lean") as terminal:
        terminal.send("hello there\r")
        terminal.wait_for(rf"You said: hello there[\s\S]*{IDLE}")
        terminal.send("tool first\r")
        terminal.wait_for("slow · ")
        terminal.send("one more line\r")
        terminal.wait_for("queued: one more line")
        terminal.process.kill(signal.SIGKILL)
        terminal.process.wait()
    with _scripted(home, "--continue") as terminal:
        terminal.wait_for(r"❯ tool first[\s\S]*This was cut off. /resume[\s\S]*❯ one more line\n")
        assert "scripted · lean" in terminal.screen()
        terminal.send(CTRL_U + "what was said\r")
        terminal.wait_for(rf"You said: hello there \| tool first \| what was said[\s\S]*{IDLE}")
        _leave(terminal)
    with _scripted(home, "--pick") as terminal:
        terminal.wait_for(r"Go on with which conversation\?[\s\S]*what was said")
        terminal.send(ENTER)
        terminal.wait_for(rf"❯ what was said[\s\S]*You said: hello there[\s\S]*{IDLE}")
        assert "scripted · lean" in terminal.screen()
        _leave(terminal)


def test_a_run_that_was_cut_off_is_resumed_in_the_session(home: Home):
    """/resume takes a run up again where it stopped: its tool runs once more, and the answer comes."""
    with _scripted(home) as terminal:
        terminal.send("tool first\r")
        terminal.wait_for("slow · ")
        terminal.send(ESC)
        terminal.wait_for(rf"interrupted ·[\s\S]*{IDLE}")
        terminal.send("/resume last\r")
        terminal.wait_for(rf"interrupted ·[\s\S]*You said: tool first\. Result: Interrupted[\s\S]*{IDLE}")
        _leave(terminal)
    assert _ended(home) == ["answered"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_run_and_session(home: Home, number: int, status: int):
    """SIGTERM and SIGHUP end the run cleanly, give the terminal back and are told by the exit status."""
    with _scripted(home) as terminal:
        terminal.send("stream a lot\r")
        terminal.wait_for("Word 0 of")
        terminal.process.kill(number)
        assert terminal.finish() == status
        _assert_restored(terminal.raw)
    assert _ended(home) == ["terminated" if number == signal.SIGTERM else "hung_up"]


def test_background_and_back_leaves_the_shell_as_it_was(home: Home):
    """Ctrl-Z puts the session into the background of a shell, fg brings it back; the terminal's modes are restored."""
    command = shlex.join(python("-m", "tests.support.scripted_session"))
    with Terminal(["bash", "--norc", "--noprofile", "-i"], 80, home.environ(PS1="sh$ "), str(home.work)) as terminal:
        terminal.wait_for(r"sh\$")
        terminal.send("stty -a > before\r")
        terminal.send(f"{command}\r")
        terminal.wait_for(IDLE)
        terminal.send("a draft")
        terminal.wait_for("❯ a draft")
        terminal.send("\x1a")
        terminal.wait_for(r"Stopped[\s\S]*sh\$")
        terminal.send("echo in the $((40 + 2)) shell\r")
        terminal.wait_for("in the 42 shell")
        terminal.send("fg\r")
        terminal.wait_for(r"in the 42 shell[\s\S]*❯ a draft")
        terminal.send(CTRL_C)
        terminal.wait_for(IDLE)
        terminal.send(CTRL_D)
        terminal.wait_for(r"sh\$ *$")
        terminal.send("stty -a > after\r")
        terminal.send("exit\r")
        terminal.finish()
    assert (home.work / "before").read_text() == (home.work / "after").read_text()


def test_editor_clipboard_and_a_new_conversation(home: Home):
    """/editor takes what an editor wrote, Esc Esc takes a question back, /copy sends OSC 52, /clear really clears."""
    editor = home.work / "editor"
    editor.write_text("#!/bin/sh\nprintf 'written elsewhere' > \"$1\"\n")
    editor.chmod(0o700)
    with _scripted(home, EDITOR=str(editor)) as terminal:
        terminal.send("/editor\r")
        terminal.wait_for("❯ written elsewhere")
        terminal.send(ENTER)
        terminal.wait_for(rf"You said: written elsewhere\.[\s\S]*{IDLE}")
        terminal.send(ESC + ESC)
        terminal.wait_for(r"Taken back[\s\S]*❯ written elsewhere")
        terminal.send(ENTER)
        terminal.wait_for(rf"Taken back[\s\S]*You said: written elsewhere\.[\s\S]*{IDLE}")
        terminal.send("/copy\r")
        terminal.wait_for("in the clipboard")
        assert "\x1b]52;c;WW91IHNhaWQ6IHdyaXR0ZW4gZWxzZXdoZXJlLg==\x07" in terminal.raw
        terminal.send("\x0c")
        terminal.send("after the screen\r")
        terminal.wait_for(rf"You said: written elsewhere \| after the screen\.[\s\S]*{IDLE}")
        terminal.send("/clear\r")
        terminal.wait_for("A new conversation")
        terminal.send("anew\r")
        terminal.wait_for(rf"You said: anew\.[\s\S]*{IDLE}")
        _leave(terminal)
    conversations = {state.header["conversation"] for state in _states(home)}
    assert len(conversations) == 3


def test_no_colours(home: Home):
    """With --no-color no colour is set, by the prompt neither."""
    with _scripted(home, "--no-color") as terminal:
        terminal.send("hello\r")
        terminal.wait_for(rf"You said: hello[\s\S]*{IDLE}")
        _leave(terminal)
        assert not re.search(r"\x1b\[(?:\d+;)*(?:3\d|4\d|9\d)(?:;\d+)*m", terminal.raw)


def test_lines_from_a_pipe_approve_nothing(home: Home):
    """The line that follows is the next question, not the answer to what nobody has read; the flag is named."""
    session = home.start(python("-m", "tests.support.scripted_session", "--plain"), stdin=subprocess.PIPE)
    out, _ = session.communicate(b"write one\n1\n", timeout=60)
    assert b"--allow" in out
    assert b"You said: write one | 1." in out
    assert b"Result: written" not in out


def test_a_session_of_plain_lines(home: Home):
    """Piped in, each line is answered as a follow-up, in plain lines; a dumb terminal gets the same."""
    done = home.dexter("chat", "--offline", stdin=b"NVDA revenue\nand AMD?\n/cost\n")
    assert done.returncode == 0
    assert "215,938" in done.stdout
    assert "34,639" in done.stdout
    assert "2 runs" in done.stdout
    assert "\x1b" not in done.stdout
    with Terminal(dexter_command("--offline"), 80, home.environ(TERM="dumb"), str(home.work)) as terminal:
        terminal.wait_for(r"^>\s*$")
        terminal.send("NVDA revenue\r")
        terminal.wait_for("215,938")
        terminal.send(CTRL_D)
        assert terminal.finish() == 0
        assert "\x1b" not in terminal.raw


def _assert_restored(raw: str) -> None:
    """The cursor is shown and pasting is unmarked again."""
    assert raw.rfind("\x1b[?25h") >= raw.rfind("\x1b[?25l")
    assert raw.rfind("\x1b[?2004l") > raw.rfind("\x1b[?2004h")


def test_a_session_has_no_options_of_output(home: Home):
    """--json belongs to one question; options without a command are those of a session, so no command follows them."""
    refused = home.dexter("chat", "--json")
    assert refused.returncode == 2
    assert "dexter ask --json" in refused.stderr
    order = home.dexter("--offline", "runs")
    assert order.returncode == 2
    assert "unexpected extra argument" in order.stderr


def test_what_was_not_sent_is_kept(home: Home):
    """Lines that wait, and a draft, when the session is left: they are told and stand in the history."""
    with _scripted(home) as terminal:
        terminal.send("stream a lot\r")
        terminal.wait_for("Word 0 of")
        terminal.send("one queued\r")
        terminal.wait_for("queued: one queued")
        terminal.send("two queued\r")
        terminal.wait_for("queued: two queued")
        terminal.send("/quit\r")
        assert terminal.finish() == 0
        assert re.search(r"Not sent, but kept in the history: one queued\ntwo queued", terminal.screen())
    with _scripted(home) as terminal:
        terminal.send(UP)
        terminal.wait_for("❯ one queued\n  two queued")
        terminal.process.kill(signal.SIGTERM)
        assert terminal.finish() == 143
        assert "Not sent, but kept in the history: one queued" in terminal.screen()


@pytest.mark.parametrize("arguments", [(), ("--plain",)])
def test_a_closed_window_ends_run_and_session(home: Home, arguments: tuple[str, ...]):
    """The terminal is gone, whether a signal says so or only the next write: the record says so, and the status."""
    command = python("-m", "tests.support.scripted_session", *arguments)
    with Terminal(command, 80, home.environ(), str(home.work)) as terminal:
        terminal.wait_for(f"{IDLE}|>")
        terminal.send("tool first\r")
        terminal.wait_for("slow")
        terminal.hang_up()
        _, status = os.waitpid(terminal.process.pid, 0)
        terminal.process.ptyproc.terminated = True
        assert os.waitstatus_to_exitcode(status) == 129
    assert _ended(home) == ["hung_up"]


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("false", "The editor ended with status 1"),
        ("/no/such/editor", "can't be started"),
        ("vi 'x", "EDITOR can't be understood"),
    ],
)
def test_an_editor_that_fails_leaves_the_line(home: Home, editor: str, said: str):
    """The reason is said, what was typed is there still."""
    with _scripted(home, EDITOR=editor) as terminal:
        terminal.send("a draft\x18\x05")
        terminal.wait_for(rf"{said}[\s\S]*❯ a draft\n")
        terminal.send(CTRL_C)
        terminal.wait_for(IDLE)
        _leave(terminal)
        assert "Traceback" not in terminal.raw
