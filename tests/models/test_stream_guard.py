import asyncio
import gzip
import zlib

import pytest

from dexter.errors import ModelError
from dexter.models.litellm import LiteLLMModel
from dexter.models.litellm_clients import check_address
from dexter.models.protocol import ModelInfo
from tests.support import openai_sse as sse
from tests.support.asking import answer_to, ask, reply_to
from tests.support.protocols import DEEPSEEK, EVENT_STREAM, GEMINI, OPENAI, OPENROUTER, PROTOCOLS, XAI
from tests.support.wire_server import Reply, WireServer

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places

DONE = b"data: [DONE]\n\n"


def by_name(value):
    return getattr(value, "name", value)


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=by_name)
@pytest.mark.parametrize("packing", ["gzip", "deflate"])
def test_a_packed_answer_is_an_answer(protocol, packing):
    """Google packs its streams where it may, and some servers everywhere: the end is found all the same."""
    pack = gzip.compress if packing == "gzip" else zlib.compress
    body = pack(b"".join(protocol.answer("Hello").chunks))
    reply = Reply(200, {**protocol.headers, "content-encoding": packing}, (body[:40], body[40:]))
    assert reply_to(protocol, reply).text == "Hello"


@pytest.mark.parametrize("protocol", [GEMINI, DEEPSEEK], ids=by_name)
def test_a_packed_half_is_no_answer(protocol):
    """Packing hides no early end."""
    body = gzip.compress(b"".join(protocol.half("Half")))
    with pytest.raises(ModelError, match="ended before") as failed:
        reply_to(protocol, Reply(200, {**protocol.headers, "content-encoding": "gzip"}, (body,)))
    assert failed.value.retryable


@pytest.mark.parametrize("protocol", [OPENAI, DEEPSEEK, OPENROUTER, XAI], ids=by_name)
@pytest.mark.parametrize("end", [(DONE,), (b": bye\r\n", b"\r\ndata:[DONE]\r\n\r\n"), (b"data: [DO", b"NE]\n\n")])
def test_done_without_a_reason_is_no_end(protocol, end):
    """`[DONE]` alone, which servers also send when they give up, makes no half answer whole."""
    with pytest.raises(ModelError, match="before") as failed:
        answer_to(protocol, *protocol.half("Half"), *end)
    assert failed.value.retryable


@pytest.mark.parametrize("provider", ["minimax", "fireworks_ai", "together_ai", "groq", "mistral", "hosted_vllm"])
def test_done_without_a_reason_on_the_other_roads(provider):
    """The same for providers that speak OpenAI's protocol, and a whole answer passes."""

    async def outcomes():
        replies = [Reply(200, EVENT_STREAM, (*sse.text("Half"), DONE)), Reply(200, EVENT_STREAM, sse.answer("Hello"))]
        async with WireServer(replies) as server:
            model = LiteLLMModel(ModelInfo(f"{provider}/test", provider), "key", server.url + "/v1", 2.0)
            with pytest.raises(ModelError) as failed:
                await ask(model)
            text = (await ask(model)).text
            await model.aclose()
            return failed.value.retryable, text

    assert asyncio.run(outcomes()) == (True, "Hello")


@pytest.mark.parametrize("protocol", [OPENAI, DEEPSEEK, OPENROUTER], ids=by_name)
def test_an_error_or_reason_that_is_null_ends_nothing(protocol):
    """Some servers write both into every piece."""
    piece = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "error": None}
    choice = {"index": 0, "delta": {"content": "Half"}, "finish_reason": None}
    with pytest.raises(ModelError, match="before"):
        answer_to(protocol, sse.data({**piece, "choices": [choice]}), sse.data({**piece, "choices": []}))


def test_words_in_a_text_end_nothing():
    """An answer about protocols is only a text."""
    said = 'It sends "finish_reason": "error" and then\n\ndata: [DONE]\n\n.'
    assert answer_to(DEEPSEEK, *sse.text(said[:20], said[20:]), *sse.stop()).text == said


@pytest.mark.parametrize("protocol", [p for p in PROTOCOLS if p is not GEMINI], ids=by_name)
def test_a_count_nobody_made_is_none(protocol):
    """Where no usage comes, or an empty one, there is none: LiteLLM's guess leaves out the tools."""
    from tests.support import anthropic_sse

    empty = {"input_tokens": 0, "output_tokens": 0}
    bodies = {
        "Anthropic": [[anthropic_sse.start(empty), *anthropic_sse.text(0, "x"), *anthropic_sse.stop(output=0)]],
        "Ollama": [[sse.ollama(content="x"), sse.ollama(done=True).replace(b'"prompt_eval_count": 42, ', b"")]],
    }
    zeros = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    chat = [[*sse.text("x"), sse.chunk("stop"), DONE], [*sse.text("x"), *sse.stop(usage=zeros)]]
    for body in bodies.get(protocol.name, chat):
        assert answer_to(protocol, *body).usage is None


@pytest.mark.parametrize("provider", ["xinference", "litellm_proxy", "custom_openai", "lm_studio", "hosted_vllm"])
def test_without_an_address_nothing_goes_to_openai(provider):
    """The question is not sent, and the error says how to name the server."""
    with pytest.raises(ModelError, match="nothing was sent") as refused:
        check_address(provider, "")
    assert (refused.value.retryable, "OPENAI_BASE_URL" in refused.value.remedy) == (False, True)
    check_address(provider, "http://localhost:9/v1")
