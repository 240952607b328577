"""The given filings, and what a person who read them expects of their items."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.shared import shared

_EXPECTED = Path(__file__).parents[1] / "data" / "filings" / "expected_items.json"


@dataclass(frozen=True)
class ExpectedItem:
    """First and last sentence of an item (their first and last 160 characters) as read in the filing itself.

    `by_contents`: the item has no heading in the body; only the link of the table of contents says where it begins.
    """

    part: str
    number: str
    status: str
    first: str
    last: str
    by_contents: bool = False


@dataclass(frozen=True)
class ExpectedFiling:
    """A given filing by file name, its form, and its items."""

    name: str
    form: str
    items: tuple[ExpectedItem, ...]


def expected_filings() -> tuple[ExpectedFiling, ...]:
    """All given filings."""
    table = json.loads(_EXPECTED.read_text(encoding="utf-8"))
    return tuple(
        ExpectedFiling(name, entry["form"], tuple(ExpectedItem(**item) for item in entry["items"]))
        for name, entry in table.items()
    )


@cache
def given(name: str) -> bytes:
    """A given filing, unpacked."""
    content = shared(f"data/sec/filings/{name}").read_bytes()
    return gzip.decompress(content) if name.endswith(".gz") else content


def letters(text: str) -> str:
    """The letters and digits of a text: what is left when layout, quotes and table lines are set aside."""
    return re.sub(r"[^a-z0-9]+", "", text.lower())
