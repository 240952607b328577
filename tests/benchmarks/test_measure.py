"""What the benchmark of context policies adds up, on sessions small enough to count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.context.measure import CHARS_PER_TOKEN, Played, measure, measured, share_found, shared_start
from benchmarks.context.sessions import Session, SessionTurn, figures_of, sessions

SMALL = Session("small", (SessionTurn("", ("revenue 111111111", "revenue 222222222")),))


def test_requests_that_only_grow_send_nothing_twice():
    """What was sent before is cached: with a growing view only the last request's length is written."""
    sent = measure(["ab", "abcd", "abcdef"])
    assert (sent.requests, sent.chars, sent.uncached, sent.peak) == (3, 12, 6, 6)


def test_an_edit_costs_everything_behind_it():
    """A changed character voids the cache from there on."""
    assert measure(["aaaa", "aXaa"]).uncached == 4 + 3


def test_cost_counts_cache_reads_writes_and_summaries():
    """Read at 0.1, written at 1.25, a summariser's request at 1."""
    sent = measure(["aaaa", "aaaabb"], ["s" * 10])
    assert sent.cost * CHARS_PER_TOKEN == pytest.approx(4 * 0.1 + 6 * 1.25 + 10)


def test_nothing_sent_costs_nothing():
    """No request is no division by zero."""
    assert measure([]).cost == measure([]).uncached_share == 0


@given(st.text("ab", max_size=30), st.text("ab", max_size=30))
def test_shared_start_is_the_longest_common_start(one, other):
    """Both texts agree up to there, and not one character further."""
    length = shared_start(one, other)
    assert one[:length] == other[:length]
    assert one[length : length + 1] != other[length : length + 1] or length == min(len(one), len(other))


@given(st.lists(st.text("ab", max_size=8), max_size=8))
def test_uncached_is_at_least_the_largest_request_and_at_most_all(requests):
    """Whatever is sent was written once, and nothing more often than it was sent."""
    sent = measure(requests)
    assert sent.peak <= sent.uncached <= sent.chars


def test_figures_in_view_and_reachable_are_told_apart():
    """A figure that only a file or an id gives back is reachable, not in view."""
    row = measured(SMALL, Played("p", ("revenue 111111111",), recallable=("revenue 222222222",), pipeline_s=0.5))
    assert (row.in_view, row.reachable, row.pipeline_ms) == (0.5, 1.0, 500)
    assert measured(SMALL, Played("p", ("nothing",))).reachable == 0


def test_only_the_last_request_is_the_view():
    """What an earlier request held and the last one does not is lost."""
    assert measured(SMALL, Played("p", ("111111111 222222222", "111111111"))).in_view == 0.5


def test_a_longer_number_is_another_figure():
    """A figure is found as a whole number, never as part of one."""
    assert share_found(["123456789"], figures_of("1234567890")) == 0


def test_the_sessions_are_the_same_every_time():
    """Recorded: two calls give equal sessions."""
    assert sessions() == sessions()


def test_the_sessions_have_the_sizes_they_are_named_for():
    """40 × 20 KB without and with 354 characters of text; 78 results of 1–109 KB, up to four a turn."""
    first, second, third = sessions()
    assert [len(result) for result in first.results] == [20_000] * 40
    assert second.results == first.results
    assert {len(turn.text) for turn in first.turns} == {0}
    assert {len(turn.text) for turn in (*second.turns, *third.turns)} == {354}
    assert len(third.results) == 78
    assert {len(turn.results) for turn in third.turns} == {1, 2, 3, 4}
    assert (min(map(len, third.results)), max(map(len, third.results))) == (1_000, 109_000)


def test_every_result_has_figures_of_its_own():
    """Figures are practically unique, so one result's never stand for another's."""
    results = sessions()[0].results
    figures = [figures_of(result) for result in results]
    assert all(figures)
    assert len(frozenset().union(*figures)) >= 0.999 * sum(map(len, figures))
