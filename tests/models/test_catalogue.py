import subprocess
import sys
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dexter.models.catalogue import resolve, split_name, thinking_mode, wire_name
from dexter.models.model_table import bundled_table, read_table

TODAY = date(2026, 11, 30)
CHAT = {"mode": "chat", "supports_function_calling": True, "max_input_tokens": 200_000, "max_output_tokens": 64_000}
PRICED = {**CHAT, "input_cost_per_token": 3e-06, "output_cost_per_token": 1.5e-05}


def test_a_model_of_the_bundled_table_is_known_whole():
    """Provider, window, output limit, prices with cache, fast sibling and thinking come from the table."""
    info = resolve("claude-sonnet-5-5", today=TODAY)
    assert (info.provider, info.window, info.output_limit, info.window_known) == ("anthropic", 1_000_000, 128_000, True)
    assert info.prices is not None
    assert (info.prices.input, info.prices.output) == (Decimal("0.000002"), Decimal("0.00001"))
    assert (info.prices.cache_read, info.prices.cache_write) == (Decimal("1E-7"), Decimal("0.0000025"))
    assert (info.fast, info.thinking) == ("claude-haiku-5-5", "signed")


def test_the_table_is_read_without_importing_litellm():
    """Looking a model up costs milliseconds: LiteLLM and the SDKs stay unimported."""
    code = (
        "import sys; from dexter.models.catalogue import resolve; assert resolve('gpt-5.1').prices;"
        "print([m for m in ('litellm','anthropic','openai','httpx') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_model_works_with_the_stated_window_and_no_price():
    """A name nobody knows gets 128,000 tokens and "cost n/a", never a price of 0."""
    info = resolve("my-local-model")
    assert (info.provider, info.window, info.window_known) == ("openai", 128_000, False)
    assert (info.prices, info.fast) == (None, None)


def test_a_price_of_zero_is_real_only_on_the_own_machine():
    """Tables hold 0 where nobody entered a price; only local models are free."""
    table = {
        "ollama/small": {**CHAT, "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
        "openrouter/a/b": {**CHAT, "input_cost_per_token": 0.0, "output_cost_per_token": 0.0},
    }
    free = resolve("ollama/small", table=table).prices
    assert free is not None
    assert free.output == 0
    assert resolve("openrouter/a/b", table=table).prices is None


def test_a_missing_window_is_unknown():
    """None and 0 in the table mean unknown."""
    table = {"xai/grok-9": {**CHAT, "max_input_tokens": None}, "xai/grok-8": {**CHAT, "max_input_tokens": 0}}
    assert not resolve("grok-9", table=table).window_known
    assert not resolve("grok-8", table=table).window_known


@pytest.mark.parametrize(
    ("name", "provider", "wire"),
    [
        ("claude-sonnet-5-5", "anthropic", "claude-sonnet-5-5"),
        ("anthropic/claude-sonnet-5-5", "anthropic", "claude-sonnet-5-5"),
        ("gpt-5.1", "openai", "gpt-5.1"),
        ("openai/gpt-5.1", "openai", "gpt-5.1"),
        ("gemini-3.8-flash", "gemini", "gemini-3.8-flash"),
        ("grok-4.7", "xai", "grok-4.7"),
        ("deepseek-v4-pro", "deepseek", "deepseek-v4-pro"),
        ("ollama/qwen3:8b", "ollama", "qwen3:8b"),
        ("openrouter/anthropic/claude-sonnet-5-5", "openrouter", "anthropic/claude-sonnet-5-5"),
        ("openai/org/model", "openai", "org/model"),
        ("openai/claude-proxy", "openai", "claude-proxy"),
        ("llama-3-8b-instruct", "openai", "llama-3-8b-instruct"),
    ],
)
def test_names_as_people_type_them(name, provider, wire):
    """A name leads to one provider and the provider's own name."""
    info = resolve(name)
    assert (info.provider, wire_name(info)) == (provider, wire)


@given(st.from_regex(r"[a-z]{2,9}(/[a-z0-9.:-]{1,12}){0,2}", fullmatch=True))
def test_the_display_name_leads_back_to_the_same_model(name):
    """What is shown and recorded can be given to --model again."""
    info = resolve(name, table={})
    again = resolve(info.name, table={})
    assert again == info
    assert split_name(info.name) == split_name(name)


def test_a_nickname_is_the_newest_of_its_kind():
    """`--model sonnet` follows the table; models that have ended are passed over."""
    table = {
        "claude-sonnet-4-6": {**CHAT, "litellm_provider": "anthropic"},
        "claude-sonnet-5-5": {**CHAT, "litellm_provider": "anthropic"},
        "claude-sonnet-6": {**CHAT, "litellm_provider": "anthropic", "deprecation_date": "2026-11-30"},
        "claude-sonnet-4-6-20260101": {**CHAT, "litellm_provider": "anthropic"},
    }
    assert resolve("sonnet", table=table, today=TODAY).name == "claude-sonnet-5-5"
    assert resolve("Sonnet", table=table, today=date(2026, 11, 29)).name == "claude-sonnet-6"


def test_a_model_is_not_its_own_fast_sibling():
    """Where the model is the fast one itself there is no other."""
    assert resolve("claude-haiku-5-5", today=TODAY).fast is None


def test_long_requests_have_their_own_prices():
    """Some models charge the whole request more above a size; Claude Haiku 5.5 five times above 100,000."""
    prices = resolve("claude-haiku-5-5", today=TODAY).prices
    assert prices is not None
    assert prices.long is not None
    assert (prices.long_over, prices.long.input / prices.input) == (100_000, 5)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("deepseek-v4-pro", "demanded"), ("gpt-5.1", "plain"), ("claude-opus-5-5", "signed"), ("ollama/llama3", "none")],
)
def test_what_becomes_of_thinking(name, kind):
    """Signed blocks go back verbatim, DeepSeek demands its reasoning, the rest may be stripped."""
    assert resolve(name).thinking == kind


def test_how_thinking_is_asked_for():
    """Current Claude models decide themselves how long to think; older ones get a budget."""
    assert thinking_mode("claude-sonnet-5-5") == "adaptive"
    assert thinking_mode("claude-haiku-4-5") == "budget"
    assert thinking_mode("nobody/knows") == "none"


def test_the_bundled_table_is_there():
    """The installed LiteLLM brings thousands of models."""
    assert len(bundled_table()) > 1_000


@pytest.mark.parametrize("text", ["[]", "null", "{", ""])
def test_a_broken_table_is_refused(text):
    """What is no JSON object is no table; the caller goes on with none."""
    with pytest.raises(ValueError):
        read_table(text)


def test_entries_that_are_no_objects_are_left_out():
    """One odd entry does not spoil the rest."""
    assert read_table('{"a": 1, "b": {"mode": "chat"}, "sample_spec": {}}') == {"b": {"mode": "chat"}}
