from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from dexter.ui.literal import UNSAFE
from tests.support.program import Home, make_home

KEY = "abc-secret-0123456789"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return make_home(tmp_path)


def _echo(status: int) -> Response:
    """A provider that repeats the key it was sent in its error, as some do."""
    message = f"Incorrect API key provided: {KEY}. You can find yours in the dashboard."
    body = {"type": "error", "error": {"type": "authentication_error", "code": "invalid_api_key", "message": message}}
    return Response(json.dumps(body), status=status, content_type="application/json")


@pytest.mark.parametrize(
    ("model", "base", "variable"),
    [
        ("claude-opus-5-5", "ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"),
        ("openai/gpt-5.1", "OPENAI_BASE_URL", "OPENAI_API_KEY"),
    ],
)
def test_a_key_that_a_provider_repeats_is_shown_nowhere(
    home: Home, httpserver: HTTPServer, model: str, base: str, variable: str
):
    """Neither the terminal, nor the JSON, nor the record has a key that came back in an error."""
    seen: list[Request] = []

    def answer(request: Request) -> Response:
        seen.append(request)
        return _echo(401)

    httpserver.expect_request("", method="POST").respond_with_handler(answer)
    httpserver.expect_request("/v1/messages").respond_with_handler(answer)
    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    httpserver.expect_request("/chat/completions").respond_with_handler(answer)
    environ = {base: httpserver.url_for("").rstrip("/"), variable: KEY}
    done = home.dexter("ask", "--json", "--debug", "--model", model, "NVDA revenue", environ=environ)
    assert any(KEY in str(request.headers) for request in seen)
    assert done.returncode in (1, 2)
    assert json.loads(done.stdout)["error"]["message"]
    record = "".join(path.read_text() for path in home.scratchpads())
    assert [
        name for name, text in {"out": done.stdout, "err": done.stderr, "record": record}.items() if KEY in text
    ] == []


FAULT = """
import sys
from dexter.cli.edge import run_app
def fault(arguments, prog_name):
    try:
        raise ValueError("sent " + KEY + " \x1b]0;title\x07")
    except ValueError as error:
        raise OSError(5, "https://x.example/?apikey=" + KEY + "\x9b2J") from error
KEY = "-".join(["abc", "secret", "0123456789"])
sys.exit(run_app(fault, sys.argv[1:]))
"""


@pytest.mark.parametrize("place", ["environment", "user", "folder"])
def test_a_traceback_holds_no_key_and_acts_on_no_terminal(home: Home, place: str):
    """`--debug` after a fault nobody foresaw: wherever the key stands, whatever the causes quote."""
    environ = home.environ(TAVILY_API_KEY=KEY) if place == "environment" else home.environ()
    folders = {"user": home.root / "config" / "dexter", "folder": home.work}
    if folder := folders.get(place):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".env").write_text(f"TAVILY_API_KEY={KEY}\n")
    command = [sys.executable, "-c", FAULT, "--debug"]
    done = subprocess.run(command, cwd=home.work, env=environ, capture_output=True, check=False, text=True)
    assert done.returncode == 1
    assert done.stderr.count("[TAVILY_API_KEY]") >= 2
    assert KEY not in done.stderr
    assert re.findall(UNSAFE, done.stderr) == []


def test_trust_names_files_as_they_are_spelled(home: Home):
    """A folder's file names can act on the terminal no more than its texts."""
    skill = home.work / ".dexter" / "skills" / "a\x1b]0;title\x07" / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("---\nname: a\n---\n")
    done = home.dexter("config", "trust")
    assert "␛]0;title␇" in done.stderr
    assert re.findall(UNSAFE, done.stderr) == []
