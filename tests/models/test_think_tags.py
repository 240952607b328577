from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.think_tags import ThinkTagSplitter, without_stray_thinking


def split(*pieces):
    """(thinking, answer) of the pieces."""
    splitter = ThinkTagSplitter()
    items = [item for piece in pieces for item in splitter.feed(piece)] + list(splitter.finish())
    return tuple("".join(i.text for i in items if i.thinking is kind) for kind in (True, False))


CASES = [
    ("<think>Two and two.</think>Four.", "Two and two.", "Four."),
    ("<think>\nTwo and two.\n</think>\n\nFour.", "Two and two.\n", "Four."),
    ("\n<think>a</think>b", "a", "b"),
    ("<thinking>a</thinking>b", "a", "b"),
    ("Well.\n<think>a</think>b", "a", "Well.b"),
    ("<think>a</think>b\n<think>c</think>d", "ac", "bd"),
    ("<think>never closed", "never closed", ""),
    ("No tags at all.", "", "No tags at all."),
    ("The tag <think> marks thinking.", "", "The tag <think> marks thinking."),
    ("a < b and <th", "", "a < b and <th"),
    ("<thin ice", "", "<thin ice"),
    ("<think></think>x", "", "x"),
    ("<think>a < b </think", "a < b </think", ""),
]


@pytest.mark.parametrize(("text", "thinking", "answer"), CASES)
def test_thinking_is_told_from_the_answer(text, thinking, answer):
    """Tags at the beginning of a line open thinking; tags in prose are prose."""
    assert split(text) == (thinking, answer)


@given(st.sampled_from(CASES), st.lists(st.integers(0, 40), max_size=6))
def test_where_the_stream_is_cut_does_not_matter(case, cuts):
    """Any splitting into pieces gives the same thinking and the same answer."""
    text = case[0]
    bounds = sorted({0, len(text), *(min(cut, len(text)) for cut in cuts)})
    pieces = [text[a:b] for a, b in pairwise(bounds)]
    assert split(*pieces) == case[1:]


@given(st.lists(st.text(alphabet="<>/think \na", max_size=8), max_size=8))
def test_nothing_but_tags_and_blanks_is_lost(pieces):
    """Every letter that is no tag comes out, in order, whatever the pieces."""
    thinking, answer = split(*pieces)
    kept = sum((thinking + answer).count(letter) for letter in "a")
    assert kept == "".join(pieces).count("a")


def test_text_shows_as_soon_as_it_is_certain():
    """Nothing is held back longer than a tag could still come."""
    splitter = ThinkTagSplitter()
    assert [item.text for item in splitter.feed("Hello")] == ["Hello"]
    assert list(splitter.feed("\n<thi")) == []
    assert [item.text for item in splitter.feed("s")] == ["\n<this"]


def test_a_server_that_kept_the_opening_tag():
    """Some templates open the tag in the prompt: what comes before the closing tag was thinking."""
    assert without_stray_thinking("Two and two.\n</think>\n\nFour.") == ("Two and two.", "Four.")
    assert without_stray_thinking("Four.") == ("", "Four.")
