"""The adapters against a real llama.cpp server with a real, small model: streams, cancel, counts, overflow."""

import asyncio
import gc
from contextlib import aclosing

import pytest

from dexter.errors import ModelError
from dexter.messages import SystemMessage, UserMessage
from dexter.models.anthropic import AnthropicModel
from dexter.models.litellm import LiteLLMModel
from dexter.models.protocol import ModelInfo, ModelResponse
from tests.support.peers import llama_server

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places

VIEW = (SystemMessage("m0", "You are brief."), UserMessage("m1", "Say hello."))
LONG = (VIEW[0], UserMessage("m1", "Revenue was 130.5 billion dollars. " * 2_000))
MODELS = {
    "anthropic": lambda url: AnthropicModel(ModelInfo("smollm2", "anthropic"), "none", url, idle_s=30),
    "openai": lambda url: LiteLLMModel(ModelInfo("openai/smollm2", "openai"), "", f"{url}/v1", idle_s=30),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with llama_server(tmp_path_factory.mktemp("llama")) as address:
        yield address
    gc.collect()


def with_model(server, name, use):
    async def go():
        async with aclosing(MODELS[name](server)) as model:
            return await use(model)

    return asyncio.run(go())


async def collect(model, view=VIEW, max_tokens=16):
    return [item async for item in model.stream(view, tools=(), tool_choice="auto", max_tokens=max_tokens)]


@pytest.mark.parametrize("name", MODELS)
def test_a_real_model_streams_text(server, name):
    """Pieces, then the whole, with real counts, cut at the output limit that was asked for."""
    *pieces, response = with_model(server, name, collect)
    assert isinstance(response, ModelResponse)
    assert len(pieces) > 1
    assert "".join(piece.text for piece in pieces) == response.text
    assert response.stop_reason in ("end_turn", "max_tokens")
    assert response.usage is not None
    assert response.usage.input > 0
    assert 0 < response.usage.output <= 16


@pytest.mark.parametrize("name", MODELS)
def test_cancelling_frees_the_server(server, name):
    """Cancelled in the middle of a long answer, the only slot is free for the next question."""

    async def cancel_then_ask(model):
        began = asyncio.Event()

        async def read():
            async for _ in model.stream(VIEW, tools=(), tool_choice="auto", max_tokens=1_500):
                began.set()
                await asyncio.sleep(0)

        task = asyncio.create_task(read())
        await asyncio.wait_for(began.wait(), 30)  # not after a while: a small model may have said all by then
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.wait_for(collect(model), 30)

    assert isinstance(with_model(server, name, cancel_then_ask)[-1], ModelResponse)


def test_the_server_counts_tokens(server):
    """Its count is that of the request it is then sent."""

    async def count_then_ask(model):
        return await model.count(VIEW, tools=()), (await collect(model))[-1].usage.input

    counted, used = with_model(server, "anthropic", count_then_ask)
    assert counted is not None
    assert abs(counted - used) <= 2


@pytest.mark.parametrize("name", MODELS)
def test_a_real_overflow_is_known_with_its_figures(server, name):
    """What llama.cpp says of a prompt that is too long: the kind, and its real window."""

    async def overflow(model):
        with pytest.raises(ModelError) as caught:
            await collect(model, LONG)
        return caught.value

    error = with_model(server, name, overflow)
    assert (error.kind, error.limit) == ("context_overflow", 2_048)
    assert error.used is not None
    assert error.used > 10_000
