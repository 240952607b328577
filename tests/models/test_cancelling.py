"""Ctrl-C and Esc cancel the task: that ends a model call wherever it is, and leaves nothing open."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import aclosing
from typing import Any

import pytest

from tests.support.asking import VIEW, ask
from tests.support.protocols import ANTHROPIC, DEEPSEEK, GEMINI, OLLAMA, OPENAI, Protocol
from tests.support.wire_server import Reply, WireServer

pytestmark = pytest.mark.filterwarnings("ignore")  # LiteLLM and its clients warn of themselves in many places

ROADS = pytest.mark.parametrize("protocol", [ANTHROPIC, OPENAI, DEEPSEEK, GEMINI, OLLAMA], ids=lambda p: p.name)


@pytest.fixture(autouse=True, scope="module")
def _swept() -> Iterator[None]:
    """What LiteLLM leaves unawaited and unclosed is collected here, not in a later module's test."""
    yield
    gc.collect()


async def cancelled(work: Awaitable[Any], when: Callable[[], Awaitable[Any]]) -> None:
    """Cancel the work once `when` has come; it ends at once, and as cancelled."""
    task = asyncio.ensure_future(work)
    await asyncio.wait_for(when(), 30)
    task.cancel()
    done, _ = await asyncio.wait({task}, timeout=5)
    assert done
    assert task.cancelled()


@pytest.fixture
def mute() -> Iterator[str]:
    """An https address where a connection is taken and nothing is ever said: the handshake waits for ever."""
    with socket.create_server(("127.0.0.1", 0), backlog=8) as listening:
        yield f"https://127.0.0.1:{listening.getsockname()[1]}"


@ROADS
def test_while_it_connects(protocol: Protocol, mute: str) -> None:
    """In the middle of a handshake that does not come about."""

    async def go() -> None:
        async with aclosing(protocol.connect(mute, 60.0)) as model:
            await cancelled(ask(model), lambda: asyncio.sleep(0.5))

    asyncio.run(go())


@ROADS
@pytest.mark.parametrize(
    "reply", [Reply(hang=True), Reply(chunks=(b": alive\n\n",) * 200, pause_s=0.05)], ids=["silent", "alive"]
)
def test_while_it_waits_for_the_first_word(protocol: Protocol, reply: Reply) -> None:
    """The server has the question; the connection is closed, so that it stops working on it."""

    async def go() -> None:
        async with WireServer([reply]) as server, aclosing(protocol.connect(server.url, 60.0)) as model:
            await cancelled(ask(model), server.asked.wait)
            await asyncio.wait_for(server.idle.wait(), 30)

    asyncio.run(go())


def test_while_tokens_are_counted() -> None:
    """The count is asked for beside the loop's work, and is as easily given up."""

    async def go() -> None:
        async with WireServer([Reply(hang=True)]) as server, aclosing(ANTHROPIC.connect(server.url, 60.0)) as model:
            await cancelled(model.count(VIEW, tools=()), server.asked.wait)
            await asyncio.wait_for(server.idle.wait(), 30)

    asyncio.run(go())


def test_a_count_that_does_not_come_is_not_waited_for() -> None:
    """A server that is silent about the count costs little: the estimate stands."""

    async def go() -> int | None:
        async with WireServer([Reply(hang=True)]) as server, aclosing(ANTHROPIC.connect(server.url, 0.3)) as model:
            return await model.count(VIEW, tools=())

    assert asyncio.run(go()) is None
