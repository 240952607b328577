from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.web.search.hits import ShapeError, read_day, read_hits

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["results", "url", "title", "x"]), inner)
    ),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("given_date", "day"),
    [
        ("2025-03-02", "2025-03-02"),
        ("2025-03-02T10:00:00.000Z", "2025-03-02"),
        ("Sun, 02 Mar 2025 10:00:00 GMT", "2025-03-02"),
        ("March 2, 2025", "2025-03-02"),
        ("Mar 2, 2025", "2025-03-02"),
        ("2 March 2025", "2025-03-02"),
        ("3 days ago", ""),
        ("", ""),
        (None, ""),
        (1740873600, ""),
        ([], ""),
        ({"a": 1}, ""),
        ("yesterday, at 9", ""),
    ],
)
def test_a_day_is_read_in_the_forms_vendors_use(given_date: Any, day: str) -> None:
    """What is no day is none: better no date than a wrong one."""
    assert read_day(given_date) == day


@given(JSON)
def test_any_json_gives_hits_or_says_that_it_is_none(answer: Any) -> None:
    """No shape of an answer makes the reader stumble."""
    with contextlib.suppress(ShapeError):
        for hit in read_hits(answer, ("results",), title="title", url="url", snippet=("x",), published=("x",)):
            assert hit.url.startswith("http")
            assert "\n" not in hit.title + hit.snippet
