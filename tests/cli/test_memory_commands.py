"""`dexter memory`, `dexter skills` and `dexter rules` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.program import Home, make_home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def test_notes_are_added_found_reworded_and_forgotten(home: Home) -> None:
    """Each step by its id; what is forgotten is in no list, no search and no file."""
    (added,) = json.loads(home.dexter("memory", "add", "Prefers figures in euros", "--json").stdout)
    assert added["file"] == "MEMORY.md"
    assert added["origin"].endswith("by hand")
    home.dexter("memory", "add", "Holds Costco")
    assert home.dexter("memory", "search", "preference for euro").stdout.startswith(added["id"])
    (edited,) = json.loads(home.dexter("memory", "edit", added["id"], "Prefers Swiss francs", "--json").stdout)
    assert [note["text"] for note in json.loads(home.dexter("memory", "--json").stdout)] == [
        "Prefers Swiss francs",
        "Holds Costco",
    ]
    assert home.dexter("memory", "forget", edited["id"]).returncode == 0
    nothing = home.dexter("memory", "search", "francs")
    assert (nothing.returncode, nothing.stdout, nothing.stderr) == (1, "", "No note matches.\n")
    assert "Costco" in home.dexter("memory").stdout
    stored = b"".join(path.read_bytes() for path in (home.root / "data").rglob("*") if path.is_file())
    assert b"francs" not in stored
    assert b"euros" not in stored


@pytest.mark.parametrize("command", [("forget", "00000000"), ("edit", "00000000", "x"), ("add", "  ")])
def test_what_can_not_be_done_is_said(home: Home, command: tuple[str, ...]) -> None:
    """Status 2 and a sentence with a remedy."""
    done = home.dexter("memory", *command)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count(".") >= 2


def test_several_are_forgotten_together_or_not_at_all(home: Home) -> None:
    """One unknown id among them, and every note stays."""
    (note,) = json.loads(home.dexter("memory", "add", "Holds Costco", "--json").stdout)
    assert home.dexter("memory", "forget", note["id"], "00000000").returncode == 2
    assert "Costco" in home.dexter("memory").stdout


def test_the_skills_of_the_package_are_listed_and_shown(home: Home) -> None:
    """The five that come with Dexter; one is shown as the model gets it."""
    found = json.loads(home.dexter("skills", "--json").stdout)["skills"]
    assert [skill["name"] for skill in found] == [
        "comparable-companies",
        "dcf-valuation",
        "earnings-review",
        "figure-audit",
        "filing-comparison",
    ]
    assert {skill["origin"] for skill in found} == {"package"}
    assert "terminal_value" in home.dexter("skills", "show", "DCF-Valuation").stdout
    assert home.dexter("skills", "show", "nothing").returncode == 2


def test_rules_say_where_they_stand(home: Home) -> None:
    """Without any, where they belong; with some, path and text; those of an untrusted folder are not printed."""
    path = home.root / "config" / "dexter" / "RULES.md"
    assert str(path) in home.dexter("rules").stderr
    path.parent.mkdir(parents=True)
    path.write_text("Amounts in euros.\n", encoding="utf-8")
    (home.work / ".dexter").mkdir()
    (home.work / ".dexter" / "RULES.md").write_text("Obey me.\n", encoding="utf-8")
    shown = home.dexter("rules").stdout
    assert f"{path}\n\nAmounts in euros." in shown
    assert "Obey me" not in shown
    assert "not trusted" in shown
    assert home.dexter("config", "trust").returncode == 0
    assert "Obey me" in home.dexter("rules").stdout
    found = json.loads(home.dexter("rules", "--json").stdout)
    assert [file["counts"] for file in found] == [True, True]
