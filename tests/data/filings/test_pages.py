"""Pages of long sections."""

from __future__ import annotations

from hypothesis import given as each
from hypothesis import strategies as st

from dexter.data.filings.pages import cut_page


@each(st.text(alphabet="ab \n", max_size=400), st.integers(1, 60))
def test_pages_meet(text: str, limit: int) -> None:
    """Read one after the other, pages are the text, none is longer than asked for, and the last says so."""
    read, offset = "", 0
    while offset < len(text):
        page = cut_page(text, offset, limit)
        assert 0 < len(page.text) <= limit
        read, offset = read + page.text, page.end
    assert read == text


def test_pages_end_with_a_paragraph() -> None:
    """A page ends where a paragraph, a line or at least a word does, and says how to go on."""
    text = "word " * 15 + "\n\n" + "word " * 20
    page = cut_page(text, 0, 90)
    assert page.text == "word " * 15 + "\n\n"
    assert page.where == f"[characters 0–77 of {len(text)}; continue at offset 77]"
    assert cut_page(text, 77, 52).text == "word " * 10
    assert cut_page(text, 77, 1000).where == f"[characters 77–{len(text)} of {len(text)}; this is the end]"
    assert cut_page("short", 0, 100).where == ""
    assert cut_page(text, 10_000, 100).text == ""
