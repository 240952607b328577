from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.program import Home, make_home

QUESTION = "compare NVDA vs AMD"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def test_the_answer_is_all_there_is_on_standard_output(home: Home):
    """In a pipe the answer stands alone on stdout, progress as plain lines on stderr, neither with an escape."""
    done = home.dexter("ask", "--offline", QUESTION)
    assert done.returncode == 0
    assert "215,938" in done.stdout
    assert "get_financials" not in done.stdout
    assert "→ get_financials tickers=NVDA,AMD" in done.stderr
    assert "215,938" not in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_without_a_key_one_line_says_who_answers_and_how_to_set_one(home: Home):
    """The first run works, names the offline analyst and the command that stores a key."""
    done = home.dexter("ask", QUESTION)
    assert done.returncode == 0
    assert "offline analyst" in done.stderr
    assert "dexter config set-key anthropic" in done.stderr


def test_a_question_in_quotes_needs_no_command(home: Home):
    """`dexter "question"`, options behind it and a pipe before it, too."""
    assert "215,938" in home.dexter("NVDA revenue", "--offline", "--quiet").stdout
    assert "34,639" in home.dexter("what is its revenue?", "--offline", "--quiet", stdin=b"AMD").stdout


def test_words_need_no_quotes(home: Home):
    """Several arguments are one question."""
    done = home.dexter("ask", "--offline", "--quiet", "NVDA", "revenue")
    assert "215,938" in done.stdout
    assert done.stderr == ""


def test_json_is_one_object(home: Home):
    """--json gives answer, sources, calls, usage, run and status in one object, and nothing else."""
    found = json.loads(home.dexter("ask", "--offline", "--json", QUESTION).stdout)
    assert (found["status"], found["exit_status"], found["complete"]) == ("answered", 0, True)
    assert "215,938" in found["answer"]
    assert found["sources"]
    assert {call["tool"] for call in found["tool_calls"]} >= {"get_financials", "get_market_data"}
    assert found["run"] in found["path"]
    assert Path(found["path"]).exists()


def test_events_are_json_lines_as_they_happen(home: Home):
    """--events gives every event in order on stdout, and no progress beside it."""
    done = home.dexter("ask", "--offline", "--events", QUESTION)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert events[0]["type"] == "run_started"
    assert events[-1]["type"] == "run_finished"
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert done.stderr == ""


def test_piped_text_comes_before_the_words(home: Home):
    """What is piped in is the question, or stands before the one on the command line; `-` asks for it."""
    home.dexter("ask", "--offline", "-q", "its revenue?", stdin=b"About NVDA.\n")
    home.dexter("ask", "--offline", "-q", stdin=b"NVDA revenue\n")
    home.dexter("ask", "--offline", "-q", "-", stdin=b"AMD revenue\n")
    questions = {json.loads(path.read_text().split("\n")[0])["content"] for path in home.scratchpads()}
    assert questions == {"About NVDA.\n\nits revenue?", "NVDA revenue", "AMD revenue"}


def test_the_answer_can_go_to_a_file(home: Home):
    """--output writes the answer there and leaves stdout empty; an older file is replaced."""
    target = home.work / "answer.md"
    target.write_text("old")
    done = home.dexter("ask", "--offline", "-q", "-o", "answer.md", QUESTION)
    assert (done.returncode, done.stdout) == (0, "")
    assert "215,938" in target.read_text()
    assert [path.name for path in home.work.iterdir()] == ["answer.md"]


def test_json_can_go_to_a_file_too(home: Home):
    """--json --output writes the object."""
    home.dexter("ask", "--offline", "-q", "--json", "-o", "answer.json", QUESTION)
    assert json.loads((home.work / "answer.json").read_text())["status"] == "answered"


