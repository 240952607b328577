from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from dexter.config.load import Configuration, Surroundings, load
from dexter.config.paths import Places
from dexter.doctor.finding import Finding
from dexter.doctor.folders import check_folders
from dexter.doctor.network import check_network
from dexter.doctor.services import (
    check_data,
    check_endpoints,
    check_keys,
    check_models,
    check_prices,
    check_search,
)
from dexter.doctor.terminal import TerminalFacts, check_terminal
from dexter.doctor.versions import check_ranks, check_versions

TODAY = date(2026, 11, 30)
KEY = "sk-ant-api03-abcdefghijklmnop-QRST"


def configuration(folder: Path, **environ: str) -> Configuration:
    return load(Surroundings(environ, folder, Places(folder / "config", folder / "data", folder / "cache")))


def problems(found: list[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.verdict == "problem"]


def test_a_new_user_has_nothing_to_mend(tmp_path: Path):
    """No key and no folder yet: notes on what more could be had, no problem, and each note with its command."""
    config = configuration(tmp_path)
    found = [
        *check_keys(config, {}),
        *check_models(config, TODAY),
        *check_endpoints(config),
        *check_data(config),
        *check_prices(config),
        *check_search(config, has_ddgs=False),
        *check_folders(config),
    ]
    assert problems(found) == []
    assert all(finding.mend for finding in found if finding.verdict == "note")
    assert any("offline" in finding.text and finding.mend == "dexter config set-key anthropic" for finding in found)


def test_keys_are_masked(tmp_path: Path):
    """The last four characters of a long key, none of a short one."""
    config = configuration(tmp_path, ANTHROPIC_API_KEY=KEY, EXA_API_KEY="abc123")
    text = " ".join(finding.text for finding in check_keys(config, {}))
    assert "…QRST" in text
    assert KEY not in text
    assert "abc123" not in text


def test_a_placeholder_where_a_key_should_be_is_named(tmp_path: Path):
    """`your-api-key` is what an example file has."""
    environ = {"OPENAI_API_KEY": "your-api-key"}
    (found,) = problems(list(check_keys(configuration(tmp_path, **environ), environ)))
    assert "OPENAI_API_KEY" in found.text
    assert "set-key openai" in found.mend


def test_a_model_without_its_key_is_a_problem(tmp_path: Path):
    """It says who set the model, and which command stores the key."""
    (found,) = problems(list(check_models(configuration(tmp_path, DEXTER_MODEL="gpt-6.1-sol"), TODAY)))
    assert "DEXTER_MODEL" in found.text
    assert found.mend == "dexter config set-key openai"
    own_server = configuration(tmp_path, DEXTER_MODEL="mine", OPENAI_BASE_URL="http://127.0.0.1:8000/v1")
    assert problems(list(check_models(own_server, TODAY))) == []


@pytest.mark.parametrize(
    ("address", "verdict"),
    [("https://x.test", "ok"), ("http://127.0.0.1:1/v1", "ok"), ("http://x.test", "note"), ("https://:80", "problem")],
)
def test_addresses_are_looked_at(tmp_path: Path, address: str, verdict: str):
    """What is no address is a problem, what is not encrypted is said; this machine's own may be plain."""
    config = configuration(tmp_path, DEXTER_OPENAI_COMPATIBLE__BASE_URL=address)
    (found,) = [finding for finding in check_endpoints(config) if finding.text.startswith("openai")]
    assert found.verdict == verdict


def test_data_providers_are_looked_at(tmp_path: Path):
    """An unknown provider and a contact without an e-mail address are problems."""
    environ = {"DEXTER_DATA__PROVIDERS": "sec,edgar", "DEXTER_SEC__CONTACT": "me"}
    unknown, contact = problems(list(check_data(configuration(tmp_path, **environ))))
    assert "'edgar'" in unknown.text
    assert "e-mail" in contact.text


def test_who_is_asked_for_prices_and_searches_is_told(tmp_path: Path):
    """Those that have what they need, in their order; an unknown one is a problem."""
    environ = {"TWELVE_DATA_API_KEY": "0123456789abcdef", "DEXTER_SEARCH__PROVIDERS": "gaagle,tavily,searxng,ddgs"}
    config = configuration(tmp_path, DEXTER_SEARCH__SEARXNG_URL="http://127.0.0.1:1", **environ)
    (prices,) = check_prices(config)
    assert prices.text == "Asked in this order: twelvedata, sample"
    unknown, search = check_search(config, has_ddgs=True)
    assert (unknown.verdict, "'gaagle'" in unknown.text) == ("problem", True)
    assert search.text == "Asked in this order: searxng, ddgs"


def test_keys_that_others_can_read_are_a_problem_and_folders_are_said(tmp_path: Path):
    """Each with the `chmod` that mends it."""
    config = configuration(tmp_path)
    config.places.config.mkdir(mode=0o755)
    config.places.config.chmod(0o755)
    config.places.key_file.write_text("X_API_KEY=1\n")
    config.places.key_file.chmod(0o644)
    found = list(check_folders(config))
    (readable,) = problems(found)
    assert readable.mend == f"chmod 600 {config.places.key_file}"
    assert f"chmod 700 {config.places.config}" in [finding.mend for finding in found]


def test_a_file_where_a_folder_should_be_is_a_problem(tmp_path: Path):
    """It would stop every run."""
    config = configuration(tmp_path)
    config.places.data.write_text("")
    assert any("is a file" in finding.text for finding in problems(list(check_folders(config))))


def test_missing_and_malicious_libraries_are_problems():
    """Each names the pip command."""
    versions = {"litellm": "1.82.7"}
    found = problems(list(check_versions("1", lambda name: versions.get(name, None if name == "lxml" else "9"))))
    assert [("steals" in finding.text or "not installed" in finding.text) for finding in found] == [True, True]
    assert all("pip install" in finding.mend for finding in found)


def test_ranks_that_would_be_downloaded_are_a_problem(tmp_path: Path):
    """Here they lie with LiteLLM; an empty folder has none."""
    assert problems(list(check_ranks())) == []
    assert problems(list(check_ranks(tmp_path)))


@pytest.mark.parametrize(
    ("facts", "verdicts"),
    [
        (TerminalFacts(True, 100, "utf-8", "xterm"), ["ok"]),
        (TerminalFacts(True, 40, "utf-8", "dumb"), ["note", "note", "ok"]),
        (TerminalFacts(False, 80, "ascii", ""), ["problem", "ok"]),
    ],
)
def test_the_terminal_is_looked_at(facts: TerminalFacts, verdicts: list[str]):
    """Width, TERM and encoding."""
    assert [finding.verdict for finding in check_terminal(facts)] == verdicts


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"HTTPS_PROXY": "foo"}, "HTTPS_PROXY names no usable proxy"),
        ({"https_proxy": "ftp://proxy.example:21"}, "https_proxy names no usable proxy"),
        ({"ALL_PROXY": "socks4://proxy.example:1080"}, "ALL_PROXY names no usable proxy"),
        ({"HTTPS_PROXY": "http://[bad"}, "HTTPS_PROXY names no usable proxy"),
        ({"SSL_CERT_FILE": "/no/such/file"}, "SSL_CERT_FILE names /no/such/file, which is not there"),
        ({"SSL_CERT_DIR": "/no/such/folder"}, "SSL_CERT_DIR names"),
    ],
)
def test_a_proxy_or_certificate_that_breaks_every_connection_is_a_problem(environ: dict[str, str], said: str):
    """Each names the variable and the command that mends it."""
    (found,) = check_network(environ)
    assert (found.verdict, found.mend) == ("problem", f"unset {next(iter(environ))}")
    assert said in found.text


