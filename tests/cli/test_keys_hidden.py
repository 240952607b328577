from __future__ import annotations

import json
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

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
