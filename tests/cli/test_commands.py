from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from dexter import __version__
from dexter.app.toolbox import NEED_A_NETWORK
from tests.support.program import Home, dexter_command, make_home
from tests.support.terminal import Terminal

KEY = "abc-secret-0123456789"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def test_version_and_help(home: Home):
    """--version prints the version; without a command the help is printed; every command has one."""
    assert home.dexter("--version").stdout == f"dexter {__version__}\n"
    help_text = home.dexter()
    assert help_text.returncode == 0
    for command in ("ask", "chat", "replay", "resume", "runs", "tool", "tools", "config"):
        assert f" {command} " in help_text.stdout
        assert home.dexter(command, "--help").returncode == 0


def test_a_shell_can_complete(home: Home):
    """The completion script for bash is printed when the shell asks, and it completes commands."""
    script = home.dexter(environ={"_DEXTER_COMPLETE": "source_bash"})
    assert "_DEXTER_COMPLETE=complete_bash" in script.stdout
    asked = {"_DEXTER_COMPLETE": "complete_bash", "COMP_WORDS": "dexter con", "COMP_CWORD": "1"}
    assert home.dexter(environ=asked).stdout.split() == ["config"]


def test_config_shows_every_value_with_its_origin(home: Home):
    """Each setting has a line with value and origin; a key is named and never shown."""
    (home.work / "config.toml").write_text("max_turns = 7\n")
    shown = home.dexter("config", environ={"DEXTER_MODEL": "x/y", "ANTHROPIC_API_KEY": KEY}).stdout
    assert re.search(r"^max_turns +7 +.*config\.toml, line 1$", shown, re.MULTILINE)
    assert re.search(r"^model +x/y +DEXTER_MODEL$", shown, re.MULTILINE)
    assert re.search(r"^context\.keep_results +4 +default$", shown, re.MULTILINE)
    assert "Key of anthropic: set (ANTHROPIC_API_KEY)" in shown
    assert KEY not in shown


def test_config_as_json(home: Home):
    """The same for scripts."""
    found = json.loads(home.dexter("config", "--json", environ={"DEXTER_MAX_TURNS": "3"}).stdout)
    assert found["max_turns"] == {"value": 3, "origin": "DEXTER_MAX_TURNS"}


def test_the_policy_in_force_is_printed(home: Home):
    """The stages of the policy stand in order, each with its rule and the numbers in force."""
    shown = home.dexter("config", "--policy", environ={"DEXTER_CONTEXT__KEEP_RESULTS": "3"}).stdout
    assert shown.startswith("Set by default:\ndexter\n")
    assert shown.index("before a call") < shown.index("microcompact") < shown.index("after tools")
    assert "all but the newest 3" in shown


def test_a_key_is_stored_unseen_and_private(home: Home):
    """Typed at a terminal a key does not appear; it is stored with mode 0600 and found by the next command."""
    command = dexter_command("config", "set-key", "anthropic")
    with Terminal(command, 100, home.environ(), str(home.work)) as terminal:
        terminal.wait_for("not shown")
        terminal.send(KEY + "\n")
        assert terminal.finish() == 0
        assert KEY not in terminal.raw
    stored = home.root / "config" / "dexter" / ".env"
    assert stored.read_text() == f"ANTHROPIC_API_KEY={KEY}\n"
    assert stored.stat().st_mode & 0o777 == 0o600
    assert "Key of anthropic: set" in home.dexter("config").stdout


def test_a_key_can_be_piped_in(home: Home):
    """Without a terminal the key is the first line of standard input; nothing waits."""
    done = home.dexter("config", "set-key", "exa", stdin=KEY.encode() + b"\n")
    assert done.returncode == 0
    assert KEY not in done.stdout + done.stderr
    assert home.dexter("config", "set-key", "exa").returncode == 2


def test_a_folder_is_trusted_until_its_file_changes(home: Home):
    """`config trust` lifts the error for this text in this folder only."""
    local = home.work / "config.toml"
    local.write_text('[sec]\ndata_url = "http://127.0.0.1:1"\n')
    assert home.dexter("config").returncode == 2
    assert home.dexter("config", "trust").returncode == 0
    assert "http://127.0.0.1:1" in home.dexter("config").stdout
    local.write_text(local.read_text() + "# edited\n")
    assert home.dexter("config").returncode == 2


