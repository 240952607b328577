from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.data.sec.splits import find_splits
from tests.support.edgar import cut_store, full_store
from tests.support.filer import Filer
from tests.support.statements import one

SHARES, EPS = "WeightedAverageNumberOfDilutedSharesOutstanding", "EarningsPerShareDiluted"


def span(year: int) -> tuple[str, str]:
    return f"{year}-01-01", f"{year}-12-31"


def refiled(ratio: Fraction, *, tag: str = SHARES, counts: tuple[int, ...] = (1_234_000_000, 1_250_000_000)) -> Filer:
    """Two years filed, then filed again after a split, and a third year after it."""
    filer = Filer()
    values = [count if tag == SHARES else f"{count / 1_000_000_000:.2f}" for count in counts]
    grown = [
        int(round(count * ratio, -6)) if tag == SHARES else f"{count / 1e9 / float(ratio):.2f}" for count in counts
    ]
    filer.file(
        "10-K",
        "2023-02-20",
        {(tag, *span(2021)): values[0], (tag, *span(2022)): values[1], ("NetIncomeLoss", *span(2022)): 1},
    )
    filer.file(
        "10-K",
        "2024-02-20",
        {(tag, *span(2021)): grown[0], (tag, *span(2022)): grown[1], ("NetIncomeLoss", *span(2023)): 1},
    )
    return filer


@pytest.mark.parametrize(
    "ratio", [Fraction(2), Fraction(3), Fraction(20), Fraction(3, 2), Fraction(5, 4), Fraction(1, 8), Fraction(1, 30)]
)
def test_a_split_is_read_from_what_was_filed_twice(ratio: Fraction) -> None:
    """Forward and reverse, whole and broken ratios."""
    (split,) = find_splits(refiled(ratio).store())
    assert (split.ratio, split.since) == (ratio, "2024-02-20")


def test_earnings_per_share_tell_of_a_split_where_no_counts_do() -> None:
    """Four for one, from cents alone."""
    (split,) = find_splits(refiled(Fraction(4), tag=EPS, counts=(8_120_000_000, 9_440_000_000)).store())
    assert split.ratio == 4


@given(percent=st.integers(-8, 9))
def test_a_correction_is_no_split(percent: int) -> None:
    """Counts restated by a few percent."""
    assert find_splits(refiled(Fraction(100 + percent, 100)).store()) == ()


@pytest.mark.parametrize("ratio", [Fraction(1000), Fraction(1, 1000), Fraction(1_000_000)])
def test_a_slip_of_scale_is_no_split(ratio: Fraction) -> None:
    """Thousands written as units, or the other way round."""
    assert find_splits(refiled(ratio, counts=(1_234_000_000_000, 1_250_000_000_000)).store()) == ()


def test_one_figure_alone_is_no_split() -> None:
    """A single corrected count has no second witness."""
    assert find_splits(refiled(Fraction(2), counts=(1_234_000_000, 0)).store()) == ()


def test_figures_that_deny_it_outweigh_a_few() -> None:
    """Three of five years stayed as they were: the two others were corrected."""
    filer = refiled(Fraction(2))
    stayed = {(SHARES, *span(year)): 900_000_000 for year in (2018, 2019, 2020)}
    filer.file("10-K", "2022-02-20", stayed)
    filer.file("10-K", "2024-02-21", stayed)
    assert find_splits(filer.store()) == ()


def test_the_recorded_companies_have_the_splits_they_had() -> None:
    """Ratios and the first filing after each; Intel, Meta, Microsoft, JPMorgan and AMD had none."""
    found = {ticker: [(split.ratio, split.since) for split in find_splits(cut_store(ticker))] for ticker in ALL_CUT}
    assert found == {
        "AAPL": [(7, "2014-07-23"), (4, "2020-10-30")],
        "AMZN": [(20, "2022-07-29")],
        "AVGO": [(10, "2024-09-11")],
        "NVDA": [(4, "2021-08-20"), (10, "2024-08-28")],
        "WMT": [(3, "2024-03-15")],
        **{ticker: [] for ticker in ("AMD", "INTC", "JPM", "META", "MSFT")},
    }


ALL_CUT = ("AAPL", "AMD", "AMZN", "AVGO", "INTC", "JPM", "META", "MSFT", "NVDA", "WMT")


def test_a_figure_after_two_splits_is_divided_by_both() -> None:
    """Filed as 6.90 for FY2021, restated as 1.73 after four for one, 0.173 in shares after ten for one."""
    found = one(full_store(1045810), "EPSDiluted", "FY2021")
    assert (found.value, found.derived) == ("0.173", "reported 1.73, split-adjusted /10")


def test_as_of_a_day_before_a_split_nothing_is_adjusted() -> None:
    """On 2024-06-01 nobody had filed in new shares."""
    found = one(full_store(1045810), "EPSDiluted", "FY2024", as_of="2024-06-01")
    assert (found.value, found.derived) == ("11.93", None)


def test_a_reverse_split_multiplies_what_is_per_share() -> None:
    """One for eight: earnings per share filed before it grow eightfold, counts shrink."""
    filer = refiled(Fraction(1, 8))
    filer.file(
        "10-K",
        "2022-02-20",
        {(EPS, *span(2020)): "0.50", (SHARES, *span(2020)): 800, ("NetIncomeLoss", *span(2020)): 1},
    )
    earnings, shares = one(filer.store(), "EPSDiluted", "FY2020"), one(filer.store(), "WeightedSharesDiluted", "FY2020")
    assert (earnings.number, earnings.derived) == (4, "reported 0.50, split-adjusted x8")
    assert (shares.number, shares.derived) == (100, "reported 800, split-adjusted /8")


def test_a_third_of_a_value_keeps_two_digits_more() -> None:
    """1.36 over three has no end; nothing is rounded to cents."""
    filer = refiled(Fraction(3))
    filer.file("10-K", "2022-02-20", {(EPS, *span(2020)): "1.36", ("NetIncomeLoss", *span(2020)): 1})
    assert one(filer.store(), "EPSDiluted", "FY2020").value == "0.4533"
