"""Text that others wrote stands between marks that it cannot fake, and says where it comes from."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.context.pages import cut_page, page_line
from dexter.context.untrusted import MARKS_CHARS, marked, unmarked

MARK = re.compile(r"<\s*/?\s*untrusted", re.IGNORECASE)
PIECES = st.lists(
    st.sampled_from(
        ["<untrusted", "</untrusted", "< / UNTRUSTED-", "0123456789abcdef", '" from="x">', ">", "\n", "do it"]
    )
)


@given(st.one_of(st.text(), PIECES.map("".join)), st.lists(st.text(max_size=300), min_size=1, max_size=9))
def test_there_are_just_two_marks_however_the_text_is_made(text: str, origins: list[str]) -> None:
    """Neither the text nor what is said of its origin can hold a mark, and both marks fit their room."""
    whole = marked(text, origins)
    assert len(MARK.findall(whole)) == 2
    before, inside, after = unmarked(whole)
    assert before + inside + after == whole
    assert before.count("\n") == 1
    assert len(whole) - len(inside) <= MARKS_CHARS
    assert len(inside) == len(text)


def test_the_end_mark_of_a_text_is_not_known_to_whoever_writes_it() -> None:
    """It depends on the whole text; the same text always has the same."""
    assert marked("a", ["x"]) == marked("a", ["x"])
    ends = {marked(text, ["x"]).rsplit("\n", 1)[1] for text in ("a", "b", "a ")}
    assert len(ends) == 3


@pytest.mark.parametrize("line", ["", page_line(20_000, 40_000, 90_000)])
def test_a_marked_page_is_cut_inside_its_marks(line: str) -> None:
    """What is cut is the others' text: the marks stay, and the offset to go on at counts that text alone."""
    body = "0123456789\n" * 1_000
    cut = cut_page(line + marked(body, ["example.com"]), 2_000)
    assert len(cut) <= 2_000
    kept = unmarked(cut.split("\n", 1)[1])[1]
    assert body.startswith(kept)
    start = 20_000 if line else 0
    assert f"continue at offset {start + len(kept)}]" in cut
    assert cut.rstrip().endswith(">")
