"""docs/reference.md is what the code says."""

from __future__ import annotations

from docs.generate import PAGE, page


def test_the_reference_is_up_to_date() -> None:
    """Commands, settings, tools, events and exit statuses as they are; `make reference` rewrites the page."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_nothing_in_it_is_without_a_word_of_explanation() -> None:
    """Every option, setting and argument says what it is."""
    rows = [line for line in page().splitlines() if line.startswith("| `")]
    unexplained = [row for row in rows if row.rstrip("| ").endswith(("| ", "`")) and row.count("|") >= 3]
    assert not [row for row in unexplained if row.rsplit("|", 2)[1].strip() == "" and "`context." not in row]