def test_forced_colours_reach_a_pipe(home: Home):
    """FORCE_COLOR renders the answer in a pipe; NO_COLOR beside it wins."""
    assert "\x1b[1m" in home.dexter("ask", "--offline", "-q", QUESTION, environ={"FORCE_COLOR": "1"}).stdout
    both = home.dexter("ask", "--offline", "-q", QUESTION, environ={"FORCE_COLOR": "1", "NO_COLOR": "1"})
    assert "\x1b" not in both.stdout


def test_the_record_is_private(home: Home):
    """Folder and file of a run are for their owner only."""
    home.dexter("ask", "--offline", "-q", "NVDA revenue")
    assert home.scratchpads()[0].stat().st_mode & 0o777 == 0o600
    assert home.runs.stat().st_mode & 0o777 == 0o700


def test_flags_reach_the_run(home: Home):
    """Policy and window of the command line are those of the run."""
    done = home.dexter("ask", "--offline", "--events", "--policy", "none", "--window", "32000", "NVDA revenue")
    started = json.loads(done.stdout.splitlines()[0])
    assert (started["policy"], started["window"]) == ("none", 32_000)


def test_a_latin_terminal_is_no_reason_to_fail(home: Home):
    """Letters the stream's encoding lacks are replaced."""
    done = home.dexter("ask", "--offline", QUESTION, environ={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "215,938" in done.stdout


def test_a_dumb_terminal_gets_plain_lines(home: Home):
    """TERM=dumb: no escapes, on a terminal too."""
    from tests.support.program import dexter_command
    from tests.support.terminal import Terminal

    with Terminal(
        dexter_command("ask", "--offline", QUESTION), 100, home.environ(TERM="dumb"), str(home.work)
    ) as terminal:
        assert terminal.finish() == 0
        assert "\x1b" not in terminal.raw
        assert "215,938" in terminal.raw


@pytest.mark.parametrize("columns", [60, 100, 160])
def test_on_a_terminal_the_answer_is_rendered_once(home: Home, columns: int):
    """Tool lines with their results, then the answer, rendered and once; the cursor is back at the end."""
    from tests.support.program import dexter_command
    from tests.support.terminal import Terminal

    command = dexter_command("ask", "--offline", QUESTION)
    with Terminal(command, columns, home.environ(), str(home.work)) as terminal:
        assert terminal.finish() == 0
        screen = terminal.screen()
    assert re.search(r"✓ get_financials tickers=NVDA,AMD", screen)
    assert screen.count("Stockholders' equity (USD million)") == 1
    assert "|" not in screen.replace("R&D / revenue", "")
    assert terminal.raw.rindex("\x1b[?25h") > terminal.raw.rindex("\x1b[?25l")


def test_a_follow_up_goes_on_with_the_last_conversation(home: Home):
    """--continue asks in the conversation of the last run; without one it says so."""
    assert home.dexter("ask", "--offline", "--continue", "x").returncode == 2
    home.dexter("ask", "--offline", "-q", "NVDA revenue")
    done = home.dexter("ask", "--offline", "--events", "--continue", "and AMD?")
    started = json.loads(done.stdout.splitlines()[0])
    assert done.returncode == 0
    assert started["parent"] == home.scratchpads()[0].stem
    assert started["conversation"] == started["parent"]


def test_no_color_and_no_stream_are_flags_too(home: Home):
    """On a terminal --no-color sets no colour, and --no-stream shows the answer whole, once."""
    from tests.support.program import dexter_command
    from tests.support.terminal import Terminal

    command = dexter_command("ask", "--offline", "--no-color", "--no-stream", QUESTION)
    with Terminal(command, 100, home.environ(), str(home.work)) as terminal:
        assert terminal.finish() == 0
        assert terminal.screen().count("Stockholders' equity (USD million)") == 1
        assert not any(f"\x1b[{code}m" in terminal.raw for code in range(30, 50))


def test_verbose_shows_requests(home: Home):
    """--verbose tells of each request and of every argument."""
    done = home.dexter("ask", "--offline", "--verbose", "NVDA revenue")
    assert "request: view" in done.stderr
    assert "response:" in done.stderr
