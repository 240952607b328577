import asyncio
import gc
import json
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dexter.errors import ModelError
from dexter.messages import AssistantMessage, SystemMessage, ToolCall, ToolMessage, ToolSpec, UserMessage
from dexter.models.litellm import LiteLLMModel
from dexter.models.protocol import ModelInfo, ModelResponse, Prices, TextPiece
from dexter.usage import Usage
from tests.support import openai_sse as sse
from tests.support.wire_server import Reply, WireServer, error_reply

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places


@pytest.fixture(autouse=True, scope="module")
def _swept():
    """What LiteLLM leaves unawaited and unclosed is collected here, not in a later module's test."""
    yield
    gc.collect()


PRICES = Prices(Decimal("2e-6"), Decimal("1e-5"), Decimal("2e-7"), Decimal("2e-6"))
TOOLS = (ToolSpec("get_prices", "Prices.", {"type": "object", "properties": {"ticker": {"type": "string"}}}),)
VIEW = (SystemMessage("m0", "Be exact."), UserMessage("m1", "What is NVDA's revenue?"))
# One model of each road through LiteLLM: the OpenAI SDK, LiteLLM's own client, and its newest one.
ROADS = ("gpt-test", "deepseek/test", "xai/test")


def info(name="gpt-test", **more):
    provider = name.split("/")[0] if "/" in name else "openai"
    return ModelInfo(name, provider, prices=PRICES, **more)


def model(server, name="gpt-test", *, idle_s=2.0, thinking="none", **more):
    return LiteLLMModel(info(name, thinking=thinking), "test-key", f"{server.url}/v1", idle_s=idle_s, **more)


async def ask(adapter, view=VIEW, *, tools=TOOLS, tool_choice="auto", seen=None):
    """Pieces and the response of one call; `seen` gets the pieces also where it fails."""
    items = [] if seen is None else seen
    async for item in adapter.stream(view, tools=tools, tool_choice=tool_choice, max_tokens=500):
        items.append(item)
    assert [type(item) for item in items[-1:]] == [ModelResponse]
    return items[:-1], items[-1]


def run(chunks, view=VIEW, *, tools=TOOLS, tool_choice="auto", headers=None, **options):
    """One call against one reply: (pieces, response, request)."""
    reply = Reply(chunks=tuple(chunks), **({"headers": headers} if headers else {}))

    async def call():
        async with WireServer([reply]) as server:
            pieces, response = await ask(model(server, **options), view, tools=tools, tool_choice=tool_choice)
            return pieces, response, server.requests[0]

    return asyncio.run(call())


def failure(reply, **options):
    """The error of one call, the pieces before it, and how many requests were made."""

    async def call():
        pieces = []
        async with WireServer([reply]) as server:
            with pytest.raises(ModelError) as caught:
                await ask(model(server, **options), seen=pieces)
            return caught.value, pieces, len(server.requests)

    return asyncio.run(call())


