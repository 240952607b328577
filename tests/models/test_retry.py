import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.errors import classify, model_error
from dexter.models.retry import RetryPolicy


def policy(random=0.5):
    return RetryPolicy(random=lambda: random)


def failure(message="Overloaded", status=529):
    return model_error(classify(message, status=status), message)


def waits(error, chance=0.5):
    """All waits a lasting failure leads to."""
    found, waited = [], 0.0
    while (wait := policy(chance).wait_before_retry(error, attempt=len(found) + 1, waited_s=waited)) is not None:
        found.append(wait)
        waited += wait
    return found


@given(st.floats(0, 0.999), st.none() | st.floats(0, 500))
def test_a_lasting_failure_ends_within_five_attempts_and_two_minutes(chance, retry_after):
    """Whatever a provider asks for, there are at most 5 attempts and 120 s of waiting."""
    error = failure()
    error.retry_after = retry_after
    found = waits(error, chance)
    assert len(found) <= 4
    assert sum(found) <= 120


def test_waits_grow():
    """Each wait is about twice the one before."""
    assert waits(failure()) == [0.5, 1.0, 2.0, 4.0]


def test_a_stated_wait_is_obeyed_up_to_the_cap():
    """Retry-After is kept; one of an hour ends the tries."""
    error = failure()
    error.retry_after = 30
    assert waits(error) == [30, 30, 30, 30]
    error.retry_after = 3_600
    assert waits(error) == []


@pytest.mark.parametrize(
    ("message", "status", "again"),
    [
        ("Overloaded", 529, True),
        ("Rate limit reached", 429, True),
        ("Connection error.", None, True),
        ("Request timed out.", None, True),
        ("Internal server error", 500, True),
        ("insufficient credits", 429, False),
        ("invalid x-api-key", 401, False),
        ("prompt is too long: 202095 tokens > 200000 maximum", 400, False),
        ("Request too large on tokens per min (TPM): Limit 30000, Requested 342389.", 429, False),
        ("Too many tokens per day. Please try again tomorrow.", 429, False),
        ("Failed to parse tool call arguments as JSON: parse error", 500, False),
        ("model: claude-9 not found", 404, False),
        ("output blocked by content filtering policy", 400, False),
    ],
)
def test_only_what_passes_is_tried_again(message, status, again):
    """Rates, load, network, timeouts and unexplained server faults pass; the rest ends at once."""
    assert bool(waits(failure(message, status))) == again
