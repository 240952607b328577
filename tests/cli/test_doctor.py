"""`dexter doctor` and `dexter models` as a user starts them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.program import make_home

KEY = "sk-ant-api03-abcdefghijklmnop-QRST"


def test_a_clean_home_is_all_well(tmp_path: Path):
    """Nothing set: exit status 0, and what could be had more is named with its command."""
    done = make_home(tmp_path).dexter("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    assert "All well." in done.stdout
    assert "dexter config set-key anthropic" in done.stdout


def test_something_to_mend_is_exit_status_1_and_said_in_json(tmp_path: Path):
    """A model without its key; keys are masked in JSON, too."""
    environ = {"DEXTER_MODEL": "gpt-6.1-sol", "ANTHROPIC_API_KEY": KEY}
    done = make_home(tmp_path).dexter("doctor", "--json", environ=environ)
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert found["ok"] is False
    (bad,) = [finding for finding in found["findings"] if finding["verdict"] == "problem"]
    assert bad["mend"] == "dexter config set-key openai"
    assert KEY not in done.stdout


def test_offline_no_address_is_asked(tmp_path: Path):
    """Even where it was asked for."""
    done = make_home(tmp_path).dexter("doctor", "--online", environ={"DEXTER_OFFLINE": "true"})
    assert (done.returncode, "no address is asked" in done.stderr) == (2, True)


def test_a_broken_settings_file_is_a_finding_not_the_end(tmp_path: Path):
    """The rest is looked at with the defaults."""
    home = make_home(tmp_path)
    (home.work / "config.toml").write_text("max_turns = 'many'\n")
    done = home.dexter("doctor")
    assert done.returncode == 1
    assert "max_turns" in done.stdout
    assert "folders" in done.stdout


def test_models_say_what_there_is_and_which_one_answers(tmp_path: Path):
    """Window, prices, key; the default with its reason."""
    home = make_home(tmp_path)
    shown = home.dexter("models", environ={"ANTHROPIC_API_KEY": KEY}).stdout
    assert "its newest Claude Sonnet" in shown
    found = json.loads(home.dexter("models", "--json").stdout)
    assert found["default"]["model"] == "offline"
    assert {model["role"] for model in found["models"]} == {"main", "fast"}
    assert all(model["window"] and model["usd_per_million_input"] for model in found["models"])
    every = json.loads(home.dexter("models", "--all", "--json").stdout)["models"]
    assert len(every) > len(found["models"])
