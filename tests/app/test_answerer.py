"""A worker of a cluster: it shares with the others what it learns of a rate limit."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from dexter.app.answerer import Worker
from dexter.evals.tasks import Outcome, Task
from dexter.models.pacing import BoardInFile
from tests.support.openai_sse import answer
from tests.support.setups import make_setup

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places


def test_a_worker_that_is_turned_away_says_so_to_all(
    tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The gate stands beside the folders of the questions, where every worker looks before it asks."""
    asked: list[Request] = []

    def reply(request: Request) -> Response:
        asked.append(request)
        if len(asked) == 1:
            busy = '{"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}'
            return Response(busy, status=429, headers={"Retry-After": "1"})
        return Response(b"".join(answer("It is x.")), content_type="text/event-stream")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(reply)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef")  # keys are the worker's own
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    environ = {"DEXTER_MODEL": "openai/x", "OPENAI_BASE_URL": httpserver.url_for("/v1")}
    setup = make_setup(tmp_path, environ)
    outcome = Worker(setup.settings, setup.config.places)(Task("k", "What is it?", tmp_path / "runs" / "k"))
    assert isinstance(outcome, Outcome)
    assert (outcome.text, len(asked)) == ("It is x.", 2)
    assert BoardInFile(tmp_path / "runs" / ".rate-limit").read().opens_at > 0
