from datetime import date

import pytest

from dexter.errors import MissingKeyError
from dexter.models.default_model import default_model
from dexter.models.keys import find_key, is_key, require_key

TODAY = date(2026, 11, 30)


def test_an_anthropic_key_gives_the_newest_sonnet():
    """With ANTHROPIC_API_KEY set the default is the newest Claude Sonnet, whatever other keys there are."""
    choice = default_model({"ANTHROPIC_API_KEY": "sk-ant-api03-abc", "OPENAI_API_KEY": "sk-proj-1"}, TODAY)
    assert choice.model == "claude-sonnet-5-5"
    assert choice.reason == "ANTHROPIC_API_KEY is set; this is the newest Claude Sonnet."


@pytest.mark.parametrize(
    ("variable", "prefix"),
    [
        ("OPENAI_API_KEY", "gpt-6.1"),
        ("GEMINI_API_KEY", "gemini/gemini-4"),
        ("GOOGLE_API_KEY", "gemini/gemini-4"),
        ("XAI_API_KEY", "xai/grok-4.7"),
        ("DEEPSEEK_API_KEY", "deepseek/deepseek-v4-pro"),
    ],
)
def test_another_key_gives_that_providers_newest(variable, prefix):
    """Without an Anthropic key the provider whose key is set is used, and the reason names the variable."""
    choice = default_model({variable: "k-123456"}, TODAY)
    assert choice.model.startswith(prefix)
    assert choice.reason.startswith(f"{variable} is set")


def test_no_key_gives_the_offline_analyst():
    """Without any key the built-in analyst answers, and it is said why."""
    choice = default_model({}, TODAY)
    assert choice.model == "offline"
    assert "No provider's API key" in choice.reason


def test_a_key_without_a_default_model_says_what_to_do():
    """A provider with too many models to guess needs --model."""
    choice = default_model({"GROQ_API_KEY": "gsk_123"}, TODAY)
    assert choice.model == "offline"
    assert "--model" in choice.reason


PLACEHOLDERS = [
    "",
    " ",
    "your-api-key",
    "your_anthropic_key_here",
    "YOUR-OPENAI-KEY",
    "<key>",
    "sk-xxx",
    "sk-xxxxxxxxxxxxxxxx",
    "sk-ant-xxxxx",
    "sk-...",
    "...",
    "xxxx",
    "changeme",
    "insert-key-here",
    "replace_me",
    "'your-key'",
    "none",
    "sk-your-key",
    "api-key",
]


@pytest.mark.parametrize("value", PLACEHOLDERS)
def test_placeholders_are_no_keys(value):
    """What example files hold is not taken for a key."""
    assert not is_key(value)
    assert default_model({"ANTHROPIC_API_KEY": value}, TODAY).model == "offline"


@pytest.mark.parametrize(
    "value",
    ["sk-ant-api03-Zx9", "sk-proj-abcdef", "AIzaSyD-9x", "xai-abc123", "test", "gsk_yourself", "sk-or-v1-0a", "EMPTY"],
)
def test_real_looking_keys_are_keys(value):
    """Keys of all providers pass, and the short ones local servers are given."""
    assert is_key(value)


def test_a_missing_key_says_how_to_store_one():
    """The error names the variable, whether it is missing or a placeholder, and the command that mends it."""
    with pytest.raises(MissingKeyError, match="XAI_API_KEY is not set") as missing:
        require_key("xai", {})
    assert "set-key XAI_API_KEY" in missing.value.remedy
    with pytest.raises(MissingKeyError, match="placeholder"):
        require_key("xai", {"XAI_API_KEY": "your-key"})


def test_local_models_need_no_key():
    """Ollama and its like run without."""
    assert require_key("ollama", {}) == ""


def test_an_unlisted_provider_reads_its_own_variable():
    """Any provider LiteLLM knows is found by its usual variable."""
    assert find_key("novita", {"NOVITA_API_KEY": "nv-1"}) == "nv-1"