@pytest.mark.parametrize("name", ROADS)
def test_text_streams_and_is_counted_and_priced(name):
    """Pieces arrive as they come; usage comes in the stream, cached tokens told apart; the cost is in USD."""
    pieces, response, request = run(sse.answer("Hel", "lo."), name=name)
    assert pieces == [TextPiece("Hel"), TextPiece("lo.")]
    assert (response.text, response.stop_reason) == ("Hello.", "end_turn")
    assert response.usage == Usage(input_uncached=12, cache_read=30, output=7, thinking=3)
    assert response.cost_usd == Decimal("0.0001")
    assert request.json["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("name", ROADS)
def test_calls_are_gathered_from_their_pieces(name):
    """Id and name come once, arguments in pieces; text before calls stays text."""
    chunks = [*sse.text("Looking."), *sse.tool(0, "get_prices", '{"tick', 'er": "NVDA"}'), *sse.stop("tool_calls")]
    _, response, request = run(chunks, name=name)
    (call,) = response.tool_calls
    assert (call.provider_id, call.name, call.raw) == ("call_0", "get_prices", '{"ticker": "NVDA"}')
    assert (response.text, response.stop_reason) == ("Looking.", "tool_use")
    assert request.json["tools"][0]["function"]["name"] == "get_prices"


def test_twenty_calls_at_once():
    """Parallel calls keep their order."""
    chunks = [piece for i in range(20) for piece in sse.tool(i, "get_prices", f'{{"n":{i}}}', id=f"call_{i}")]
    _, response, _ = run([*chunks, *sse.stop("tool_calls")])
    assert [call.raw for call in response.tool_calls] == [f'{{"n":{i}}}' for i in range(20)]


def test_calls_that_are_all_numbered_zero():
    """Some servers give every call the index 0: another id begins another call."""
    chunks = [*sse.tool(0, "get_prices", '{"a":1}', id="call_a"), *sse.tool(0, "get_prices", '{"b":2}', id="call_b")]
    _, response, _ = run([*chunks, *sse.stop("tool_calls")])
    assert [(call.provider_id, call.raw) for call in response.tool_calls] == [
        ("call_a", '{"a":1}'),
        ("call_b", '{"b":2}'),
    ]


def test_calls_count_even_where_the_server_says_stop():
    """Servers that end a tool turn with `stop` are taken by what they sent."""
    assert run([*sse.tool(0, "get_prices", "{}"), *sse.stop("stop")])[1].stop_reason == "tool_use"


@pytest.mark.parametrize(
    ("reason", "expected"),
    [("stop", "end_turn"), ("length", "max_tokens"), ("content_filter", "refusal"), ("tool_calls", "tool_use")],
)
def test_stop_reasons(reason, expected):
    """Every reason to stop has one name of ours."""
    assert run(sse.answer("x", reason=reason))[1].stop_reason == expected


def test_reasoning_counted_apart_is_output():
    """xAI adds reasoning to the total but not to the completion: it is paid as output all the same."""
    usage = {**sse.USAGE, "total_tokens": 52}
    _, response, _ = run([*sse.text("x"), *sse.stop(usage=usage)], name="xai/test")
    assert response.usage.output == 10


# ── thinking ──


def test_think_tags_of_local_models_are_thinking():
    """`<think>…</think>` in the text is shown and kept apart, wherever the pieces are cut."""
    pieces, response, _ = run(sse.answer("<thi", "nk>Two and", " two.</th", "ink>\n\nFour."))
    assert response.text == "Four."
    assert [(block.kind, block.text) for block in response.thinking] == [("plain", "Two and two.")]
    assert "".join(piece.text for piece in pieces if not piece.thinking) == "Four."


def turn_of(response):
    calls = tuple(
        ToolCall(f"c{i}", call.name, json.loads(call.raw), call.provider_id, call.raw)
        for i, call in enumerate(response.tool_calls)
    )
    results = tuple(ToolMessage(f"t{i}", i, f"c{i}", "get_prices", content="1") for i in range(len(calls)))
    return (*VIEW, AssistantMessage("a", response.text, response.thinking, calls), *results)


def test_demanded_reasoning_goes_back():
    """DeepSeek refuses tool turns without their reasoning: it is kept and returned."""
    chunks = [*sse.reasoning("Need a ", "price."), *sse.tool(0, "get_prices", "{}"), *sse.stop("tool_calls")]
    pieces, response, _ = run(chunks, name="deepseek/test", thinking="demanded")
    assert pieces == [TextPiece("Need a ", thinking=True), TextPiece("price.", thinking=True)]
    assert response.thinking[0].kind == "demanded"
    _, _, request = run(sse.answer("x"), turn_of(response), name="deepseek/test", thinking="demanded")
    assert request.json["messages"][2]["reasoning_content"] == "Need a price."


def test_reasoning_nobody_demands_stays_here():
    """Plain reasoning is not sent to providers that would refuse or ignore it."""
    chunks = [*sse.reasoning("Hm."), *sse.tool(0, "get_prices", "{}"), *sse.stop("tool_calls")]
    _, response, _ = run(chunks)
    assert response.thinking[0].kind == "plain"
    _, _, request = run(sse.answer("x"), turn_of(response))
    assert "reasoning_content" not in request.json["messages"][2]


def test_gemini_signatures_of_calls_go_back():
    """Gemini binds a call to a signature of its thought: ids stay short, and the signature returns with the call."""
    chunks = [
        sse.gemini({"text": "Hm.", "thought": True}),
        sse.gemini(
            {"functionCall": {"name": "get_prices", "args": {"ticker": "NVDA"}}, "thoughtSignature": "U0lH" * 40}
        ),
        sse.gemini(finish="STOP", usage={"promptTokenCount": 42, "candidatesTokenCount": 7, "totalTokenCount": 49}),
    ]
    _, response, _ = run(chunks, name="gemini/test")
    (call,) = response.tool_calls
    assert len(call.provider_id) <= 64
    _, _, request = run([sse.gemini({"text": "x"}, finish="STOP")], turn_of(response), name="gemini/test")
    parts = [part for content in request.json["contents"] for part in content["parts"]]
    assert [part["thoughtSignature"] for part in parts if "function_call" in part] == ["U0lH" * 40]


# ── the request ──


def conversation():
    calls = (
        ToolCall("c0", "get_prices", {"ticker": "NVDA"}, "functions.get_prices:0", '{"ticker": "NVDA"}'),
        ToolCall("c1", "get_prices", None, "", "{oops"),
    )
    results = (
        ToolMessage("t0", 0, "c0", "get_prices", content="130.5"),
        ToolMessage("t1", 1, "c1", "get_prices", "error", "Error: no JSON"),
    )
    return (*VIEW, AssistantMessage("a", "", (), calls), *results, UserMessage("q", "Also AMD.", "queued"))


def test_a_view_in_the_chat_protocol():
    """System, calls with fit ids and valid JSON arguments, results, and the user's lines."""
    _, _, request = run(sse.answer("x"), conversation())
    system, question, assistant, first, second, queued = request.json["messages"]
    assert (system["role"], question["role"], queued["content"]) == ("system", "user", "Also AMD.")
    assert assistant["content"] == ""
    assert [call["id"] for call in assistant["tool_calls"]] == ["functions_get_prices_0", "call_c1"]
    assert [json.loads(call["function"]["arguments"]) for call in assistant["tool_calls"]] == [
        {"ticker": "NVDA"},
        {"INVALID_JSON": "{oops"},
    ]
    assert (first["tool_call_id"], second["tool_call_id"]) == ("functions_get_prices_0", "call_c1")


def test_mistral_gets_ids_of_nine_letters_and_digits():
    """Mistral refuses every other id; call and result agree."""
    _, _, request = run(sse.answer("x"), conversation(), name="mistral/test")
    assistant = next(m for m in request.json["messages"] if m["role"] == "assistant")
    ids = [call["id"] for call in assistant["tool_calls"]]
    assert all(len(one) == 9 and one.isalnum() for one in ids)
    assert [m["tool_call_id"] for m in request.json["messages"] if m["role"] == "tool"] == ids


def test_each_request_is_a_prefix_of_the_next():
    """What was sent once is sent the same again, so that prompt caches hold."""
    view = conversation()
    sent = [
        json.dumps(run(sse.answer("x"), view[:size])[2].json["messages"]).removesuffix("]")
        for size in (2, 5, len(view))
    ]
    assert sent[1].startswith(sent[0])
    assert sent[2].startswith(sent[1])


def test_half_a_character_does_not_break_the_request():
    """Lone surrogates are replaced before they reach the encoder."""
    _, _, request = run(sse.answer("x"), (*VIEW, UserMessage("q", "x\ud83d", "queued")))
    assert "\ufffd" in json.loads(request.body.decode("utf-8"))["messages"][-1]["content"]


def test_the_last_call_keeps_its_tools():
    """`tool_choice: none` with the same tools."""
    _, _, request = run(sse.answer("x"), tool_choice="none")
    assert request.json["tool_choice"] == "none"
    assert len(request.json["tools"]) == 1


OLLAMA = {"content-type": "application/x-ndjson"}


def test_ollama_is_told_its_context_size():
    """Ollama cuts prompts to a small default in silence: it is told the window."""
    chunks = [sse.ollama(content="Hi"), sse.ollama(done=True)]
    _, response, request = run(chunks, name="ollama/test", headers=OLLAMA, context=32_000)
    assert response.text == "Hi"
    assert request.json["options"]["num_ctx"] == 32_000
    assert response.usage == Usage(input_uncached=42, output=7)


def test_ollamas_last_call_is_told_as_text():
    """Where tools can't be forbidden, the history goes as text and no tools are offered."""
    chunks = [sse.ollama(content="Hi"), sse.ollama(done=True)]
    _, _, request = run(chunks, conversation(), tool_choice="none", name="ollama/test", headers=OLLAMA)
    assert not request.json.get("tools")
    assert [message["role"] for message in request.json["messages"]] == ["system", "user", "assistant", "user"]
    assert "130.5" in request.json["messages"][-1]["content"]
    assert "[called get_prices" in request.json["messages"][2]["content"]


def test_base_url_key_and_model_are_enough():
    """Any OpenAI-compatible server works with an address, a key and a name; also without a key."""

    async def call():
        async with WireServer([Reply(chunks=sse.answer("ok"))]) as server:
            adapter = LiteLLMModel(info("llama-3-8b-instruct"), "", f"{server.url}/v1", idle_s=2)
            _, response = await ask(replace(adapter, info=info("openai/llama-3-8b")))
            return response.text, server.requests[0]

    text, request = asyncio.run(call())
    assert (text, request.target, request.json["model"]) == ("ok", "/v1/chat/completions", "llama-3-8b")


# ── failures ──

CONTEXT = "This model's maximum context length is 8192 tokens. However, you requested 8213 tokens"
QUOTA = "You exceeded your current quota, please check your plan and billing details."


@pytest.mark.parametrize("name", ROADS)
@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (error_reply(429, {"error": {"message": "Rate limit reached"}}, retry_after="7"), "rate_limit"),
        (error_reply(429, {"error": {"message": QUOTA, "code": "insufficient_quota"}}), "billing"),
        (error_reply(402, {"error": {"message": "Insufficient Balance"}}), "billing"),
        (error_reply(401, {"error": {"message": "Incorrect API key provided"}}), "auth"),
        (error_reply(400, {"error": {"message": CONTEXT, "code": "context_length_exceeded"}}), "context_overflow"),
        (error_reply(503, {"error": {"message": "The engine is currently overloaded"}}), "overloaded"),
        (error_reply(500, {"error": {"message": "The server had an error"}}), "other"),
        (error_reply(400, {"error": {"message": "Unsupported value: 'x' is not supported"}}), "bad_request"),
        (Reply(502, {"content-type": "text/html"}, (b"<html><title>502 Bad Gateway</title></html>",)), "network"),
        (Reply(chunks=(*sse.text("Half an"), sse.error("Overloaded", type="overloaded_error"))), "overloaded"),
        (Reply(chunks=tuple(sse.text("Half an")), ending="cut"), "network"),
        (Reply(chunks=tuple(sse.text("Half an"))), "network"),
        (Reply(chunks=tuple(sse.text("Half an")), ending="stall"), "timeout"),
        (Reply(hang=True), "timeout"),
    ],
)
def test_failures_have_one_kind_and_no_half_answer(reply, kind, name):
    """Refusals, errors inside the stream, cuts, clean ends without a reason, stalls: classified, asked once."""
    error, pieces, requests = failure(reply, name=name, idle_s=0.3)
    assert error.kind == kind
    assert error.remedy
    assert "litellm" not in error.message.lower()
    assert all(isinstance(piece, TextPiece) for piece in pieces)
    assert requests == 1


