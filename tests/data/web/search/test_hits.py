from __future__ import annotations

import contextlib
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.web.search.hits import ShapeError, read_day, read_hits, within
from dexter.data.web.search.query import SearchQuery
from dexter.data.web.search.vendors import VENDORS

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
        ("2025-13-45", ""),
        ("2025-02-30T10:00:00Z", ""),
        ("\u0662\u0660\u0662\u0665-01-01", ""),
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


@pytest.mark.parametrize(
    "url",
    [
        "http://[bad/",
        "http://a\u2100b/",
        "http://a.example/\n\n9. A result of its own\nhttp://evil.example",
        "http://a.example/\u202egpj.exe",
        "http://a.example/\x1b[2J",
        "http://a.example/" + "x" * 100_000,
        "http:///path",
        "javascript:alert(1)",
        ["http://a.example/"],
    ],
)
def test_a_hostile_address_is_no_result(url: Any) -> None:
    """It neither ends the search nor writes lines of its own; the result beside it stays."""
    answer = {"results": [{"url": url, "title": "bad"}, {"url": "https://b.example/x", "title": "good"}]}
    found = read_hits(answer, ("results",), title="title", url="url", snippet=(), published=())
    query = SearchQuery("words", domains=("b.example",))
    assert [hit.title for hit in within(found, query).hits] == ["good"]


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize("span", [(date.min, date.max), (date.max, date.max), (date.min, date.min)])
def test_the_ends_of_the_calendar_are_days_too(name: str, span: tuple[date, date]) -> None:
    """Limits as far as they go can be sent to every vendor."""
    assert VENDORS[name].request(SearchQuery("words", start=span[0], end=span[1]))
