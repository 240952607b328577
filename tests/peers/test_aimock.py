"""The adapters against aimock, whose makers know the providers and not us."""

import asyncio
import gc
from contextlib import aclosing

import pytest

from dexter.agent.loop import run_loop
from dexter.context.policies import policy_named
from dexter.events import ModelResponded, Retry
from dexter.models.anthropic import AnthropicModel
from dexter.models.litellm import LiteLLMModel
from dexter.models.protocol import ModelInfo
from dexter.usage import Usage
from tests.support.faults import note_tool, shown
from tests.support.peers import aimock
from tests.support.runs import make_run

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places

COUNTED = {"prompt_tokens": 42, "completion_tokens": 7, "total_tokens": 49, "input_tokens": 42, "output_tokens": 7}
COUNTED |= {"promptTokenCount": 42, "candidatesTokenCount": 7, "totalTokenCount": 49}
THINKING = {"reasoning": "The user wants a note.", "reasoningSignature": "c2lnbmVk", "redactedThinking": ["b3BhcXVl"]}
ONE, TWO = ({"name": "note", "arguments": {"query": word}, "id": f"call_{word}"} for word in ("one", "two"))
BROKEN = {"content": "Revenue was 130.5 billion dollars in fiscal 2025."}


def failing(word, message, status, kind, **more):
    """A refusal once, then an answer."""
    error = {"error": {"message": message, "type": kind}, "status": status, **more}
    return [
        {"match": {"userMessage": word, "sequenceIndex": 0}, "response": error},
        {"match": {"userMessage": word, "sequenceIndex": 1}, "response": {"content": "Here it is."}},
    ]


FIXTURES = [
    {"match": {"userMessage": "greet"}, "response": {"content": "Hello from elsewhere.", "usage": COUNTED}},
    {"match": {"userMessage": "parallel", "hasToolResult": True}, "response": {"content": "Both noted."}},
    {"match": {"userMessage": "parallel"}, "response": {"toolCalls": [ONE, TWO]}},
    {"match": {"userMessage": "think", "hasToolResult": True}, "response": {"content": "Noted.", **THINKING}},
    {"match": {"userMessage": "think"}, "response": {"content": "On it.", "toolCalls": [ONE], **THINKING}},
]
FIXTURES += [
    fixture
    for name in ("anthropic", "openai", "gemini", "openrouter")
    for fixture in (
        *failing(f"limited {name}", "Rate limit reached", 429, "rate_limit_error", retryAfter=3),
        *failing(f"internal {name}", "Internal server error", 500, "api_error"),
        *failing(f"overloaded {name}", "Overloaded", 529, "overloaded_error"),
        {"match": {"userMessage": f"cut {name}", "sequenceIndex": 0}, "response": BROKEN, "truncateAfterChunks": 4},
        {"match": {"userMessage": f"cut {name}", "sequenceIndex": 1}, "response": BROKEN},
    )
]


def claude(url):
    return AnthropicModel(ModelInfo("claude-test", "anthropic"), "test", url, thinking="adaptive", idle_s=5)


def through_litellm(name, path):
    provider = name.split("/")[0] if "/" in name else "openai"
    return lambda url: LiteLLMModel(ModelInfo(name, provider), "test", url + path, idle_s=5)


MODELS = {
    "anthropic": claude,
    "openai": through_litellm("gpt-test", "/v1"),
    "gemini": through_litellm("gemini/gemini-test", "/v1beta"),
    "openrouter": through_litellm("openrouter/a/test", "/api/v1"),
    "ollama": through_litellm("ollama/test", ""),
}
COMPATIBLE = [name for name in MODELS if name != "ollama"]  # aimock gives Ollama's failures another form


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with aimock(FIXTURES, tmp_path_factory.mktemp("aimock")) as address:
        yield address
    gc.collect()


def run(server, name, question, folder):
    """A whole run: the bench, the answer, and what the tool wrote."""
    notes = folder / "notes.txt"

    async def go():
        async with aclosing(MODELS[name](server)) as model:
            bench = make_run(folder, model, tools=[note_tool(notes)], policy=policy_named("dexter"), question=question)
            return bench, await run_loop(bench.run)

    bench, answer = asyncio.run(go())
    return bench, answer.text, notes.read_text().split() if notes.exists() else []


@pytest.mark.parametrize("name", MODELS)
def test_text_streams(server, name, tmp_path):
    """An answer arrives in pieces and whole."""
    bench, answer, _ = run(server, name, f"greet {name}", tmp_path)
    assert answer == "Hello from elsewhere."
    assert shown(bench) == answer


@pytest.mark.parametrize("name", ["openai", "anthropic", "gemini"])
def test_usage_is_counted(server, name, tmp_path):
    """The provider's own counts arrive, also in streams."""
    bench, _, _ = run(server, name, f"greet {name}", tmp_path)
    (responded,) = bench.of(ModelResponded)
    assert responded.usage == Usage(input_uncached=42, output=7)


@pytest.mark.parametrize(
    "name", [name for name in MODELS if name != "gemini"]
)  # aimock finds no question behind results there
def test_parallel_calls_run_once_each(server, name, tmp_path):
    """Two calls in one turn, both run, both answered."""
    _, answer, notes = run(server, name, f"parallel {name}", tmp_path)
    assert (answer, notes) == ("Both noted.", ["one", "two"])


def test_signed_thinking_survives_a_tool_turn(server, tmp_path):
    """aimock refuses a tool turn that does not open with the thinking it sent: our history replays it."""
    bench, answer, notes = run(server, "anthropic", "think about it", tmp_path)
    assert (answer, notes) == ("Noted.", ["one"])
    assert not bench.of(Retry)
    assert len(bench.of(ModelResponded)) == 2


@pytest.mark.parametrize("name", COMPATIBLE)
@pytest.mark.parametrize(
    ("question", "shown_as"),
    [("limited", ("rate_limit", 3.0)), ("internal", ("other", 0.5)), ("overloaded", ("overloaded", 0.5))],
)
def test_passing_failures_are_survived(server, name, question, shown_as, tmp_path):
    """429, 500 and 529 once: shown, waited for as asked, then answered."""
    bench, answer, _ = run(server, name, f"{question} {name}", tmp_path)
    (retry,) = bench.of(Retry)
    assert (answer, (retry.kind, retry.wait_s)) == ("Here it is.", shown_as)


@pytest.mark.parametrize("name", ["openai", "anthropic"])
def test_a_cut_stream_is_asked_for_again(server, name, tmp_path):
    """A raw cut after four chunks: the whole answer comes, shown once."""
    bench, answer, _ = run(server, name, f"cut {name}", tmp_path)
    assert answer == BROKEN["content"]
    assert shown(bench) == answer
    assert [retry.kind for retry in bench.of(Retry)] == ["network"]
