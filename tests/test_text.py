from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.text import cut, cut_at_line, one_line

# Each of these is one character to a reader.
CHARACTERS = [
    "🇩🇪",
    "👩‍👩‍👧‍👦",
    "👍🏽",
    "e\u0301\u0323",
    "❤\ufe0f",
    "한",
    "\u1112\u1161\u11ab",
    "\r\n",
    "\ud83d\ude00",
    "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
    "a",
    "中",
]


@pytest.mark.parametrize("character", CHARACTERS)
def test_a_character_is_never_cut(character):
    """Flags, joined emoji, marks, jamo, surrogate pairs: whole or not at all, wherever the limit falls."""
    text = "x" + character + "y" * 10
    for limit in range(len(text) + 1):
        assert cut(text, limit) in [text[:1], *(text[:i] for i in range(1 + len(character), len(text) + 1)), ""]
        assert len(cut(text, limit)) <= limit


@given(st.lists(st.sampled_from(CHARACTERS), max_size=40), st.integers(0, 80))
def test_a_cut_is_the_longest_start_of_whole_characters(characters, limit):
    """At most the limit, and a prefix of the text."""
    text = "".join(characters)
    short = cut(text, limit)
    assert text.startswith(short)
    assert len(short) <= limit
    assert short == text or len(short) > limit - 40


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("one\ntwo\nthree", 9, "one\ntwo\n"),
        ("one\ntwo\nthree", 13, "one\ntwo\nthree"),
        ("a\n" + "b" * 100, 50, "a\n" + "b" * 48),
        ("", 5, ""),
        ("abc", 0, ""),
    ],
)
def test_a_line_break_near_the_limit_is_where_it_ends(text, limit, expected):
    """Near is a fifth of the limit; farther away the text is cut where the limit is."""
    assert cut_at_line(text, limit) == expected


def test_a_hundred_marks_on_one_letter_are_one_character():
    """Cut before it, not inside."""
    assert cut("ab" + "\u0301" * 100 + "c", 50) == "a"


def test_one_line_has_no_line_break_of_any_kind():
    """Line feed, carriage return, U+2028, U+2029, U+0085, tabs and form feeds are spaces."""
    assert one_line(" a\r\nb\u2028c\u2029d\u0085e\tf\x0cg ") == "a b c d e f g"
