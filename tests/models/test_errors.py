import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.errors import ERROR_KINDS, classify
from tests.support.shared import shared

WORDINGS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "error_wordings.jsonl").read_text(encoding="utf-8").splitlines()
]
OVERFLOWS = [case for case in WORDINGS if case["kind"] == "context_overflow"]
SPEAK_OF_SIZES = [case for case in WORDINGS if case["kind"] in ("context_overflow", "bad_request", "rate_limit")]


@pytest.mark.parametrize("case", WORDINGS, ids=lambda case: f"{case['provider']}-{case['message'][:40]}")
def test_each_known_wording_gets_its_kind(case):
    """A provider's wording is classified, with the used and allowed sizes it states."""
    info = classify(case["message"], status=case["status"], provider=case["provider"])
    stated = {key: case[key] for key in ("used", "limit", "oversized") if key in case}
    assert (info.kind, {key: getattr(info, key) for key in stated}) == (case["kind"], stated)


def test_every_shared_case_gets_its_class():
    """All collected error messages are classified right, none an overflow that is none."""
    cases = [json.loads(line) for line in shared("cases/llm_errors.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [c for c in cases if classify(c["message"], status=c["status"], provider=c["provider"]).kind != c["class"]]
    assert wrong == []


def test_shared_overflows_are_known_from_words_alone():
    """An overflow is recognised even where neither status nor provider reached us."""
    cases = [json.loads(line) for line in shared("cases/llm_errors.jsonl").read_text(encoding="utf-8").splitlines()]
    missed = [
        c for c in cases if c["class"] == "context_overflow" and classify(c["message"]).kind != "context_overflow"
    ]
    assert missed == []


def test_what_only_sounds_like_an_overflow_is_none():
    """Sizes in time, number and depth, other things' sizes, and advice throw no context away."""
    lines = (Path(__file__).parent / "data" / "no_overflows.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    assert [
        case["message"] for case in cases if classify(case["message"], status=case["status"]).kind == "context_overflow"
    ] == []


WRAPPINGS = [
    lambda m: m,
    lambda m: m.upper(),
    lambda m: f"  {m}\n\n",
    lambda m: json.dumps({"error": {"message": m}}),
    lambda m: json.dumps({"error": {"message": json.dumps({"error": {"message": m}})}}),
    lambda m: str({"error": {"message": m}}),
    lambda m: f"litellm.APIError: APIError: OpenAIException - {m}",
    lambda m: f"litellm.RateLimitError: RateLimitError: OpenAIException - {m}",
    lambda m: f"litellm.BadRequestError: {m}",
    lambda m: f"Provider returned error: {m}",
    lambda m: m + " (request id: 20260914160932263413297c955d568y49kmUQ8)",
]


@pytest.mark.parametrize("wrap", WRAPPINGS)
def test_wrapping_does_not_change_an_overflow(wrap):
    """Gateways wrap, quote and shout; an overflow stays one, and nothing else becomes one."""
    changed = [
        case["message"]
        for case in SPEAK_OF_SIZES
        for wrapped in [classify(wrap(case["message"]), status=case["status"], provider=case["provider"])]
        if (wrapped.kind == "context_overflow") != (case["kind"] == "context_overflow")
    ]
    assert changed == []


@given(
    case=st.sampled_from(OVERFLOWS),
    noise=st.text(alphabet="0123456789abcdefABCDEF", max_size=40),
)
def test_an_opaque_id_beside_it_changes_nothing(case, noise):
    """Request ids and hashes in the message neither hide an overflow nor change its figures."""
    plain = classify(case["message"], status=case["status"], provider=case["provider"])
    noisy = classify(f"{case['message']} [req_x{noise}]", status=case["status"], provider=case["provider"])
    assert (noisy.kind, noisy.used, noisy.limit) == (plain.kind, plain.used, plain.limit)


@given(st.text(max_size=300), st.none() | st.integers(100, 599), st.none() | st.text(max_size=20))
def test_any_text_gets_a_kind_and_a_remedy(message, status, code):
    """Whatever a server answers, classification names a kind and what to do, and never raises."""
    info = classify(message, status=status, code=code)
    assert info.kind in ERROR_KINDS
    assert info.remedy


# Without e and o, so that no phrase of the rules is drawn: hypothesis tries the constants it finds in sources.
@given(st.text(alphabet="abcdfghijklmnp qrstuvwxyz0123456789,.", max_size=400))
def test_noise_is_no_overflow(message):
    """Random prose without a provider's words never throws context away."""
    assert classify(message).kind != "context_overflow"


@pytest.mark.parametrize("name", ["litellm.RateLimitError: RateLimitError: OpenAIException - ", "RateLimitError: "])
def test_a_librarys_name_for_it_is_no_evidence(name):
    """LiteLLM raises its RateLimitError for an empty balance too: the provider's words decide."""
    words = "You exceeded your current quota, please check your plan and billing details."
    assert classify(f"{name}{words}", status=429, provider="openai").kind == "billing"
    assert classify(f"{name}nothing more", provider="openai").kind == "rate_limit"


def test_a_class_alone_is_read_as_words():
    """Where nothing else is said, the name of the exception says it, wrapped or not."""
    for text in ("ContextOverflowError", '{"error": {"message": "ContextOverflowError"}}'):
        assert classify(text, status=400).kind == "context_overflow"


def test_a_code_beats_words():
    """The error's own code decides where it is specific."""
    info = classify("Too many requests", status=429, code="insufficient_quota")
    assert info.kind == "billing"


def test_words_beat_the_status():
    """An overload inside a stream comes with status 200; an empty balance with 429."""
    assert classify("Overloaded", status=200).kind == "overloaded"
    assert classify("Your balance is insufficient", status=429).kind == "billing"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        *[(400, "bad_request"), (401, "auth"), (402, "billing"), (403, "auth"), (404, "other"), (408, "timeout")],
        *[(413, "context_overflow"), (422, "bad_request"), (429, "rate_limit"), (500, "other"), (502, "network")],
        *[(503, "overloaded"), (504, "timeout"), (524, "timeout"), (529, "overloaded")],
    ],
)
def test_the_status_decides_where_nothing_is_said(status, kind):
    """An empty body leaves only the status."""
    assert classify("", status=status).kind == kind


