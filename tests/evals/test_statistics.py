from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.evals.comparison import compare
from dexter.evals.intervals import bootstrap, sign_test, wilson
from dexter.evals.report import by_type, scores_of, table_of

USAGE = {"input_uncached": 10, "cache_read": 0, "cache_write": 0, "output": 5, "thinking": 0}


def line(question: str, score: str | None, kind: str = "t", **more: Any) -> dict[str, Any]:
    fields = {
        "id": question,
        "question": f"What is {question}?",
        "question_type": kind,
        "score": score,
        "status": "answered",
        "usage": USAGE,
    }
    rest = {"cost_usd": "0.01", "judge_cost_usd": "0", "duration_s": 1.5, "stages": {"compact": 1}, "figures": {}}
    return {**fields, **rest, "cited": None, **more}


def test_wilsons_interval_is_that_of_the_tables():
    """8 of 10 lie between 49.0 % and 94.3 %; all of 10 are no certainty; of nothing nothing is known."""
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=5e-5)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=5e-5)
    assert wilson(0, 0) == (0, 1)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_an_interval_holds_its_share_and_narrows_with_more(counts: tuple[int, int]):
    """Whatever the counts."""
    right, asked = counts
    low, high = wilson(right, asked)
    assert 0 <= low <= right / asked <= high <= 1
    more_low, more_high = wilson(right * 4, asked * 4)
    assert more_high - more_low < high - low


def test_a_bootstrap_is_the_same_for_the_same_seed_and_holds_the_mean():
    """Values that do not vary have no spread."""
    values = [0.0, 0.25, 1.0, 1.0, 0.5]
    assert bootstrap(values, 3) == bootstrap(values, 3)
    low, high = bootstrap(values, 3)
    assert low < 0.55 < high
    assert bootstrap([0.5] * 4, 1) == (0.5, 0.5)


def test_the_sign_test_is_exact():
    """Five better and none worse happens by chance once in sixteen; an even split says nothing."""
    assert sign_test(5, 0) == pytest.approx(2 / 32)
    assert sign_test(3, 3) == 1
    assert sign_test(0, 0) == 1
    assert sign_test(900, 700) < 0.001


def test_scores_count_what_is_right_and_leave_out_what_is_ungraded():
    """An ungraded answer is not in the score; for a minimum it counts as wrong."""
    lines = [line("a", "1"), line("b", "0"), line("c", None), line("d", "0", status="failed", cost_usd="")]
    found = scores_of("all", lines)
    assert (found.asked, found.graded, found.right, found.ungraded, found.failed) == (4, 3, 1, 1, 1)
    assert found.score == pytest.approx(1 / 3)
    assert found.least == pytest.approx(1 / 4)
    assert found.cost_usd is None
    assert found.stages == {"compact": 4}


def test_samples_of_one_question_are_one_observation():
    """Ten samples of one question are no ten questions: the interval stays that of one."""
    lines = [line("a", "1") for _ in range(10)] + [line("b", "0") for _ in range(10)]
    found = scores_of("all", lines)
    assert (found.score, found.low, found.high) == (0.5, 0.0, 1.0)


def test_types_stand_in_order_and_all_of_them_last():
    """The table has a row each."""
    scores = by_type([line("a", "1", "x"), line("b", "0", "y"), line("c", "1", "x")])
    assert [(score.type, score.asked) for score in scores] == [("x", 2), ("y", 1), ("all", 3)]
    assert len({len(row) for row in table_of(scores)}) == 1


def test_a_comparison_is_paired_by_question():
    """Only what both graded counts."""
    first = {key: line(key, score) for key, score in (("a", "1"), ("b", "0"), ("c", "0.5"), ("d", None), ("e", "1"))}
    second = {key: line(key, score) for key, score in (("a", "1"), ("b", "1"), ("c", "0.25"), ("d", "1"), ("f", "1"))}
    whole = compare(first, second)[-1]
    assert (whole.pairs, whole.better, whole.worse, whole.same) == (3, 1, 1, 1)
    assert whole.mean == pytest.approx(0.25)
    assert whole.low <= whole.mean <= whole.high
    assert [name for name, _, _ in whole.changed] == ["b", "c"]
    other = {key: {**found, "question": "Something else?"} for key, found in second.items()}
    assert compare(first, other)[-1].pairs == 0
