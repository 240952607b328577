from __future__ import annotations

import stat
from pathlib import Path

import pytest

from dexter.config.keys import KEY_VARIABLES, find_keys, is_placeholder, store_key, variables_of
from dexter.config.load import Surroundings, load
from dexter.config.origins import Origin, Variable
from dexter.config.paths import Places
from dexter.errors import MissingKeyError, SettingsError, UsageError

KEY = "abc-0123456789"


def _keys(**values: str):
    return find_keys({n: Variable(n, v, Origin("environment", n)) for n, v in values.items()})


@pytest.mark.parametrize(
    "value",
    [
        "",
        "  ",
        "your-api-key",
        "your-exa-key",
        "your brave search key",
        "your_api_key_here",
        "YOUR KEY",
        "sk-...",
        "sk-xxx",
        "xxx",
        "<key>",
        "[your key]",
        "changeme",
        "none",
        "${ANTHROPIC_API_KEY}",
        "insert-key-here",
        "...",
        "replace_me",
    ],
)
def test_placeholders_are_no_keys(value: str):
    """What example files have where a key should stand counts as nothing."""
    assert is_placeholder(value)
    assert _keys(ANTHROPIC_API_KEY=value).get("anthropic") is None


@pytest.mark.parametrize("value", ["sk-ant-api03-Abc_9", "tvly-dev-8d7f", "0f3b6c1e-5a7d-4a7e-8f3e-1c2b3a4d5e6f", KEY])
def test_keys_of_real_shape_are_keys(value: str):
    """Nothing that looks like a real key is taken for a placeholder."""
    assert _keys(ANTHROPIC_API_KEY=value).get("anthropic") == value


def test_a_second_variable_serves_too():
    """The name the original used for a key is honoured."""
    assert _keys(EXASEARCH_API_KEY=KEY).get("exa") == KEY


def test_a_provider_not_in_the_list_has_its_usual_variable():
    """`provider/model` of LiteLLM finds PROVIDER_API_KEY."""
    assert variables_of("fireworks-ai") == ("FIREWORKS_AI_API_KEY",)
    assert _keys(FIREWORKS_AI_API_KEY=KEY).get("fireworks-ai") == KEY


def test_a_missing_key_says_how_to_set_it():
    """The error names the variable and the command."""
    with pytest.raises(MissingKeyError, match="ANTHROPIC_API_KEY") as caught:
        _keys().require("anthropic")
    assert "dexter config set-key anthropic" in caught.value.remedy
    assert caught.value.exit_status == 2


def test_keys_never_show_themselves():
    """Neither repr nor str of the keys, nor of a variable, shows a value."""
    keys = _keys(ANTHROPIC_API_KEY=KEY)
    assert KEY not in f"{keys!r} {keys} {Variable('X_API_KEY', KEY, Origin())!r}"


def test_a_text_with_a_key_in_it_is_redacted():
    """An error of a provider that repeats the key is shown without it."""
    keys = _keys(ANTHROPIC_API_KEY=KEY)
    assert keys.redact(f"invalid x-api-key: {KEY}") == "invalid x-api-key: [ANTHROPIC_API_KEY]"


def test_stored_keys_are_found_again_and_private(tmp_path: Path):
    """`set-key` writes the user's .env with mode 0600, keeps other lines, replaces the old key; loading finds it."""
    places = Places(tmp_path / "config", tmp_path / "data", tmp_path / "cache")
    store_key(places.key_file, "anthropic", KEY)
    store_key(places.key_file, "openai", KEY + "b")
    store_key(places.key_file, "anthropic", f" {KEY}c\n")
    assert places.key_file.read_text() == f"OPENAI_API_KEY={KEY}b\nANTHROPIC_API_KEY={KEY}c\n"
    assert stat.S_IMODE(places.key_file.stat().st_mode) == 0o600
    assert stat.S_IMODE(places.config.stat().st_mode) == 0o700
    found = load(Surroundings({}, tmp_path, places)).keys
    assert found.get("anthropic") == KEY + "c"
    assert str(places.key_file) in found.origin("anthropic")
    stronger = load(Surroundings({"ANTHROPIC_API_KEY": "from-the-environment"}, tmp_path, places)).keys
    assert stronger.get("anthropic") == "from-the-environment"


@pytest.mark.parametrize("value", ["", "your-key", "two words", 'quo"ted', "line\nbreak", "esc\x1b[31m"])
def test_what_is_no_key_is_not_stored(tmp_path: Path, value: str):
    """Empty values, placeholders and pasted text are refused, and nothing is written."""
    with pytest.raises(UsageError):
        store_key(tmp_path / ".env", "anthropic", value)
    assert not (tmp_path / ".env").exists()


def test_an_unknown_provider_is_refused_with_the_known_ones(tmp_path: Path):
    """The remedy lists who can have a key."""
    with pytest.raises(UsageError) as caught:
        store_key(tmp_path / ".env", "antropic", KEY)
    assert all(name in caught.value.remedy for name in KEY_VARIABLES)


def test_a_folder_that_is_a_file_is_a_sentence(tmp_path: Path):
    """Where the file can't be written, the error says so and why."""
    (tmp_path / "blocked").write_text("")
    with pytest.raises(SettingsError, match="can't be written"):
        store_key(tmp_path / "blocked" / ".env", "anthropic", KEY)
