"""What the comparison of filings calls the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.filings_beside_edgartools import agree, differences, form_of


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Item 7. Revenue rose.", "Item 7.\n\n|Revenue|rose|", True),
        ("None.", "Not applicable. " * 40, False),
        ("one two three four five six " * 5, "one two three four five six " * 2, False),
        ("a b c d e f g h i j", "a b c d e f g h i", True),
    ],
)
def test_texts_agree_in_words_whatever_their_layout(one: str, other: str, *, same: bool) -> None:
    """Nine in ten words of the shorter, and neither has twice the words of the other."""
    assert agree(one, other) is agree(other, one) is same


def test_differences_are_named_with_their_lengths() -> None:
    """Only here, only there, other words; what agrees is not named."""
    here = {"part_i_item_1": "the same words", "part_i_item_2": "one text", "part_ii_item_6": "mine"}
    there = {"part_i_item_1": "the  same\nwords", "part_i_item_2": "other words here", "part_ii_item_7": "theirs"}
    assert list(differences(here, there)) == [
        "part_i_item_2: 8 characters here, 16 there",
        "part_ii_item_6: only here, 4 characters",
        "part_ii_item_7: only there, 6 characters",
    ]


@pytest.mark.parametrize(("name", "form"), [("nflx-10-q-2025.html.gz", "10-Q"), ("ibm-10-K.html", "10-K")])
def test_the_form_is_read_from_the_name(name: str, form: str) -> None:
    """As the files of the SEC are named here."""
    assert form_of(Path(name)) == form
