"""What a shell is told behind an option or a command, as its completion asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.program import Home, make_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = make_home(tmp_path)
    made.runs.mkdir(parents=True)
    (made.runs / "2026-11-30-170945_903448abce74.jsonl").write_text("")
    return made


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("dexter ev", ["eval"]),
        ("dexter ask --pol", ["--policy"]),
        ("dexter ask --policy ", ["dexter", "lean", "four-level", "none"]),
        ("dexter replay last --policy f", ["four-level"]),
        ("dexter replay ", ["last", "2026-11-30-170945_903448abce74"]),
        ("dexter resume 2026", ["2026-11-30-170945_903448abce74"]),
        ("dexter config set-key anth", ["anthropic"]),
    ],
)
def test_names_that_dexter_knows_are_completed(home: Home, line: str, expected: list[str]) -> None:
    """Commands, options, policies, runs and providers; nothing but the names is printed."""
    words = line.split()
    at = len(words) if line.endswith(" ") else len(words) - 1
    asked = {"_DEXTER_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(at)}
    done = home.dexter(environ=asked)
    assert (done.stdout.split(), done.stderr) == (expected, "")


def test_a_folder_that_cannot_be_read_completes_nothing(home: Home) -> None:
    """Settings that are wrong are told by a command, not while one is typed."""
    (home.work / "config.toml").write_text("model = ")
    asked = {"_DEXTER_COMPLETE": "complete_bash", "COMP_WORDS": "dexter replay ", "COMP_CWORD": "2"}
    assert home.dexter(environ=asked).stdout.split() == ["last"]