def test_a_tool_runs_without_a_model(home: Home):
    """The table for people, the whole result as JSON, the figures as CSV."""
    arguments = ["tool", "get_financials", "--args", '{"tickers": ["NVDA"], "concepts": ["Revenues"], "limit": 1}']
    assert "215,938" in home.dexter(*arguments).stdout
    found = json.loads(home.dexter(*arguments, "--json").stdout)
    assert found["cells"][0]["value"] == "215938000000"
    [row] = csv.DictReader(io.StringIO(home.dexter(*arguments, "--csv").stdout))
    assert (row["ticker"], row["concept"], row["value"], row["unit"]) == ("NVDA", "Revenues", "215938000000", "USD")
    assert row["accession"]
    assert home.scratchpads() == []


def test_arguments_of_a_tool_are_words_or_json(home: Home):
    """`KEY=VALUE` says the same as `--args`; what it is not is said with what the tool takes, status 2."""
    as_json = home.dexter("tool", "get_financials", "--args", '{"tickers": ["NVDA", "AMD"], "limit": 1}')
    as_words = home.dexter("tool", "get_financials", "tickers=NVDA,AMD", "limit=1")
    assert as_words.stdout == as_json.stdout != ""
    wrong = home.dexter("tool", "get_financials", "ticker=NVDA")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "It takes: tickers" in wrong.stderr


def test_a_tool_that_needs_a_network_says_so_offline(home: Home):
    """Not "there is no such tool": it is left out, and why. The names are those that really differ."""

    def names(**environ: str) -> set[str]:
        return {tool["name"] for tool in json.loads(home.dexter("tools", "--json", environ=environ).stdout)}

    assert names() - names(DEXTER_OFFLINE="true") == set(NEED_A_NETWORK)
    refused = home.dexter("tool", "--offline", "web_fetch", "url=https://example.com")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "needs a network" in refused.stderr


def test_a_tool_that_finds_nothing_is_a_failure(home: Home):
    """For scripts: status 1, the reason on stdout as the tool gave it."""
    done = home.dexter("tool", "get_financials", "--args", '{"tickers": ["ZZZZQ"]}')
    assert done.returncode == 1
    assert "ZZZZQ" in done.stdout + done.stderr


def test_tools_are_listed_with_their_arguments(home: Home):
    """Names, flags, arguments; --json gives the very schemas a model gets."""
    shown = home.dexter("tools").stdout
    assert re.search(r"^get_financials  \(concurrent, clearable\)$", shown, re.MULTILINE)
    assert "tickers: [string]" in shown
    schemas = {tool["name"]: tool for tool in json.loads(home.dexter("tools", "--json").stdout)}
    assert schemas["get_financials"]["parameters"]["properties"]["tickers"]["type"] == "array"
    assert schemas["get_financials"]["clearable"] is True


def test_runs_are_listed_newest_first(home: Home):
    """Question, model, turns, tokens, cost, ending; whole in a pipe, and as JSON."""
    assert "no run" in home.dexter("runs").stderr
    home.dexter("ask", "--offline", "-q", "NVDA revenue")
    home.dexter("ask", "--offline", "-q", "AMD revenue")
    shown = home.dexter("runs").stdout
    assert re.search(r"NVDA revenue +offline +\d+ +\S+ +\$0 +\d\S* kB +answered", shown)
    found = json.loads(home.dexter("runs", "--json", "-n", "1").stdout)
    assert len(found) == 1
    assert found[0]["status"] == "answered"
    assert {run["question"] for run in json.loads(home.dexter("runs", "--json").stdout)} == {
        "NVDA revenue",
        "AMD revenue",
    }


def test_an_answered_run_is_not_resumed(home: Home):
    """There is nothing to go on with, and it is said how to see the answer."""
    home.dexter("ask", "--offline", "-q", "NVDA revenue")
    assert "can be resumed" in home.dexter("resume").stderr
    done = home.dexter("resume", "last")
    assert done.returncode == 2
    assert "answered already" in done.stderr
