from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from dexter.ui.words import arguments, counted, cut, ids, money, percent, seconds, short


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0"), (940, "940"), (1000, "1k"), (12_400, "12.4k"), (1_250_000, "1.2M")]
)
def test_sizes_are_short(number: int, text: str):
    """Sizes show about three digits."""
    assert short(number) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.021, "0.02 s"), (4.23, "4.2 s"), (75.4, "75 s"), (185.0, "3 min 5 s"), (9.96, "10.0 s")]
)
def test_durations_are_readable(value: float, text: str):
    """Durations change their unit as they grow."""
    assert seconds(value) == text


@pytest.mark.parametrize(
    ("cost", "text"), [("", "cost n/a"), ("0", "$0"), ("0.0123", "$0.0123"), ("1.5", "$1.50"), ("0.03", "$0.03")]
)
def test_an_unknown_price_is_not_zero(cost: str, text: str):
    """Costs show cents or less; unknown is said to be unknown."""
    assert money(cost) == text


def test_result_ids_are_joined_to_ranges():
    """Neighbours are joined, in order, each once."""
    assert ids([5, 1, 2, 3, 3]) == "#1–#3, #5"
    assert ids([]) == ""


@given(st.sets(st.integers(1, 60)))
def test_no_result_id_is_lost_in_ranges(numbers: set[int]):
    """Expanding the ranges gives the ids back."""
    found: set[int] = set()
    for part in filter(None, ids(numbers).split(", ")):
        first, _, last = part.replace("#", "").partition("–")
        found.update(range(int(first), int(last or first) + 1))
    assert found == numbers


def test_arguments_read_like_options():
    """Lists are joined by commas, everything stands on one line."""
    assert (
        arguments({"tickers": ["NVDA", "AMD"], "limit": 2, "where": {"a": "b\nc"}})
        == "tickers=NVDA,AMD limit=2 where={a=b⏎c}"
    )


@given(st.text(st.characters(exclude_categories=["C"])), st.integers(1, 30))
def test_cut_text_fits(text: str, width: int):
    """Cut to a width, a text never takes more cells, also with wide characters."""
    assert cell_len(cut(text, width)) <= width


def test_small_words():
    """Plurals and shares."""
    assert (counted(1, "result"), counted(2, "result"), percent(1, 3), percent(1, 0)) == (
        "1 result",
        "2 results",
        "33 %",
        "–",
    )
