"""Where texts write a number: every place, at any scale, and no other."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dexter.figures.find import find_numbers
from dexter.figures.number_index import NumberIndex

WRITTEN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
TEXTS = st.lists(st.text(alphabet="0123456789.,  abc%é亿\n", max_size=1200), min_size=1, max_size=3)


@given(TEXTS, st.integers(10, 999))
def test_every_place_of_a_number_is_found(texts: list[str], millions: int) -> None:
    """Wherever the very digits stand as a number of their own, whatever is around them and however long the text."""
    number = find_numbers(f"${millions} million")[0]
    places = set(NumberIndex(texts).places(number, 1_000))
    expected = {
        (at, match.start())
        for at, text in enumerate(texts)
        for match in WRITTEN.finditer(text)
        if match[0] == str(millions)
    }
    assert expected <= places


@given(TEXTS, st.integers(10, 999))
def test_nothing_else_is_found(texts: list[str], millions: int) -> None:
    """A place begins a number that is this one, rounded to its digits, at some power of ten."""
    number = find_numbers(f"${millions} million")[0]
    for at, place in NumberIndex(texts).places(number, 1_000):
        match = WRITTEN.match(texts[at], place)
        assert match
        sizes = [float(match[0].replace(",", "")) * 10.0**power for power in range(15)]
        assert any(abs(size - millions * 1e6) <= 0.51e6 for size in sizes)


@given(TEXTS, st.integers(10, 999), st.integers(1, 3))
def test_no_text_gives_more_than_asked_for(texts: list[str], millions: int, most: int) -> None:
    """At most so many places of each text, whatever the others have: the first of each that it has at all."""
    number = find_numbers(f"${millions} million")[0]
    index = NumberIndex(texts)
    every, some = list(index.places(number, 10_000)), list(index.places(number, most))
    for at in range(len(texts)):
        there = [place for place in every if place[0] == at]
        assert [place for place in some if place[0] == at] == there[:most]
