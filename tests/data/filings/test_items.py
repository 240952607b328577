"""The items of the given filings, and of hundreds of variants of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dexter.data.filings.document import read_document
from dexter.data.filings.items import Items, read_items
from tests.support.filing_variants import plain_text, variant, without_heading
from tests.support.filings import ExpectedFiling, expected_filings, given, letters

FILINGS = expected_filings()
BY_NAME = {filing.name: filing for filing in FILINGS}
QUICK = 5  # seeds a filing in the default suite
LONG = 32


def problems(found: Items, filing: ExpectedFiling, *, statuses: bool = True) -> list[str]:
    """What differs from the expected first and last sentences, as lines a person can read."""
    items = {item.key: item for item in found.items}
    lines = []
    for expected in filing.items:
        item = items.get((expected.part, expected.number))
        if item is None:
            lines.append(f"{expected.part} {expected.number}: not found")
            continue
        text = letters(item.text)
        if not text.startswith(letters(expected.first)):
            lines.append(f"{item.name}: starts {item.text[:90]!r}, not {expected.first[:90]!r}")
        if not text.endswith(letters(expected.last)):
            lines.append(f"{item.name}: ends {item.text[-90:]!r}, not {expected.last[-90:]!r}")
        if statuses and item.status != expected.status:
            lines.append(f"{item.name}: is {item.status}, not {expected.status}")
    return lines


@pytest.mark.parametrize("filing", FILINGS, ids=lambda filing: filing.name)
def test_given_filings(filing: ExpectedFiling) -> None:
    """Each item of the given filings has the first and last sentence a reader finds, and says what it is not."""
    found = read_items(read_document(given(filing.name)), filing.form)
    assert problems(found, filing) == []


@pytest.mark.parametrize("filing", FILINGS, ids=lambda filing: filing.name)
@pytest.mark.parametrize("seed", range(QUICK))
def test_variants(filing: ExpectedFiling, seed: int) -> None:
    """Headings in other letters, tables, entities, another order: the same first and last sentences."""
    check_variant(filing, seed)


@pytest.mark.long
@pytest.mark.parametrize("filing", FILINGS, ids=lambda filing: filing.name)
@pytest.mark.parametrize("seed", range(QUICK, LONG))
def test_more_variants(filing: ExpectedFiling, seed: int) -> None:
    """The long form: with the ones above, 256 variants."""
    check_variant(filing, seed)


def check_variant(filing: ExpectedFiling, seed: int) -> None:
    """One variant against what is expected of the filing."""
    content, done = variant(given(filing.name), seed)
    found = read_items(read_document(content), filing.form)
    if "without_contents" in done:
        filing = without_contents(filing)
    assert problems(found, filing) == [], done


def without_contents(filing: ExpectedFiling) -> ExpectedFiling:
    """What is expected of a filing whose table of contents is gone: an item found through it only is missing."""
    items = (replace(i, status="missing", first="", last="") if i.by_contents else i for i in filing.items)
    return replace(filing, items=tuple(items))


@pytest.mark.parametrize(
    ("name", "part", "number", "before"),
    [
        ("nvda-10-k-2025-02-26.html.gz", "I", "1A", "1"),
        ("aapl-10-k-2024-11-01.html.gz", "II", "7", "6"),
        ("tsla-10-k-2025-01-30.html.gz", "II", "9A", "9"),
        ("nvda-10-q-2025-08-27.html.gz", "II", "1A", "1"),
    ],
)
def test_missing_headings(name: str, part: str, number: str, before: str) -> None:
    """Without its heading an item is found by the link of the contents, and without that it is said to be missing."""
    filing = BY_NAME[name]
    linked = read_items(read_document(without_heading(given(name), part, number, links=True)), filing.form)
    assert problems(linked, filing) == []
    found = read_items(read_document(without_heading(given(name), part, number, links=False)), filing.form)
    missing = next(item for item in found.items if item.key == (part, number))
    assert (missing.status, missing.text) == ("missing", "")
    assert "table of contents lists it" in missing.note
    others = replace(filing, items=tuple(i for i in filing.items if i.number not in (number, before)))
    assert problems(found, others) == []


@pytest.mark.parametrize("filing", FILINGS, ids=lambda filing: filing.name)
def test_plain_text(filing: ExpectedFiling) -> None:
    """As the plain text of the nineties, in the SEC's wrapper, a filing has the same first and last sentences."""
    found = read_items(read_document(plain_text(given(filing.name), filing.form)), "")
    assert problems(found, without_contents(filing)) == []
