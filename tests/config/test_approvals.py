"""What is allowed for always is private, can be taken back, and never comes from a damaged file."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from dexter.config.approvals import allow_always, allowed_always, revoke


def test_allowed_and_revoked(tmp_path: Path) -> None:
    """In order, each once, readable by the user alone; gone when revoked."""
    store = tmp_path / "data" / "approvals.json"
    assert allowed_always(store) == ()
    for allowed in (("write_file", "/r"), ("web_fetch", "example.com"), ("write_file", "/r")):
        allow_always(store, allowed)
    assert allowed_always(store) == (("write_file", "/r"), ("web_fetch", "example.com"))
    assert stat.S_IMODE(store.stat().st_mode) == 0o600
    revoke(store, ("write_file", "/r"))
    assert allowed_always(store) == (("web_fetch", "example.com"),)


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "7", '{"tool": "write_file", "what": "/"}', '["write_file"]', '[{"tool": "w"}]', "[" * 100_000],
)
def test_a_damaged_store_allows_nothing(tmp_path: Path, text: str) -> None:
    """Whatever stands there, it is no grant."""
    store = tmp_path / "approvals.json"
    store.write_text(text, encoding="utf-8")
    assert allowed_always(store) == ()
