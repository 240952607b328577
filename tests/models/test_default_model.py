from datetime import date

import pytest

from dexter.config.keys import find_keys
from dexter.config.origins import Origin, Variable
from dexter.models.default_model import default_model

TODAY = date(2026, 11, 30)


def keys(**values):
    return find_keys({name: Variable(name, value, Origin("environment")) for name, value in values.items()})


def test_an_anthropic_key_gives_the_newest_sonnet():
    """With ANTHROPIC_API_KEY set the default is the newest Claude Sonnet, whatever other keys there are."""
    choice = default_model(keys(ANTHROPIC_API_KEY="sk-ant-api03-abc", OPENAI_API_KEY="sk-proj-1"), TODAY)
    assert choice.model == "claude-sonnet-5-5"
    assert choice.reason == "A key for Anthropic is set; this is its newest Claude Sonnet."


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
    """Without an Anthropic key the provider whose key is set is used, and the reason says so."""
    choice = default_model(keys(**{variable: "k-123456"}), TODAY)
    assert choice.model.startswith(prefix)
    assert " is set; this is its newest model." in choice.reason


def test_no_key_gives_the_offline_analyst():
    """Without any key the built-in analyst answers, and it is said why."""
    choice = default_model(keys(), TODAY)
    assert choice.model == "offline"
    assert "No model provider's API key" in choice.reason


def test_a_key_without_a_default_model_says_what_to_do():
    """A provider with too many models to guess needs --model."""
    choice = default_model(keys(GROQ_API_KEY="gsk_123"), TODAY)
    assert choice.model == "offline"
    assert "--model" in choice.reason


def test_a_search_key_is_no_model_key():
    """Keys of data and search providers choose no model."""
    assert "No model provider's" in default_model(keys(TAVILY_API_KEY="tvly-123"), TODAY).reason


@pytest.mark.parametrize("value", ["your-api-key", "sk-xxxxxxxx", "sk-ant-xxxx", "sk-proj-...", "<key>", " "])
def test_placeholders_choose_no_model(value):
    """What example files hold is not taken for a key."""
    assert default_model(keys(ANTHROPIC_API_KEY=value), TODAY).model == "offline"


@pytest.mark.parametrize("value", ["sk-x7Ghj2", "sk-ant-api03-Zx9", "sk-or-v1-0a"])
def test_real_looking_keys_choose_one(value):
    """A key that merely begins like a placeholder is a key."""
    assert default_model(keys(ANTHROPIC_API_KEY=value), TODAY).model == "claude-sonnet-5-5"
