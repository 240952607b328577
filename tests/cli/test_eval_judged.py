"""`dexter eval` with a rubric: the judged model and the judge behind one server on loopback, everything else real."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from tests.support.openai_sse import answer
from tests.support.program import Home

RUBRIC = (
    "[{'operator': 'correctness', 'criteria': 'Revenue was $10 billion'},"
    " {'operator': 'correctness', 'criteria': 'It grew'}, {'operator': 'contradiction', 'criteria': \"It's growing\"}]"
)
ANSWER = "Revenue was $10 billion."
GOOD = [(True, ANSWER), (False, ""), (True, "")]


def verdicts(given: list[tuple[bool, str]]) -> str:
    listed = [{"criterion": n, "met": met, "quote": quote, "why": "so"} for n, (met, quote) in enumerate(given, 1)]
    return json.dumps({"verdicts": listed})


def stream(text: str) -> Response:
    return Response(b"".join(answer(text)), content_type="text/event-stream")


@pytest.fixture
def asked(httpserver: HTTPServer) -> list[str]:
    """The models that were asked, in order; `judge` finds two of three criteria met, `prose` never gives JSON."""
    models: list[str] = []

    def reply(request: Request) -> Response:
        model = request.get_json()["model"]
        models.append(model)
        if model == "refused":
            return Response(
                '{"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}', status=401
            )
        return stream({"judge": verdicts(GOOD), "prose": "It is all fine."}.get(model, ANSWER))

    httpserver.expect_request(re.compile(r".*/chat/completions")).respond_with_handler(reply)
    return models


def evaluate(folder: Path, server: HTTPServer, *options: str) -> subprocess.CompletedProcess[str]:
    home = Home(folder)
    home.work.mkdir(parents=True, exist_ok=True)
    rows = "".join(f'How is {name}?,"{RUBRIC.replace(chr(34), chr(34) * 2)}"\n' for name in ("A", "B"))
    (home.work / "q.csv").write_text(f"question,rubric\n{rows}")
    environ = {"OPENAI_BASE_URL": server.url_for("/v1"), "OPENAI_API_KEY": "sk-0123456789abcdef"}
    command = ("eval", "q.csv", "--model", "openai/judged", "--json", "-q", "--no-judge-check", *options)
    return home.dexter(*command, environ={**environ, "NO_PROXY": "127.0.0.1"})


def test_another_model_judges_and_its_tokens_are_counted_apart(
    tmp_path: Path, httpserver: HTTPServer, asked: list[str]
):
    """Each answer is judged once, by the model that was named."""
    done = evaluate(tmp_path, httpserver, "--judge", "openai/judge")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["judge"], found["score"]["score"], found["score"]["graded"]) == ("judge", 0.5, 2)
    assert sorted(asked) == ["judge", "judge", "judged", "judged"]


def test_without_a_usable_verdict_there_is_no_score(tmp_path: Path, httpserver: HTTPServer, asked: list[str]):
    """Ungraded answers are counted and named; for a minimum they are wrong."""
    done = evaluate(tmp_path, httpserver, "--judge", "openai/prose", "--min", "0.1")
    assert done.returncode == 5, done.stderr
    score = json.loads(done.stdout)["score"]
    assert (score["graded"], score["ungraded"], asked.count("prose")) == (0, 2, 6)


def test_answers_without_a_verdict_are_judged_again_not_asked_again(
    tmp_path: Path, httpserver: HTTPServer, asked: list[str]
):
    """`--retry-failed`: the answer is on record, so only the judge is asked."""
    assert evaluate(tmp_path, httpserver, "--judge", "openai/prose").returncode == 0
    asked.clear()
    done = evaluate(tmp_path, httpserver, "--judge", "openai/prose", "--retry-failed")
    assert done.returncode == 0, done.stderr
    assert set(asked) == {"prose"}
    assert json.loads(done.stdout)["score"]["asked"] == 2


def test_a_judge_whose_key_is_refused_ends_the_work(tmp_path: Path, httpserver: HTTPServer, asked: list[str]):
    """Not a wrong judge and no answers left ungraded: the provider's words and the mend."""
    done = evaluate(tmp_path, httpserver, "--judge", "openai/refused", "-j", "1")
    assert (done.returncode, asked) == (1, ["judged", "refused"])
    assert "Incorrect API key" in done.stderr


def test_a_refused_key_ends_the_work_at_once(tmp_path: Path, httpserver: HTTPServer, asked: list[str]):
    """It would be refused for every question."""
    done = evaluate(tmp_path, httpserver, "--model", "openai/refused", "--judge", "openai/judge", "-j", "1")
    assert done.returncode == 1
    assert asked == ["refused"]
    assert "0123456789abcdef" not in done.stderr


def test_the_judged_model_judges_itself_only_when_asked(tmp_path: Path, httpserver: HTTPServer, asked: list[str]):
    """Named as the judge it is refused, with `--self-judge` it may."""
    done = evaluate(tmp_path / "no", httpserver, "--judge", "openai/judged")
    assert (done.returncode, asked) == (2, [])
    assert "--self-judge" in done.stderr
    done = evaluate(tmp_path / "yes", httpserver, "--judge", "openai/judged", "--self-judge")
    assert json.loads(done.stdout)["judge"] == "judged"
