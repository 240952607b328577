"""Rules go out with every request, so there is a limit to them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dexter.config.project import RULES, Project
from dexter.errors import SettingsError
from dexter.memory.rules import read_rules, rules_text


def test_rules_that_would_fill_the_window_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    """What fits is read as it stands; a file of megabytes is refused before any request is made."""
    project = Project(tmp_path / "work" / ".dexter", tmp_path / "trusted.json")
    (tmp_path / RULES).write_text("Always name the filing.\n")
    assert rules_text(read_rules(tmp_path, project)) == "Always name the filing."
    (tmp_path / RULES).write_text("x" * 5_000_000)
    with pytest.raises(SettingsError, match="5,000,000 bytes") as refused:
        read_rules(tmp_path, project)
    assert "skill" in refused.value.remedy