def test_a_proxy_is_shown_without_its_password(tmp_path: Path):
    """What is right is said; nothing where nothing is set."""
    (tmp_path / "ca.pem").write_text("")
    environ = {"HTTPS_PROXY": "http://ann:secret@proxy.example:3128", "SSL_CERT_FILE": str(tmp_path / "ca.pem")}
    found = list(check_network(environ))
    assert [finding.verdict for finding in found] == ["ok", "ok"]
    assert "proxy.example:3128" in found[0].text
    assert "secret" not in str(found)
    assert not list(check_network({"NO_PROXY": "localhost", "HTTPS_PROXY": ""}))


@pytest.mark.parametrize(
    "name", ["TWELVEDATA_API_KEY", "TWELVE_DATA_KEY", "ANTHROPIC_KEY", "FINANCIALDATASETS_API_KEY"]
)
def test_a_key_in_a_variable_that_nobody_reads_is_a_problem(tmp_path: Path, name: str):
    """A misspelt variable is named with the one it was meant to be; not where that one is set, too."""
    (found,) = problems(list(check_keys(configuration(tmp_path), {name: KEY})))
    meant = {"A": "ANTHROPIC_API_KEY", "F": "FINANCIAL_DATASETS_API_KEY", "T": "TWELVE_DATA_API_KEY"}[name[0]]
    assert found.mend == f'export {meant}="${name}"'
    assert KEY not in found.text
    assert not problems(list(check_keys(configuration(tmp_path), {name: KEY, meant: KEY, "SSH_KEY": "x", "KEY": "y"})))
