import asyncio
from contextlib import aclosing
from datetime import UTC, datetime

import pytest

from dexter.app.models import LOCAL_ADDRESSES
from dexter.errors import ModelError
from dexter.models.anthropic import AnthropicModel
from dexter.models.catalogue import LOCAL_PROVIDERS
from dexter.models.errors import classify
from dexter.models.failures import read_headers, transport_failure
from dexter.models.protocol import ModelInfo
from tests.support import anthropic_sse, openai_sse
from tests.support.asking import VIEW, answer_to, reply_to
from tests.support.protocols import ANTHROPIC, DEEPSEEK, GEMINI, MISTRAL, OLLAMA, OPENAI, OPENROUTER
from tests.support.wire_server import Reply, WireServer, error_reply

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places


@pytest.mark.parametrize(
    ("protocol", "reason"),
    [
        (OPENAI, "insufficient_system_resource"),
        (OPENAI, "error"),
        (DEEPSEEK, "insufficient_system_resource"),
        (OPENROUTER, "error"),
        (OPENROUTER, "abort"),
        (GEMINI, "MALFORMED_FUNCTION_CALL"),
        (ANTHROPIC, "error"),
    ],
    ids=lambda value: getattr(value, "name", value),
)
def test_an_answer_that_says_it_broke_off_is_not_accepted(protocol, reason):
    """The server's own reason counts, also where the library below makes `stop` of it; the call is made again."""
    with pytest.raises(ModelError) as failed:
        answer_to(protocol, *protocol.half("Half"), *protocol.stop(reason))
    assert failed.value.retryable


@pytest.mark.parametrize("reason", ["model_length", "model_context_window_exceeded"])
@pytest.mark.parametrize("protocol", [OPENAI, OPENROUTER, MISTRAL], ids=lambda protocol: protocol.name)
def test_an_answer_that_filled_the_window_is_no_whole_answer(protocol, reason):
    """Mistral and z.ai end so, and the library makes `stop` of it; room is made instead of asking the same again."""
    with pytest.raises(ModelError) as failed:
        answer_to(protocol, *protocol.half("Half"), *protocol.stop(reason))
    assert (failed.value.kind, failed.value.shrinkable, failed.value.retryable) == ("context_overflow", True, False)


def test_a_page_is_no_answer():
    """A web page under 200 is a wrong address, not an empty answer."""
    with pytest.raises(ModelError, match="ended before"):
        answer_to(OPENAI, b"<html><title>Welcome</title></html>")


@pytest.mark.parametrize(
    "delta",
    [
        {"type": "text_delta", "text": 1.5},
        {"type": "text_delta", "text": None},
        {"type": "signature_delta", "signature": ["x"]},
        {"type": "input_json_delta", "partial_json": {"a": 1}},
    ],
)
def test_a_garbled_event_is_a_broken_stream(delta):
    """Values of the wrong type, which the SDK lets through, end in an error of ours."""
    body = anthropic_sse.block(0, {"type": "text", "text": ""}, delta)
    with pytest.raises(ModelError, match="not its protocol"):
        answer_to(ANTHROPIC, anthropic_sse.start(), *body, *anthropic_sse.stop())


def test_a_servers_fault_within_an_answer_is_tried_again():
    """`api_error` as an event after 200 passes like a 500."""
    with pytest.raises(ModelError) as failed:
        answer_to(ANTHROPIC, anthropic_sse.start(), anthropic_sse.error("api_error", "Internal server error"))
    assert failed.value.retryable


def test_pieces_with_ids_of_their_own_are_one_call():
    """Another id begins another call only if it brings a name."""
    first = {"index": 0, "id": "a", "function": {"name": "note", "arguments": '{"que'}}
    second = {"index": 0, "id": "b", "function": {"name": None, "arguments": 'ry": 1}'}}
    pieces = [openai_sse.chunk(tool_calls=[piece]) for piece in (first, second)]
    calls = answer_to(OPENAI, *pieces, *openai_sse.stop("tool_calls")).tool_calls
    assert [(call.name, call.raw) for call in calls] == [("note", '{"query": 1}')]