@pytest.mark.parametrize(
    ("message", "status", "kind"),
    [
        ("Too many tokens for this key", 429, "rate_limit"),
        ("Too many tokens for this key", 400, "context_overflow"),
        ("This model's maximum context length is 8192 tokens", 429, "context_overflow"),
        ("The request is too large for your remaining allowance", 402, "billing"),
        ("Session is longer than permitted", 401, "auth"),
    ],
)
def test_a_status_leaves_room_for_few_kinds(message, status, kind):
    """Words that seem to say what the status rules out were misread; a context window is meant wherever it is named."""
    assert classify(message, status=status).kind == kind


def test_the_first_sentence_says_what_happened_and_later_ones_advise():
    """Advice speaks of prompts and money whatever went wrong; only a better reason overrules."""
    limited = "Rate limit reached. Please reduce the length of the prompt or upgrade to a paid plan."
    assert classify(limited, status=429).kind == "rate_limit"
    assert classify("Bad request. The prompt is too long.", status=400).kind == "context_overflow"
    assert classify("You have no permission. Your team has run out of credits.", status=403).kind == "billing"


def test_the_same_quota_words_mean_a_rate_at_google_and_money_at_openai():
    """The provider decides between two meanings of one sentence."""
    words = "You exceeded your current quota, please check your plan and billing details."
    assert classify(words, status=429, provider="gemini").kind == "rate_limit"
    assert classify(words, status=429, provider="openai").kind == "billing"


def test_bytes_are_not_tokens():
    """413 speaks of the body's size; the unit says so."""
    assert classify("Request exceeds the maximum size", status=413).unit == "bytes"
    assert classify("prompt is too long: 202095 tokens > 200000 maximum", status=400).unit == "tokens"


def test_the_room_for_the_answer_is_known_apart():
    """Where input fits and input + max_tokens does not, the part that was output is read, so that it can be lowered."""
    info = classify("input length and max_tokens exceed context limit: 199999 + 8192 > 200000", status=400)
    assert (info.used, info.output, info.limit) == (208191, 8192, 200000)


def test_a_request_larger_than_the_rate_itself_is_shrinkable():
    """Waiting never helps when the request alone is over the per-minute limit."""
    info = classify("Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 342389.", status=429)
    assert (info.kind, info.oversized, info.shrinkable, info.retryable) == ("rate_limit", True, True, False)


def test_a_rate_without_the_request_size_is_judged_by_ours():
    """Anthropic states the limit only; our own count of the request completes the picture."""
    info = classify(
        "This request would exceed your organization's rate limit of 30,000 input tokens per minute", status=429
    )
    assert info.limit == 30000
    assert not info.for_request(20_000).shrinkable
    assert info.for_request(40_000).shrinkable


def test_a_limit_that_comes_back_tomorrow_is_not_retried():
    """Daily, weekly and monthly limits end the call at once."""
    info = classify("AWS Bedrock: Too many tokens per day. Please try again tomorrow.")
    assert (info.kind, info.lasting, info.retryable) == ("rate_limit", True, False)


def test_a_certificate_that_is_not_trusted_is_not_tried_again():
    """It will not be trusted in a minute either; the remedy names the variable."""
    info = classify("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1006)")
    assert (info.kind, info.retryable) == ("network", False)
    assert "SSL_CERT_FILE" in info.remedy


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Rate limit reached. Please try again in 7.866s.", 7.866),
        ("Rate limit reached. Please try again in 1m30s.", 90),
        ("rate limit. Please retry after 20 seconds.", 20),
        ("rate limit, please try again after 1 seconds", 1),
        ("rate limit. Try again in 250ms", 0.25),
        ('{"retryDelay": "23s", "status": "RESOURCE_EXHAUSTED"}', 23),
        ("Rate limit reached.", None),
    ],
)
def test_the_wait_is_read_from_the_text(message, seconds):
    """Providers without the header say in words how long to wait."""
    assert classify(message, status=429).retry_after == seconds


def test_a_column_number_is_no_token_count():
    """Figures are read only where the kind is about size or rate."""
    info = classify("The request body is not valid JSON: line 1 column 347010 (char 347009)", status=400)
    assert (info.kind, info.used, info.limit) == ("bad_request", None, None)


@pytest.mark.parametrize("unit", ["context ", "tokens exceed ", "a " * 3, "(((", "9,9,9,", '\\"'])
def test_a_huge_message_is_read_in_bounded_work(unit):
    """An error page of megabytes costs no more than its head and tail."""
    assert classify(unit * 500_000).kind in ERROR_KINDS
