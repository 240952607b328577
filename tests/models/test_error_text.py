"""A failure's text is taken apart before its words are weighed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.error_text import read_message, speak
from dexter.models.errors import classify

SAID = {"error": {"message": "Prompt is too long", "type": "invalid_request_error", "code": "too_long"}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(SAID),
        str(SAID),
        f"Error code: 400 - {SAID}",
        json.dumps({"error": {"message": json.dumps(SAID)}}),
        json.dumps({"error": {"message": "Provider returned error", "metadata": {"raw": json.dumps(SAID)}}}),
        json.dumps({"error": {"message": json.dumps({"error": {"message": json.dumps(SAID)}})}}),
        json.dumps([SAID], indent=2),
    ],
)
def test_structures_are_opened_wherever_they_stand(text):
    """JSON in JSON strings, Python's repr of it and what stands around it: sentences and names come out of all."""
    said = read_message(text)
    assert "prompt is too long" in said.sentences
    assert {"invalid request error", "too long"} <= set(said.names)


@pytest.mark.parametrize(
    ("name", "spoken"),
    [
        ("RateLimitError", "rate limit error"),
        ("rate_limit_error", "rate limit error"),
        ("RESOURCE_EXHAUSTED", "resource exhausted"),
        ("InvalidAPIKey", "invalid api key"),
        ("max_completion_tokens", "max output tokens"),
        ("maxOutputTokens", "max output tokens"),
        ("max_input_tokens", "max input tokens"),
    ],
)
def test_names_are_read_as_words(name, spoken):
    """However programs spell them; the room for the answer is kept apart from other maxima."""
    assert speak(name) == spoken


def test_what_was_sent_is_not_what_went_wrong():
    """Echoes of the request, ids and addresses hold words too: none of them is a statement."""
    echo = {
        "detail": [
            {
                "type": "string_type",
                "loc": ["body"],
                "msg": "Input should be a valid string",
                "input": "the context window exceeds the maximum, insufficient credits",
            }
        ]
    }
    info = classify(json.dumps(echo), status=422)
    assert info.kind == "bad_request"
    assert "req" not in " ".join(read_message("Overloaded (request id: req_0prompt0exceeds0max)").sentences)
    assert read_message("failed at /v1/context/length/exceeded").sentences == ("failed at",)


def test_the_class_a_library_gives_is_kept_apart():
    """LiteLLM's own name for it is no sentence; a name that AWS gives is a name."""
    said = read_message("litellm.RateLimitError: RateLimitError: OpenAIException - no money")
    assert said.classes == ("rate limit error", "rate limit error")
    assert "rate limit" not in " ".join(said.sentences)
    assert "throttling exception" in read_message("ThrottlingException: Slow").names


def test_json_that_was_cut_off_still_gives_its_names():
    """A log's line ends anywhere."""
    assert "insufficient quota" in read_message('{"error": {"type": "insufficient_quota", "mess').names


@given(
    st.text(max_size=400)
    | st.recursive(st.text(max_size=9), lambda x: st.dictionaries(st.text(max_size=6), x)).map(str)
)
def test_any_text_is_read(text):
    """Whatever a server sends, reading it does not fail."""
    assert isinstance(read_message(text).sentences, tuple)
