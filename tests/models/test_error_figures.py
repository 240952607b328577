"""The sizes that a message sets against each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.error_figures import Figures, compare_sizes
from dexter.models.errors import classify


@given(st.integers(1_000, 2_000_000), st.integers(1_000, 2_000_000), st.booleans())
def test_of_two_sizes_the_larger_was_sent(one, other, swapped):
    """An overflow has sent more than is allowed, in whatever order it says so."""
    one, other = (other, one) if swapped else (one, other)
    expected = Figures() if one == other else Figures(max(one, other), min(one, other))
    found = compare_sizes([f"there are {one} tokens.", f"it holds {other}."])
    assert (found.used, found.limit) == (expected.used, expected.limit)


@pytest.mark.parametrize(
    ("sentence", "used", "limit"),
    [
        ("prompt of 131.073 tokens, window 131.072 tokens", 131_073, 131_072),
        ("prompt of 131 073 tokens, window 131 072 tokens", 131_073, 131_072),
        ("150k tokens against a window of 128k", 150_000, 128_000),
        ("input length 17342 + max_tokens 4096 exceeds the maximum 16384", 21_438, 16_384),
        ("exceeds limit (2013)", None, None),
        ("exceeded by 512 tokens", None, None),
        ("exceeded by 512 tokens; the limit is 8192", None, 8_192),
        ("status 400 from gpt-4-0613 after 3000 ms on port:4000", None, None),
        ("the limit is 2024 requests", None, None),
    ],
)
def test_only_sizes_are_compared(sentence, used, limit):
    """Error codes, statuses, waits, ports and names hold numbers too."""
    found = compare_sizes([sentence])
    assert (found.used, found.limit) == (used, limit)


def test_megabytes_are_written_out():
    """A body's size is stated in any unit; what is kept is bytes."""
    info = classify("The maximum request size is 32 MB.", status=413)
    assert (info.limit, info.unit) == (32_000_000, "bytes")
