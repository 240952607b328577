"""Pages of long text, and lines that match a pattern."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.errors import ToolError
from dexter.tools.pages import matching_lines, page


@given(st.text(min_size=1, max_size=200), st.integers(1, 50))
def test_following_the_offsets_gives_the_whole_text(text: str, limit: int) -> None:
    """A reader who continues where each page says sees every character once."""
    read, offset = "", 0
    while True:
        shown = page(text, offset, limit)
        if offset == 0 and limit >= len(text):
            read = shown
            break
        head, body = shown.split("\n", 1)
        read += body
        onward = re.search(r"continue at offset (\d+)", head)
        if onward is None:
            break
        offset = int(onward[1])
    assert read == text


def test_an_offset_beyond_the_end_is_said() -> None:
    """The model learns how long the text is."""
    with pytest.raises(ToolError, match="12 characters"):
        page("twelve chars", 12, 10)


@given(st.lists(st.text("ab\r\x85\u2028x", max_size=12), max_size=20))
def test_each_matching_line_is_given_with_the_offset_of_its_match(lines: list[str]) -> None:
    """Only line feeds end a line; the offset points at the match."""
    text = "\n".join(lines)
    shown = matching_lines(text, "x", 10_000)
    offsets = [int(m) for m in re.findall(r"(?m)^@(\d+): ", shown)]
    assert len(offsets) == sum("x" in line for line in lines)
    assert all(text[offset] == "x" for offset in offsets)


def test_a_long_line_is_cut_around_its_match() -> None:
    """One line of a megabyte does not come back whole."""
    shown = matching_lines("a" * 500_000 + "NEEDLE" + "b" * 500_000, "needle", 20_000)
    assert "NEEDLE" in shown
    assert len(shown) < 1_000


@pytest.mark.parametrize("pattern", ["(", "[", "(?P<a>", "*"])
def test_a_broken_pattern_is_a_sentence(pattern: str) -> None:
    """The model can mend its pattern."""
    with pytest.raises(ToolError, match="not a regular expression"):
        matching_lines("text", pattern, 100)


def test_a_pattern_that_runs_away_is_stopped() -> None:
    """Catastrophic backtracking ends after two seconds instead of never."""
    with pytest.raises(ToolError, match="too long"):
        matching_lines("a" * 40 + "!", r"(a|aa)+$(?<!a)\1", 100)


def test_a_pattern_that_is_slow_on_many_lines_is_stopped() -> None:
    """Two seconds are for all lines together, not for each of a thousand."""
    with pytest.raises(ToolError, match="too long"):
        matching_lines(("a" * 27 + "!\n") * 1_000, r"(a|aa)+$(?<!a)\1", 1_000)


def test_every_match_is_reached_by_going_on_with_the_offset():
    """What did not fit is one more call away, until all lines were given, each once."""
    text = "".join(f"line {number} has x\n" for number in range(700))
    given, offset = [], 0
    for _ in range(20):
        shown = matching_lines(text, "x", 5_000, offset).split("\n")
        given += [line.split(": ", 1)[1] for line in shown if line.startswith("@")]
        onward = re.search(r"go on with offset (\d+)", shown[-1])
        if onward is None:
            break
        offset = int(onward[1])
    assert given == text.strip().split("\n")
