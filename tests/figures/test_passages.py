"""Passages that say a figure, among texts that repeat its number without end."""

from __future__ import annotations

from dataclasses import replace

from dexter.figures.bind import bind, reader_of
from dexter.figures.check import check_answer
from dexter.figures.passages import Passages
from dexter.results import StoredResult

FLOOD = StoredResult(
    1,
    "web_fetch",
    {"url": "https://example.com"},
    "ok",
    "".join(f"Intel's revenue of 2021, item {at}, was $130.5 billion, or $130.50 billion.\n" for at in range(8_000)),
    untrusted=("https://example.com",),
)
FILING = StoredResult(
    2, "read_filings", {"ticker": "NVDA"}, "ok", "NVIDIA's revenue for fiscal year 2025 was $130.5 billion.\n"
)
ANSWER = "NVIDIA's revenue was $130.5 billion in fiscal 2025."


def test_a_page_that_repeats_a_number_hides_no_filing() -> None:
    """What can be trusted is read first; 16,000 sightings elsewhere do not change what is found."""
    [figure] = check_answer(ANSWER, (FLOOD, FILING)).figures
    assert (figure.status, figure.result) == ("found", 2)


def test_a_page_that_repeats_a_number_is_not_read_without_end() -> None:
    """How much is read does not grow with how often a page says a number, in ever other words."""
    found = []
    for repeated in (2_000, 8_000):
        page = replace(FLOOD, text="".join(FLOOD.text.splitlines(keepends=True)[:repeated]))
        reader = reader_of((page,))
        [asked] = bind("Intel's revenue was $130.5 billion in 2021.", reader)
        found.append(list(Passages((page,), reader).saying(asked)))
    assert 0 < len(found[0]) == len(found[1]) < 100