def test_the_header_says_how_long_to_wait():
    """Retry-After is found in LiteLLM's own place."""
    reply = error_reply(429, {"error": {"message": "Rate limit reached"}}, retry_after="7")
    assert failure(reply)[0].retry_after == 7


def test_an_overflow_keeps_its_figures():
    """Used and allowed tokens come through LiteLLM's wrapping."""
    error, _, _ = failure(error_reply(400, {"error": {"message": CONTEXT}}))
    assert (error.used, error.limit, error.shrinkable) == (8213, 8192, True)


def test_the_reason_behind_an_aggregator_is_told():
    """OpenRouter says "Provider returned error" and hides the reason beside it: that is classified and shown."""
    raw = json.dumps({"error": {"message": "Overloaded, try later"}})
    body = {"error": {"message": "Provider returned error", "code": 502, "metadata": {"raw": raw}}}
    error, _, _ = failure(error_reply(502, body), name="openrouter/a/test")
    assert (error.kind, error.message) == ("overloaded", "OpenRouter: Overloaded, try later.")


def test_a_slow_answer_is_no_stall():
    """The limit is for silence, not for the whole answer."""
    chunks = sse.answer(*["word "] * 12)

    async def call():
        async with WireServer([Reply(chunks=chunks, pause_s=0.1)]) as server:
            return (await ask(model(server, idle_s=0.9)))[1].text

    assert asyncio.run(call()) == "word " * 12


