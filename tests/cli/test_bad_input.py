from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.program import Home, make_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "stdin", "status", "says"),
    [
        (["ask"], b"", 2, "empty"),
        (["ask", "   "], None, 2, "empty"),
        (["ask"], b"\xff\xfe\x00binary", 2, "UTF-8"),
        (["ask"], b"NVDA\x00revenue", 2, "binary"),
        (["ask"], b"NVDA revenue " * 80_000, 2, "tokens"),
        (["ask"], b"x" * 8_000_001, 2, "8,000,000 bytes"),
        (["ask", "--no-such-option", "x"], None, 2, "--no-such-option"),
        (["ask", "--max-turns", "0", "x"], None, 2, "--max-turns"),
        (["ask", "--max-turns", "many", "x"], None, 2, "--max-turns"),
        (["ask", "--budget-usd", "cheap", "x"], None, 2, "--budget-usd"),
        (["ask", "--as-of", "yesterday", "x"], None, 2, "a day like 2026-01-31"),
        (["ask", "--window", "100", "x"], None, 2, "16,000"),
        (["ask", "--policy", "nope", "x"], None, 2, "nope"),
        (["ask", "--model", "no-such-model", "x"], None, 2, "no-such-model"),
        (["ask", "--model", "claude-opus-5-5", "x"], None, 2, "dexter config set-key anthropic"),
        (["ask", "--config", "absent.toml", "x"], None, 2, "absent.toml"),
        (["ask", "--json", "--events", "x"], None, 2, "--json"),
        (["ask", "--output", "absent/answer.md", "x"], None, 2, "absent"),
        (["ask", "--output", ".", "x"], None, 2, "folder"),
        (["resume", "nope"], None, 2, "nope"),
        (["resume", "last"], None, 2, "no run"),
        (["tool", "get_finacials"], None, 2, "get_financials"),
        (["tool", "get_financials", "--args", "{"], None, 2, "JSON"),
        (["tool", "get_financials", "--args", "[1]"], None, 2, "object"),
        (["tool", "get_financials", "--args", "{}"], None, 2, "tickers"),
        (["compare", "NVDA", "vs", "AMD"], None, 2, "dexter ask"),
        (["what", "is", "NVDA", "revenue"], None, 2, "dexter ask"),
        (["aks", "NVDA revenue"], None, 2, "Did you mean 'ask'"),
        (["ask", "--model", "sonet", "x"], None, 2, "Did you mean sonnet?"),
        (["ask", "--model", "claud-sonnet-5-5", "x"], None, 2, "Did you mean claude-sonnet-5-5?"),
        (["ask", "--model", "zzz", "x"], None, 2, "OPENAI_BASE_URL"),
        (["ask", "--model", "nobody/model", "x"], None, 2, "Export NOBODY_API_KEY"),
        (["batch", "absent.txt"], None, 2, "a question or ticker a line"),
        (["tool", "get_financials", "--json", "--csv"], None, 2, "--csv"),
        (["no-such-command"], None, 2, "no-such-command"),
        ([""], None, 2, "No such command"),
        (["config", "set-key", "nobody"], b"abc-0123456789", 2, "anthropic"),
        (["config", "set-key", "anthropic"], b"your-api-key\n", 2, "not a key"),
        (["config", "trust"], None, 2, "Nothing needs trust"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else None,
)
def test_bad_input_is_a_sentence(home: Home, arguments: list[str], stdin: bytes | None, status: int, says: str):
    """What is wrong and how to mend it on stderr, the right status, no traceback, nothing on stdout."""
    done = home.dexter(*arguments, stdin=stdin)
    assert done.returncode == status, done.stderr
    assert says in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert home.scratchpads() == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("model = \n", "line 1"),
        ("max_turn = 3\n", "max_turns"),
        ('\n[sec]\ndata_url = "http://x"\n', "dexter config trust"),
    ],
)
def test_a_faulty_config_file_is_named(home: Home, text: str, says: str):
    """Broken TOML, an unknown setting, an endpoint in the current folder: status 2, file and line."""
    (home.work / "config.toml").write_text(text)
    done = home.dexter("ask", "--offline", "NVDA revenue")
    assert done.returncode == 2
    assert "config.toml" in done.stderr
    assert says in done.stderr


