import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dexter.errors import ModelError
from dexter.models.proxies import check_proxies

ROOT = Path(__file__).parents[2]
ROADS = ["Anthropic", "OpenAI", "DeepSeek", "Gemini", "Ollama"]
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


def behind(*arguments, **environment):
    """The lines that `tests.support.behind_proxy` prints in this environment."""
    inherited = {key: value for key, value in os.environ.items() if key.lower() not in _PROXIES}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.support.behind_proxy", *arguments],
        cwd=ROOT,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_proxy_named_in_the_environment_is_used():
    """HTTP_PROXY carries the requests of every road: an address that does not exist is answered by the proxy."""
    assert behind("plain") == [f"{road} ok True" for road in ROADS]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate that signs itself, for 127.0.0.1 and for a name that does not exist."""
    if shutil.which("openssl") is None:
        pytest.skip("making a certificate needs openssl, which is not on this machine")
    folder = tmp_path_factory.mktemp("tls")
    paths = (str(folder / "cert.pem"), str(folder / "key.pem"))
    options = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    names = ["-addext", "subjectAltName=IP:127.0.0.1,DNS:model.invalid", "-out", paths[0], "-keyout", paths[1]]
    subprocess.run(["openssl", "req", *options, *names], check=True, capture_output=True)
    return paths


def test_an_own_authority_is_trusted(certificate):
    """SSL_CERT_FILE makes a company's own certificate good on every road."""
    assert behind("tls", *certificate, SSL_CERT_FILE=certificate[0]) == [f"{road} ok" for road in ROADS]


@pytest.mark.long
def test_no_proxy_is_asked_for_what_is_excepted():
    """NO_PROXY names the server: it is asked itself on every road."""
    assert behind("past") == [f"{road} ok" for road in ROADS]


@pytest.mark.parametrize("way", ["tunnel", "socks"])
def test_tls_goes_through_a_proxy(way, certificate):
    """HTTPS_PROXY by CONNECT, ALL_PROXY by SOCKS: the proxy is told the name, the certificate is that of the server."""
    assert behind(way, *certificate, SSL_CERT_FILE=certificate[0]) == [f"{road} ok True" for road in ROADS]


def test_a_proxy_of_an_unknown_kind_is_said():
    """It is refused before the libraries stumble over it, and the variable named; trying again would not help."""
    with pytest.raises(ModelError, match="ALL_PROXY names a proxy of a kind that is not known: gopher") as refused:
        check_proxies({"http": "http://127.0.0.1:9", "all": "gopher://127.0.0.1:9"})
    assert not refused.value.retryable
    check_proxies({"http": "127.0.0.1:9", "https": "HTTPS://x", "all": "socks5h://x"})


@pytest.mark.long
def test_an_unknown_authority_is_refused_and_said(certificate):
    """Without it the connection is refused, and the error speaks of the certificate."""
    lines = behind("tls", *certificate)
    assert [line.split(" ")[:2] for line in lines] == [[road, "network:"] for road in ROADS]
    assert "certificate" in lines[0].lower()


@pytest.mark.long
def test_only_openais_questions_go_to_openai():
    """Of every provider that LiteLLM knows; without an address of their own they are not asked at all."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.support.where_asked"],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if key.lower() not in _PROXIES},
        capture_output=True,
        text=True,
        check=True,
    )
    asked = {line for line in done.stdout.splitlines() if "openai.com" in line}
    assert asked == {"openai api.openai.com"}
    assert len(done.stdout.splitlines()) > 50