@pytest.mark.parametrize("name", ROADS)
def test_a_refused_connection_says_so(name):
    """Nobody listening is a network failure."""

    async def call():
        async with WireServer([]) as server:
            pass
        with pytest.raises(ModelError) as caught:
            await ask(model(server, name))
        return caught.value.kind

    assert asyncio.run(call()) == "network"


@pytest.mark.parametrize("name", ROADS)
def test_cancelling_closes_the_connection(name):
    """Ctrl-C in the middle of a stream ends the request at the provider too."""

    async def call():
        reply = Reply(chunks=tuple(sse.text("Half an")), ending="stall")
        async with WireServer([reply]) as server:
            task = asyncio.create_task(ask(model(server, name, idle_s=30)))
            await server.asked.wait()
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.wait_for(server.idle.wait(), 5)

    asyncio.run(call())


# ── import ──

QUIET = """
import os, sys
looked_up = []
network = ("socket.connect", "socket.getaddrinfo")
sys.addaudithook(lambda event, args: looked_up.append(args) if event in network else None)
from dexter.models.litellm_setup import load_litellm
load_litellm()
assert not looked_up, looked_up
assert "PLANTED" not in os.environ
"""


def test_the_import_is_silent_offline_and_reads_no_env_file(tmp_path):
    """Importing LiteLLM looks nothing up, prints nothing, and pulls no `.env` into the environment."""
    (tmp_path / ".env").write_text("PLANTED=1\n")
    (tmp_path / "quiet.py").write_text(QUIET)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "quiet.py"],
        cwd=tmp_path,
        env={
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