@pytest.mark.parametrize("body", [{}, [1], {"input_tokens": "many"}, {"input_tokens": None}, {"input_tokens": -5}])
def test_an_odd_count_is_no_count(body):
    """A server that answers the count with something else is one that cannot count."""

    async def count() -> int | None:
        async with WireServer([error_reply(200, body)]) as server:
            model = AnthropicModel(ModelInfo("claude-test", "anthropic"), "key", server.url, idle_s=2.0)
            async with aclosing(model):
                return await model.count(VIEW, tools=())

    assert asyncio.run(count()) is None


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/"])
def test_claudes_address_may_end_in_v1(suffix):
    """With and without slash and version the same path is asked."""

    async def target() -> str:
        async with WireServer([ANTHROPIC.answer("x")]) as server:
            model = AnthropicModel(ModelInfo("claude-test", "anthropic"), "key", server.url + suffix, idle_s=2.0)
            async with aclosing(model):
                async for _item in model.stream(VIEW, tools=(), tool_choice="auto", max_tokens=10):
                    pass
            return server.requests[0].target

    assert asyncio.run(target()) == "/v1/messages"


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry-after": "-5"}, None),
        ({"retry-after": "0"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "7s"}, 7.0),
        ({"Retry-After": " 7 "}, 7.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "soon"}, None),
        ({"retry-after-ms": "soon", "retry-after": "5"}, 5.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT", "date": "Mon, 30 Nov 2026 12:00:00 GMT"}, 7.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT"}, 9.0),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:07 GMT", "date": "yesterday"}, 9.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:59:00 GMT"}, None),
    ],
)
def test_retry_after_in_every_form(headers, wait):
    """What can be read is obeyed; what can't, and no wait at all, leave the wait to us."""
    ours = datetime(2026, 11, 30, 11, 59, 58, tzinfo=UTC)
    assert read_headers(classify("Rate limit reached", status=429), headers, now=lambda: ours).retry_after == wait


@pytest.mark.parametrize(
    ("seconds", "said"),
    [("90", "about 2 minutes"), ("7200", "about 2 hours"), ("20000", "about 6 hours"), ("900000", "about 10 days")],
)
def test_a_wait_of_hours_is_named_and_not_called_a_minute(seconds, said):
    """The provider's own number stands in the advice; a short wait is served without a word."""
    long = read_headers(classify("Rate limit reached", status=429), {"retry-after": seconds})
    assert said in long.remedy
    assert "Wait a minute" not in long.remedy
    short = read_headers(classify("Rate limit reached", status=429), {"retry-after": "20"})
    assert "Wait a minute" in short.remedy


def test_a_key_no_request_can_carry_is_said_and_not_shown():
    """A line break in a key is an error of the key at once, and the key is not repeated."""
    failed = transport_failure(ValueError("Illegal header value b'Bearer sk-secret\\n'"), "anthropic", 60)
    assert (failed.kind, failed.retryable, "sk-secret" in failed.message) == ("auth", False, False)


def test_models_of_the_users_own_machine_have_an_address_there():
    """Without one LiteLLM would send the question to OpenAI."""
    assert set(LOCAL_ADDRESSES) <= LOCAL_PROVIDERS
    assert all(address.startswith("http://localhost:") for address in LOCAL_ADDRESSES.values())


SIGNS_OF_LIFE = {
    "ping": (ANTHROPIC, anthropic_sse.ping()),
    "an unknown event": (ANTHROPIC, anthropic_sse.event({"type": "news"})),
    "an empty piece": (
        ANTHROPIC,
        anthropic_sse.event({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": ""}}),
    ),
    "a comment": (ANTHROPIC, b": alive\n\n"),
    "OpenRouter's comment": (OPENROUTER, b": OPENROUTER PROCESSING\n\n"),
    "a chunk without choices": (OPENAI, openai_sse.data({"id": "c", "object": "chat.completion.chunk", "choices": []})),
    "an empty delta": (OPENAI, openai_sse.chunk(content="")),
    "DeepSeek's chunk without choices": (DEEPSEEK, openai_sse.data({"id": "c", "choices": []})),
    "Gemini's empty part": (GEMINI, openai_sse.gemini({"text": ""})),
    "Ollama's empty line": (OLLAMA, openai_sse.ollama(content="")),
}


@pytest.mark.parametrize("name", SIGNS_OF_LIFE)
def test_signs_of_life_are_no_progress(name):
    """A stream of them, however long, is a stall: within a text at once, before it after some patience."""
    protocol, sign = SIGNS_OF_LIFE[name]
    beginnings = [protocol.half("Half")] if name == "an empty piece" else [protocol.half("Half"), protocol.half("")[:1]]
    for chunks in ([*beginning, *[sign] * 100] for beginning in beginnings):
        reply = Reply(200, protocol.headers, tuple(chunks), pause_s=0.05)
        with pytest.raises(ModelError, match="Nothing came") as stalled:
            reply_to(protocol, reply, idle_s=0.2)
        assert (stalled.value.kind, stalled.value.retryable) == ("timeout", True)


def test_the_model_may_think_and_write_arguments_in_silence():
    """Pings carry thinking, and arguments that arrive value by value, over more than the idle limit."""
    pings = [anthropic_sse.ping()] * 8
    thinking, tool = anthropic_sse.thinking(0, "Hm."), anthropic_sse.tool(1, "note", "", '{"query": "long"}')
    chunks = (anthropic_sse.start(), thinking[0], *pings, *thinking[1:], *tool[:2], *pings, *tool[2:])
    reply = Reply(200, ANTHROPIC.headers, (*chunks, *anthropic_sse.stop("tool_use")), pause_s=0.05)
    response = reply_to(ANTHROPIC, reply, idle_s=0.2)
    assert [call.raw for call in response.tool_calls] == ['{"query": "long"}']