def test_json_has_the_error_too(home: Home):
    """With --json a script finds the error in the object, a person on stderr."""
    done = home.dexter("ask", "--json", "--policy", "nope", "x")
    found = json.loads(done.stdout)
    assert (done.returncode, found["exit_status"], found["answer"]) == (2, 2, None)
    assert "nope" in found["error"]["message"]
    assert "nope" in done.stderr


def test_debug_shows_the_traceback(home: Home):
    """--debug adds where an error was raised; behind `--` it is part of the question."""
    assert "Traceback" in home.dexter("ask", "--debug", "--policy", "nope", "x").stderr
    assert "Traceback" not in home.dexter("ask", "--policy", "nope", "--", "--debug").stderr


def test_an_unknown_company_is_said_to_be_unknown(home: Home):
    """The answer says what there is instead; nothing is made up."""
    done = home.dexter("ask", "--offline", "-q", "revenue of ZZZZQ")
    assert done.returncode in (0, 3)
    assert "NVDA" in done.stdout
    assert "USD" not in done.stdout


def test_a_folder_that_cannot_be_made_is_named(home: Home):
    """Runs below a file: one sentence with the path, status 1."""
    (home.work / "blocked").write_text("")
    done = home.dexter("ask", "--offline", "NVDA revenue", environ={"DEXTER_PATHS__SCRATCHPADS": "blocked/runs"})
    assert done.returncode == 1
    assert "blocked/runs" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_named(home: Home):
    """Runs in a folder one may not write to: one sentence with the path, status 1."""
    folder = home.work / "scratchpads"
    folder.mkdir(mode=0o500)
    done = home.dexter("ask", "--offline", "NVDA revenue")
    assert done.returncode == 1
    assert str(folder) in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_behind_standard_output_is_said(home: Home):
    """An answer that can't be written is an error, not silence; the record has it."""
    with Path("/dev/full").open("w") as full:
        done = home.start([*_dexter("ask", "--offline", "-q", "NVDA revenue")], stdout=full.fileno())
        _, errors = done.communicate(timeout=60)
    assert done.returncode == 1
    assert b"No space left" in errors
    assert b"Traceback" not in errors
    assert '"answer"' in home.scratchpads()[0].read_text()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "--offline", "-q", "--json", "NVDA revenue"],
        ["tool", "calculate", "--args", '{"expressions": [{"name": "a", "expression": "1/3"}]}'],
        ["tools"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_a_full_disk_behind_any_listing_is_no_fault_of_ours(home: Home, arguments: list[str]):
    """Whatever is printed: what went wrong, status 1, and no talk of a fault in the program."""
    with Path("/dev/full").open("w") as full:
        _, errors = home.start(_dexter(*arguments), stdout=full.fileno()).communicate(timeout=60)
    assert b"The output can't be written: No space left on device." in errors
    assert b"fault" not in errors
    assert b"Traceback" not in errors


def _can_mount() -> bool:
    return os.geteuid() == 0 and shutil.which("mount") is not None


@pytest.mark.skipif(not _can_mount(), reason="needs root to mount a small file system")
def test_a_full_disk_behind_the_runs_stops_the_run(home: Home):
    """A run whose record can't grow stops with status 1, says why, and shows what it found."""
    folder = home.work / "scratchpads"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24k", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"mounting is not allowed here: {mounted.stderr.decode().strip()}")
    try:
        done = home.dexter("ask", "--offline", "compare NVDA vs AMD")
    finally:
        subprocess.run(["umount", str(folder)], check=True)
    assert done.returncode == 1
    assert "disk is full" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Found until then" in done.stdout


def _dexter(*arguments: str) -> list[str]:
    from tests.support.program import dexter_command

    return dexter_command(*arguments)
