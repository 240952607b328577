"""How full a view is: the provider's count, what came since, and estimates learnt from counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.config.limits import Limits
from dexter.context.tokens import RunningTotal, TokenMeter, effective_window, estimate, threshold_of
from dexter.errors import UsageError
from dexter.messages import Message, SystemMessage, UserMessage
from tests.support.stage_views import Script

LIMITS = Limits()


def texts(*lengths: int) -> tuple[Message, ...]:
    return tuple(UserMessage(f"m{i}", "9" * length) for i, length in enumerate(lengths))


@pytest.mark.parametrize(
    ("window", "threshold"),
    [(200_000, 167_000), (128_000, 95_000), (1_000_000, 967_000), (64_000, 44_800), (16_000, 11_200)],
)
def test_threshold_is_the_window_less_summary_room_and_buffer(window: int, threshold: int) -> None:
    """Below 128,000 the two are shares of the window."""
    assert threshold_of(window, LIMITS) == threshold


def test_unknown_windows_are_128_000_and_large_ones_are_capped() -> None:
    """The cap of 0 is no cap."""
    assert effective_window(None, 200_000, LIMITS) == 128_000
    assert effective_window(1_000_000, 200_000, LIMITS) == 200_000
    assert effective_window(1_000_000, 0, LIMITS) == 1_000_000


@pytest.mark.parametrize("window", [15_999, 8_192, 1])
def test_too_small_a_window_is_refused_with_a_sentence(window: int) -> None:
    """The remedy says what to do."""
    with pytest.raises(UsageError, match="16,000") as caught:
        effective_window(window, 0, LIMITS)
    assert "larger window" in caught.value.remedy


def test_used_is_the_last_count_and_its_output_plus_what_came_since() -> None:
    """The worked example: 150,000 + 900 + two results of about 11,450 tokens each."""
    request = texts(263_000)
    meter = TokenMeter().counted_by_provider(request, 150_000, 900)
    since = (*request, *texts(10), *texts(20_120, 20_120))
    assert meter.covered == 2
    assert abs(meter.used(since) - 173_800) < 100


def test_a_count_below_half_the_estimate_is_not_believed() -> None:
    """A server that cut the prompt counts little; the estimate stands and nothing is learnt."""
    request = texts(100_000)
    meter = TokenMeter().counted_by_provider(request, 4_096, 10)
    assert meter.factor == 1.0
    assert meter.used((*request, *texts(4))) > 50_000


def test_a_prompt_that_was_cut_stays_uncounted_when_results_arrive() -> None:
    """What is appended since must not lift a count that was not believed above the half, and so make it believed."""
    request = texts(100_000)
    half = estimate(request) // 2
    meter = TokenMeter().counted_by_provider(request, half - 100, 10)
    since = (*request, *texts(10), *texts(50_000))
    assert meter.used(since) == estimate(since)


def test_a_shrunk_view_voids_the_count() -> None:
    """After clearing, the old count says nothing."""
    meter = TokenMeter().counted_by_provider(texts(100_000), 57_000, 10)
    assert meter.voided().used(texts(10)) < 20


def test_the_factor_learns_from_counts_and_stays_within_bounds() -> None:
    """A tokenizer that needs twice as many is believed step by step, a hundred times as many is not."""
    meter = TokenMeter()
    request = texts(10_000)
    raw = estimate(request)
    for _ in range(40):
        meter = meter.counted_by_provider(request, raw * 100, 0)
    assert meter.factor == pytest.approx(2.0, abs=0.01)
    for _ in range(40):
        meter = meter.counted_by_provider(request, int(raw * 1.2), 0)
    assert 1.15 < meter.factor < 1.25


@given(st.lists(st.lists(st.integers(0, 50), max_size=6), min_size=1, max_size=8))
def test_the_running_total_is_the_sum_whatever_happens_to_the_view(views: list[list[int]]) -> None:
    """Grown, cut, replaced: the same as adding up anew."""
    total = RunningTotal()
    for lengths in views:
        view = (SystemMessage("s", "system"), *texts(*lengths))
        assert total.of(view) == estimate(view)
        longer = (*view, *texts(7))
        assert total.of(longer) == estimate(longer)


def test_a_refusal_corrects_the_estimates() -> None:
    """The provider counted more than was estimated: from now on the estimate is as high; a low count is no lesson."""
    view = texts(4_000)
    meter = TokenMeter()
    raw = meter.estimate(view)
    assert meter.refused(view, raw * 3 // 2).estimate(view) == pytest.approx(raw * 1.5, abs=2)
    assert meter.refused(view, raw * 9 // 10).factor == meter.factor
    assert meter.refused(view, None) == meter.voided()


@pytest.mark.parametrize(
    ("limit", "window", "threshold"),
    [
        (None, 200_000, 167_000),
        (120_000, 120_000, 88_000),
        (30_000, 30_000, 21_000),
        (500, 16_000, 11_200),
        (10**6, 200_000, 167_000),
    ],
)
def test_a_limit_once_learnt_holds_for_the_rest_of_the_run(limit: int | None, window: int, threshold: int) -> None:
    """Window and threshold go down with it, so that the next turn does not run into it again."""
    ctx = Script().q().ctx().narrowed(limit)
    assert (ctx.window, ctx.threshold) == (window, threshold)
