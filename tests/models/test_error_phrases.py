"""Phrases: stems, spaces, and two ideas close together."""

import pytest

from dexter.models.error_phrases import near, said


@pytest.mark.parametrize("sentence", ["it exceeds", "exceeded", "rate-limit hit", "ratelimit", "the rate limits"])
def test_a_stem_covers_endings_and_a_space_hyphens(sentence):
    """One phrase stands for all its inflections and spellings."""
    assert said("exceed | rate limit")(sentence)


def test_a_phrase_begins_at_a_words_start():
    """`low` is not in `allow`; Chinese beside Latin letters is no part of the word."""
    assert not said("low")("allowed")
    assert said(r"tokens?\b")("最大token限制")
    assert not said(r"tokens?\b")("tokenizer")


def test_two_ideas_are_near_in_either_order_within_the_gap():
    """Who names the limit first does not matter; far apart they have nothing to do with each other."""
    test = near("prompt", "exceed", 10)
    assert test("the prompt exceeds it")
    assert test("exceeds a prompt")
    assert not test("the prompt " + "x" * 20 + " exceeds")
    assert not test("the prompt")
