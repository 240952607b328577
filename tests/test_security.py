"""docs/security.md and docs/privacy.md name only tests that are there, and leave no line without one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECURITY = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
PRIVACY = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w./-]+(?:::\w+)?)`", SECURITY + PRIVACY)))


@pytest.mark.parametrize("name", NAMED)
def test_every_test_that_is_named_exists(name: str) -> None:
    """A threat whose proof was renamed or removed is found."""
    file, _, function = name.partition("::")
    text = (ROOT / file).read_text(encoding="utf-8")
    assert f"def {function}(" in text if function else "def test_" in text


def test_every_threat_has_its_test() -> None:
    """Each row of the table names at least one."""
    heads = ("| threat", "| ---")
    rows = [line for line in SECURITY.splitlines() if line.startswith("| ") and not line.startswith(heads)]
    assert len(rows) > 20
    assert [row for row in rows if "`tests/" not in row] == []


def test_the_numbers_of_the_page_are_those_of_the_tests() -> None:
    """How many escapes, orders, ways out and spellings there are is counted."""
    from tests.app.test_injections import INJECTIONS
    from tests.config.test_trust import CONFIGS, DOTENVS
    from tests.support.escapes import ESCAPES
    from tests.tools.test_escapes import ESCAPES as WAYS_OUT

    for number, what in (
        (len(INJECTIONS), "orders in pages and filings"),
        (len(WAYS_OUT), "ways out"),
        (len(CONFIGS) + len(DOTENVS), "spellings"),
        (len(set(ESCAPES)), "tricks"),
    ):
        assert f"{number} {what}" in SECURITY
