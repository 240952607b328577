from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.context.compaction.material import in_parts, largest_share, without_middle
from dexter.results import StoredResult
from dexter.text import estimate_tokens
from tests.support.stage_views import financial_json


def _results(*texts):
    return [StoredResult(i, "t", {}, "ok", text) for i, text in enumerate(texts, 1)]


def test_what_fits_is_one_part():
    """No result is touched."""
    results = _results("a", "b" * 100)
    assert in_parts(results, 5_000, 8) == (tuple(results),)


def test_results_are_packed_in_order():
    """Each part is filled before the next begins."""
    results = _results(*[financial_json(4_000)] * 6)
    parts = in_parts(results, 4_000, 8)
    assert [result.id for part in parts for result in part] == [1, 2, 3, 4, 5, 6]
    assert len(parts) == 3


@given(
    st.lists(st.integers(0, 30_000), max_size=8), st.sampled_from(["7 ", "中文。", "🇩🇪", "\n"]), st.integers(500, 4_000)
)
def test_nothing_is_lost_and_every_part_fits(sizes, unit, room):
    """With parts enough, the pieces put together are the results; none is over the room."""
    results = _results(*[(unit * size)[:size] for size in sizes])
    parts = in_parts(results, room, 10_000)
    for result in results:
        assert "".join(piece.text for part in parts for piece in part if piece.id == result.id) == result.text
    for part in parts:
        assert sum(estimate_tokens(piece.text) for piece in part) <= max(room, 300)


def test_one_line_of_half_a_million_tokens_is_cut_in_pieces():
    """Without a line break anywhere the pieces end where they must."""
    text = "12,345," * 140_000
    parts = in_parts(_results(text), 100_000, 8)
    assert 5 <= len(parts) <= 8
    assert "".join(piece.text for part in parts for piece in part) == text


def test_beyond_the_most_parts_the_largest_lose_their_middle():
    """Small results stay whole; the start and the end of a giant stay, with a note between."""
    small, giant = "small", "START" + "9" * 2_000_000 + "END"
    parts = in_parts(_results(small, giant), 10_000, 2)
    pieces = [piece for part in parts for piece in part]
    assert len(parts) <= 2
    assert pieces[0].text == small
    joined = "".join(piece.text for piece in pieces[1:])
    assert joined.startswith("START")
    assert joined.endswith("END")
    assert "2,000,008 characters" in joined


@pytest.mark.parametrize(
    ("sizes", "room", "share"), [([1, 2, 100], 50, 47), ([100, 100], 100, 50), ([1, 2], 10, 7), ([], 5, 5)]
)
def test_large_ones_share_what_the_small_ones_leave(sizes, room, share):
    """Small results are never shortened for a giant."""
    assert largest_share(sizes, room) == share


@given(st.text(), st.integers(0, 200))
def test_a_text_without_its_middle_has_its_ends(text, limit):
    """At most the limit where the note itself fits it."""
    short = without_middle(text, limit, "…")
    assert short == text or len(short) <= max(limit, 1)
